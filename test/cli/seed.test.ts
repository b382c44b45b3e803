import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createEmulator } from '../../src/testing/index.ts';
import { at } from '../emulator/helpers.ts';
import { baseUrlOf, call, runToEnd, startCli, temporaryFolder } from './helpers.ts';

async function withSeeds<T>(
  files: Record<string, string>,
  use: (run: ReturnType<typeof startCli>, url: string) => Promise<T>,
): Promise<T> {
  await using folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) await writeFile(folder.file(name), content);
  const seeds = Object.keys(files).flatMap((name) => ['--seed', folder.file(name)]);
  await using run = startCli(['emulator', '--port', '0', ...seeds]);
  return await use(run, await baseUrlOf(run));
}

/** What the command says of a seed that it rejects. */
async function rejectionOf(name: string, content: string, encoding: BufferEncoding = 'utf8') {
  await using folder = await temporaryFolder();
  const file = folder.file(name);
  await writeFile(file, content, encoding);
  const { code, stdout, stderr } = await runToEnd('emulator', '--port', '0', '--seed', file);
  expect([code, stdout]).toEqual([1, '']);
  return stderr.replaceAll(file, name);
}

describe('a JSON file', () => {
  test('puts participants, exams, assignments and results in place', async () => {
    await using run = startCli(['emulator', '--port', '0', '--seed', 'examples/testing/seed.json']);
    const url = await baseUrlOf(run);
    await run.shows('5 participants, 2 exams, 2 results');
    const results = await (await call(url, '/exam-results?exam_id=1&participant_id=2')).json();
    expect(at(results, 'data', 0)).toMatchObject({
      score: '67.50',
      start_at: '2025-03-01T08:00:00+07:00',
      end_at: '2025-03-01T09:25:00+07:00',
    });
    const link = await call(url, '/exam-participants/link?participant_id=3&exam_id=1');
    expect(link.status).toBe(200);
    const participant = await (await call(url, '/participants/5')).json();
    expect(at(participant, 'data')).toMatchObject({ name: 'Leila Haddad', email_verified_at: null });
  });

  test('may begin with a byte order mark, and give a result no score', async () => {
    const json =
      '\uFEFF{"participants":1,"exams":1,"results":[{"participant_id":1,"exam_id":1,"score":null}]}';
    await withSeeds({ 'seed.json': json }, async (_run, url) => {
      const results = await (await call(url, '/exam-results')).json();
      expect(at(results, 'data', 0, 'score')).toBeNull();
    });
  });
});

test.each([
  ['{"participant":[]}', 'Unknown field `participant` (did you mean `participants`?).'],
  [
    '{"results":[{"participant_id":1,"exam_id":1,"end_at":"soon"}]}',
    'results, row 1: `end_at` must be a time like 2025',
  ],
  [
    '{"participants":1,"exams":1,"results":[{"participant_id":1,"exam_id":1,"start_at":"2025-03-02T00:00:00Z","end_at":"2025-03-01T00:00:00Z"}]}',
    'results, row 1: It was finished before it was started.',
  ],
  ['{"exams":[{"id":3},{"id":3}]}', 'exams, row 2: The id 3 is taken.'],
  ['{', 'JSON'],
])('a JSON file that cannot be used is an error that says where: %s', async (content, words) => {
  const stderr = await rejectionOf('seed.json', content);
  expect(stderr).toContain('The seed file seed.json cannot be used: ');
  expect(stderr).toContain(words);
});

describe('a state that another emulator gave', () => {
  test('takes the place of a seed, with its ids, links, secrets and histories', async () => {
    const { state, read } = await (async () => {
      await using run = startCli(['emulator', '--port', '0', '--seed', 'examples/testing/seed.json']);
      const url = await baseUrlOf(run);
      const body = JSON.stringify({ url: 'http://127.0.0.1:1/', events: ['exam_result.completed'] });
      for (let count = 0; count < 2; count += 1) await call(url, '/webhooks', { method: 'POST', body });
      await call(url, '/webhooks/1', { method: 'DELETE' });
      const control = { headers: { 'X-Emulator-Control': '1' } };
      const given = await fetch(url.replace('/api/v1', '/__emulator/state'), control);
      return { state: await given.text(), read: await everything(url) };
    })();
    await withSeeds({ 'state.json': state }, async (run, url) => {
      await run.shows('5 participants, 2 exams, 2 results, 1 webhook');
      expect(await everything(url)).toEqual(read);
      const body = JSON.stringify({ url: 'http://127.0.0.1:2/', events: ['exam_result.completed'] });
      const created = await (await call(url, '/webhooks', { method: 'POST', body })).json();
      expect(at(created, 'data', 'id')).toBe(3);
    });
  });

  test('is rejected after other data, which it would take the place of', async () => {
    await using folder = await temporaryFolder();
    await writeFile(folder.file('state.json'), JSON.stringify(createEmulator().snapshot()));
    const { code, stderr } = await runToEnd('emulator', '--demo', '--seed', folder.file('state.json'));
    expect(code).toBe(1);
    expect(stderr).toContain('name it first, without --demo.');
  });
});

/** What the service shows of its data, with a link. */
async function everything(url: string): Promise<unknown[]> {
  const link = '/exam-participants/link?participant_id=3&exam_id=1';
  const paths = ['/participants', '/exams', '/exam-results', '/webhooks', link];
  return Promise.all(paths.map(async (path) => at(await (await call(url, path)).json(), 'data')));
}

test('files are added to each other', async () => {
  const files = {
    'people.json': '{"participants":[{"email":"a@example.test"}]}',
    'rest.json': '{"exams":2,"assignments":[{"participant_id":1,"exam_id":2}]}',
  };
  await withSeeds(files, async (run) => run.shows('1 participant, 2 exams'));
});

test('a file that is not there is an error', async () => {
  const { code, stderr } = await runToEnd('emulator', '--seed', 'nowhere.json');
  expect(code).toBe(1);
  expect(stderr).toContain('The seed file nowhere.json cannot be used: ENOENT: ');
});

test('a file in another encoding is an error, as its names would be garbled', async () => {
  const stderr = await rejectionOf('people.json', '{"participants":[{"name":"Zoë"}]}', 'latin1');
  expect(stderr).toMatch(/^The seed file people\.json cannot be used: .*utf-8/i);
});
