import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ExamClient } from '../../src/index.ts';
import { createEmulator, createManualClock } from '../../src/testing/index.ts';
import { runRecipe } from './recipe.ts';

vi.setConfig({ testTimeout: 30_000 });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recovery-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('recover fetches what was missed, then what was never delivered, and changes nothing when run again', async () => {
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
  expect(await webhooks.list()).toMatchObject({ data: [{ is_disabled_by_system: true }] });
  expect((await webhooks.deliveries(endpoint.id)).data).toHaveLength(3);

  const path = join(folder, 'results.ndjson');
  await writeFile(path, '{"id":2,"score":20}\n');
  const env = { EXAM_SERVICE_BASE_URL: server.url, EXAM_SERVICE_API_KEY: 'test-key' };
  const args = [String(endpoint.id), '2025-03-01T00:00:00Z', path];
  const first = await runRecipe('recover', args, env);
  expect(first.stderr).toBe('');
  expect(first.stdout).toBe(
    '3 events were delivered, or tried; 2 results were missing.\n2 more were never delivered.\n',
  );
  const written = await readFile(path, 'utf8');
  expect(
    written
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([2, 1, 3, 4, 5].map((id) => ({ id, score: id * 10 })));
  const second = await runRecipe('recover', args, env);
  expect(second.stdout).toContain('0 results were missing.\n0 more were never delivered.');
  expect(await readFile(path, 'utf8')).toBe(written);
  await server.close();
});
