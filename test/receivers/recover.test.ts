import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ExamClient } from '../../src/index.ts';
import { createEmulator, createManualClock } from '../../src/testing/index.ts';
import { longTest } from '../helpers/long-test.ts';
import { runRecipe } from './recipe.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recovery-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** An emulator with five results, two of which were never delivered. */
async function startService() {
  const clock = createManualClock();
  const emulator = createEmulator({
    clock,
    retryDelays: [],
    disableAfterFailures: 3,
    fetch: () => Promise.reject(new Error('down')),
  });
  const server = await emulator.listen();
  const { webhooks } = new ExamClient({ baseUrl: server.url, apiKey: 'test-key' });
  const { endpoint } = await webhooks.ensure({
    url: 'https://receiver.example.test/',
    events: ['exam_result.completed'],
  });
  emulator.control.seedExams(1);
  emulator.control.seedParticipants(5);
  for (let participant_id = 1; participant_id <= 5; participant_id += 1) {
    const pair = { participant_id, exam_id: 1 };
    emulator.control.seedAssignments([pair]);
    emulator.control.startExam(pair);
    emulator.control.finishExam({ ...pair, score: participant_id * 10 });
    await clock.advance(1000);
  }
  expect(await webhooks.list()).toMatchObject([{ is_disabled_by_system: true }]);
  expect((await webhooks.deliveries(endpoint.id)).data).toHaveLength(3);

  const env = { EXAM_SERVICE_BASE_URL: server.url, EXAM_SERVICE_API_KEY: 'test-key' };
  const path = join(folder, 'results.ndjson');
  return {
    path,
    written: async () =>
      (await readFile(path, 'utf8'))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    [Symbol.asyncDispose]: () => server.close(),
    recover: (more: Record<string, string> = {}) =>
      runRecipe('recover', [String(endpoint.id), '2025-03-01T00:00:00Z', path], { ...env, ...more }),
  };
}

test('recover fetches what was missed, then what was never delivered, and changes nothing when run again', async () => {
  await using service = await startService();
  await writeFile(service.path, '{"id":2,"score":20}\n');
  const first = await service.recover();
  expect(first.stderr).toBe('');
  expect(first.stdout).toBe(
    '3 events were delivered, or tried; 2 results were missing.\n2 more were never delivered.\n',
  );
  const written = await readFile(service.path, 'utf8');
  // The list of results is newest first.
  expect(await service.written()).toEqual([2, 1, 3, 5, 4].map((id) => ({ id, score: id * 10 })));
  const second = await service.recover();
  expect(second.stdout).toContain('0 results were missing.\n0 more were never delivered.');
  expect(await readFile(service.path, 'utf8')).toBe(written);
});

longTest.each([
  ['in the middle', '{"id":2,"score":20}\n{"id":4,"sc', 1],
  ['within a character', Buffer.from('{"id":2,"score":20}\n{"name":"Zo\u00eb').subarray(0, -1), 1],
  ['before its line break', '{"id":2,"score":20}\n{"id":4,"score":40}', 0],
  ['at its beginning, the only one', '{"id', 1],
])('recover goes on after a last line that was cut %s', async (_kind, text, warnings) => {
  await using service = await startService();
  await writeFile(service.path, text);
  const { code, stderr } = await service.recover();
  expect(code).toBe(0);
  expect(stderr.split('\n').filter((line) => line.includes('was cut and is removed'))).toHaveLength(warnings);
  expect((await service.written()).toSorted((a, b) => a.id - b.id)).toEqual(
    [1, 2, 3, 4, 5].map((id) => ({ id, score: id * 10 })),
  );
});

longTest.each([
  [[], '`since` must be a Date, or an ISO 8601 time'],
  [['3', 'yesterday'], '`since` must be a Date, or an ISO 8601 time'],
  [['three', '2025-03-01T00:00:00Z'], 'id must be an integer'],
])(
  'recover says in one sentence what is wrong with the arguments %j, and leaves no file',
  async (args, words) => {
    const env = { EXAM_SERVICE_BASE_URL: 'http://127.0.0.1:1/api/v1', EXAM_SERVICE_API_KEY: 'test-key' };
    const path = join(folder, 'results.ndjson');
    const { code, stderr } = await runRecipe('recover', args.length === 0 ? [] : [...args, path], env);
    expect(code).toBe(1);
    expect(stderr).toContain(words);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(existsSync(path)).toBe(false);
  },
);

/** Node with a disk that fails once, on the first line that is written. */
const failingOnce = `
  import fs from 'node:fs/promises';
  import { syncBuiltinESMExports } from 'node:module';
  const { appendFile } = fs;
  fs.appendFile = () => {
    fs.appendFile = appendFile;
    syncBuiltinESMExports();
    return Promise.reject(new Error('the disk is full'));
  };
  syncBuiltinESMExports();
`;

longTest(
  'recover goes on after an event that could not be handled, and ends with a failure that says to run it again',
  async () => {
    await using service = await startService();
    const first = await service.recover({
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(failingOnce)}`,
    });
    expect(first.code).toBe(1);
    expect(first.stderr).toContain(
      '1 events were not handled: run this again later. Error: the disk is full',
    );
    expect(await service.written()).toHaveLength(4);
    const { code, stderr } = await service.recover();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((await service.written()).map(({ id }) => id).toSorted()).toEqual([1, 2, 3, 4, 5]);
  },
);

longTest('recover knows a result whose id the file has as a string', async () => {
  await using service = await startService();
  await writeFile(service.path, '{"id":"2","score":20}\n{"id":"4","score":40}\n');
  await service.recover();
  const ids = (await service.written()).map(({ id }) => String(id));
  expect(ids.toSorted()).toEqual(['1', '2', '3', '4', '5']);
});
