import { readFile, writeFile } from 'node:fs/promises';
import { Queue } from 'bullmq';
import { createClient } from 'redis';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEmulator, type Emulator, type EmulatorServer } from '../../src/testing/index.ts';
import { startExample } from '../receivers/recipe.ts';
import { createRedisServer, describeWithRedis, type RedisServer, startDetour } from '../receivers/redis.ts';
import { apiKey, makeFolder, runExample } from './helpers.ts';

const patiently = { timeout: 60_000, interval: 5 };

// `describeWithRedis` says whether Redis may be missing; these servers are their own.
describeWithRedis('the campaign and a Redis that comes and goes', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let redis: RedisServer;
  let connection: ReturnType<typeof createClient>;
  let queue: Queue;
  let emulator: Emulator;
  let service: EmulatorServer;
  let env: Record<string, string>;

  beforeEach(async () => {
    folder = await makeFolder();
    redis = await createRedisServer();
    await redis.start();
    connection = createClient({ url: redis.url });
    await connection.on('error', () => {}).connect();
    queue = new Queue('exam-campaign', { connection });
    queue.on('error', () => {});
    emulator = createEmulator({ apiKey });
    emulator.control.seedExams(1);
    service = await emulator.listen();
    env = { REDIS_URL: redis.url, EXAM_SERVICE_BASE_URL: service.url, EXAM_SERVICE_API_KEY: apiKey };
  });

  afterEach(async () => {
    await queue.close();
    connection.destroy();
    await redis[Symbol.asyncDispose]();
    await service.close();
    await folder.remove();
  });

  const run = (part: 'plan' | 'status', ...args: string[]) =>
    runExample(`campaign/${part}.ts`, args, service.url, env);

  /** Writes a plan of exam 1 for the participants from `first` to `last`. */
  async function planFile(name: string, first: number, last: number): Promise<string> {
    const pairs = Array.from({ length: last - first + 1 }, (_, index) => `${first + index},1\n`);
    await writeFile(folder.file(name), `participant_id,exam_id\n${pairs.join('')}`);
    return folder.file(name);
  }

  test('a plan that was cut off is reported, also when every pair of it has ended, and planned again', async () => {
    emulator.control.seedParticipants(3_000);
    const file = await planFile('pairs.csv', 1, 3_000);
    {
      await using detour = await startDetour(redis.url);
      const cut = new AbortController();
      const planning = runExample(
        'campaign/plan.ts',
        [file, '--rate', '9000'],
        service.url,
        {
          ...env,
          REDIS_URL: detour.url,
        },
        cut.signal,
      );
      const firstBatch = async () => {
        const note = await connection.hGet('exam-campaign:plans', file);
        return note != null && JSON.parse(note).planned > 0;
      };
      await vi.waitUntil(firstBatch, patiently);
      detour.block();
      cut.abort();
      await planning;
    }
    await using worker = await startExample('campaign/worker', { ...env, CONCURRENCY: '32' });
    const cutOff = await run('status', folder.path, '--forget');
    expect(cutOff.code).toBe(1);
    expect(cutOff.stderr).toMatch(/^[12],000 of 3,000 planned: run plan\.ts again with .*pairs\.csv\.$/m);
    const planned = await queue.getJobCountByTypes();
    expect(planned).toBeGreaterThanOrEqual(1_000);
    expect(planned).toBeLessThan(3_000);

    expect(await worker.stop()).toBe(0);
    const again = await run('plan', file);
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${planned} were planned already.`),
    });
    expect(await queue.getJobCountByTypes()).toBe(3_000);
    // The rest is not worked through here.
    await queue.drain();
    expect(await run('status', folder.path, '--forget')).toMatchObject({ code: 0, stderr: '' });
    expect(await connection.keys('*exam-campaign*')).toEqual([]);
  });

  test('two concurrent plans count each pair for one of them', async () => {
    const files = [await planFile('one.csv', 1, 2_000), await planFile('two.csv', 1_001, 3_000)];
    const outputs = await Promise.all(files.map((file) => run('plan', file)));
    const counts = outputs.map(({ stdout }) => {
      const [, added, known] = /Added (\d+) pairs; (\d+) were planned already\./.exec(stdout) ?? [];
      expect(Number(added) + Number(known)).toBe(2_000);
      return Number(added);
    });
    expect(counts.reduce((sum, count) => sum + count)).toBe(3_000);
    expect(await queue.getJobCountByTypes()).toBe(3_000);
  });

  test('plan, workers and status go on after Redis was restarted', async () => {
    emulator.control.seedParticipants(600);
    const file = await planFile('pairs.csv', 1, 600);
    await run('plan', file, '--rate', '600');
    await using worker = await startExample('campaign/worker', env);
    const status = run('status', folder.path);
    for (const completed of [100, 300]) {
      await vi.waitUntil(async () => (await queue.getCompletedCount()) >= completed, patiently);
      await redis.stop();
      await redis.start();
    }
    const planning = run('plan', file);
    const { code, stdout, stderr } = await status;
    expect({ code, stdout }, stderr).toEqual({
      code: 0,
      stdout: expect.stringContaining('Assigned 600, failed 0, left 0'),
    });
    expect(stderr).toContain('Redis: ');
    // Messages, and no stack.
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(await planning).toMatchObject({ code: 0 });
    expect(emulator.snapshot().last_ids.assignment).toBe(600);
    const links = (await readFile(folder.file('campaign-links.csv'), 'utf8')).trimEnd().split('\n');
    expect(links).toHaveLength(601);
    expect(await worker.stop()).toBe(0);
    expect(worker.errors.filter((line) => /^\s/.test(line))).toEqual([]);
  });
});
