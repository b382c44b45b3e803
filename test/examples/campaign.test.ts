import { randomUUID } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { Queue } from 'bullmq';
import { createClient } from 'redis';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEmulator, type Emulator, type EmulatorServer } from '../../src/testing/index.ts';
import { randomOf } from '../helpers/random.ts';
import { injectAtRandom } from '../helpers/random-faults.ts';
import { type Recipe, startExample } from '../receivers/recipe.ts';
import { describeWithRedis } from '../receivers/redis.ts';
import { apiKey, makeFolder, runExample } from './helpers.ts';

const CONCURRENCY = 8;
const forever = Number.POSITIVE_INFINITY;
const patiently = { timeout: 60_000, interval: 20 };
/** The hold of a 429, as opposed to the rate that is always kept. */
const HELD = Number.MAX_SAFE_INTEGER;

describeWithRedis('the campaign', (redisUrl) => {
  const redis = createClient({ url: redisUrl });
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let emulator: Emulator;
  let server: EmulatorServer;
  let queue: Queue;
  let env: Record<string, string>;

  beforeEach(async () => {
    folder = await makeFolder();
    emulator = createEmulator({ apiKey });
    emulator.control.seedExams(1);
    server = await emulator.listen();
    const CAMPAIGN = `test-${randomUUID()}`;
    if (!redis.isOpen) await redis.connect();
    queue = new Queue(CAMPAIGN, { connection: redis });
    env = {
      REDIS_URL: redisUrl,
      CAMPAIGN,
      CONCURRENCY: String(CONCURRENCY),
      EXAM_SERVICE_BASE_URL: server.url,
      EXAM_SERVICE_API_KEY: apiKey,
    };
  });

  afterEach(async () => {
    await queue.close();
    for await (const keys of redis.scanIterator({ MATCH: `*${queue.name}*` })) {
      if (keys.length > 0) await redis.del(keys);
    }
    await redis.close();
    await server.close();
    await folder.remove();
  });

  /** Runs a part of the campaign to its end. */
  const run = (part: 'plan' | 'status', ...args: string[]) =>
    runExample(`campaign/${part}.ts`, args, server.url, env);

  const startWorker = () => startExample('campaign/worker', env);
  const untilCompleted = (count: number) =>
    vi.waitUntil(async () => (await queue.getCompletedCount()) >= count, patiently);
  const untilHeld = () => vi.waitUntil(async () => (await queue.getRateLimitTtl(HELD)) > 0, patiently);
  const countOf = (status: number | null) =>
    emulator.requests.filter((request) => request.status === status).length;

  /** Writes a plan for exam 1, and gives its path. */
  async function planFile(participants: readonly (number | string)[]): Promise<string> {
    const path = folder.file('pairs.csv');
    await writeFile(path, ['participant_id,exam_id', ...participants.map((id) => `${id},1`), ''].join('\n'));
    return path;
  }

  const csv = async (name: string) => (await folder.linesOf(name)).slice(1);

  test('assigns each of 2,000 pairs once, while workers are killed and the service fails', async () => {
    const people = emulator.control.seedParticipants(2_002).map(({ id }) => id);
    emulator.control.setParticipant(501, { active: false });
    emulator.control.setParticipant(502, { verified: false });
    const on = 'examParticipants.assign';
    injectAtRandom(emulator, { seed: 11, requests: 5_000 }, [
      [0.03, { on, effect: 'respond', status: 500, processed: true }],
      [0.02, { on, effect: 'reset', processed: true }],
      [0.01, { effect: 'reset' }],
    ]);
    const tooMany = { effect: 'respond', status: 429, headers: { 'retry-after': '1' } } as const;
    for (const skip of [150, 700, 1_300]) emulator.faults.inject({ ...tooMany, skip });
    // Slow enough for every worker to have its hands full.
    emulator.faults.inject({ times: forever, delay: 30 });
    const file = await planFile([...people, 99_999]);
    expect(await run('plan', file, '--rate', '2000')).toMatchObject({ code: 0, stderr: '' });

    const random = randomOf(20);
    const workers = await Promise.all([startWorker(), startWorker(), startWorker()]);
    const killed: Recipe[] = [];
    try {
      for (const earliest of [100, 600, 1_100]) {
        await untilCompleted(earliest + Math.floor(random() * 400));
        const [victim] = workers.splice(Math.floor(random() * workers.length), 1);
        if (victim === undefined) throw new Error('No worker is left.');
        killed.push(victim);
        expect(await victim.stop('SIGKILL')).toBe('SIGKILL');
        workers.push(await startWorker());
      }
      const again = await run('plan', file);
      expect(again.stdout).toContain('Added 0 pairs; 2003 were planned already.');
      const { code, stdout, stderr } = await run('status', folder.path);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('Assigned 2000, failed 3, left 0');
      expect(await Promise.all(workers.map((worker) => worker.stop()))).toEqual([0, 0, 0]);
    } finally {
      await Promise.all([...workers, ...killed].map((worker) => worker[Symbol.asyncDispose]()));
    }

    const { assignments, last_ids } = emulator.snapshot();
    expect(assignments).toHaveLength(2_000);
    // None was made a second time.
    expect(last_ids.assignment).toBe(2_000);
    const links = assignments.map(
      ({ participant_id, token }) => `${participant_id},1,https://exam.example.test/take/${token}`,
    );
    expect((await csv('campaign-links.csv')).toSorted()).toEqual(links.toSorted());
    expect((await csv('campaign-failures.csv')).toSorted()).toEqual([
      expect.stringMatching(/^501,1,.*not active/),
      expect.stringMatching(/^502,1,.*not verified/),
      expect.stringMatching(/^99999,1,.*No query results/),
    ]);
    const jobs = await queue.getJobs(['completed']);
    expect(jobs.filter(({ stalledCounter }) => stalledCounter > 0).length).toBeGreaterThan(0);
    expect(emulator.requests.length).toBeLessThan(2.5 * 2_003);
    expect(countOf(429)).toBe(3);
  });

  test('holds all workers back after a 429, also one that starts later', async () => {
    const file = await planFile(emulator.control.seedParticipants(200).map(({ id }) => id));
    const limited = { effect: 'respond', status: 429, headers: { 'retry-after': '60' } } as const;
    emulator.faults.inject({ times: forever, ...limited });
    await run('plan', file, '--rate', '10000');
    {
      await using one = await startWorker();
      await using other = await startWorker();
      await untilHeld();
      expect(await one.stop('SIGKILL')).toBe('SIGKILL');
      expect(await other.stop('SIGKILL')).toBe('SIGKILL');
    }
    const sent = emulator.requests.length;
    // None of their slots sent another request after its own 429.
    expect(sent).toBeLessThanOrEqual(2 * CONCURRENCY);
    await using late = await startWorker();
    await vi.waitUntil(async () => (await queue.getRateLimitTtl(HELD)) < 55_000, patiently);
    expect(emulator.requests.length).toBe(sent);

    emulator.faults.clear();
    await queue.removeRateLimitKey();
    await untilCompleted(200);
    expect(emulator.snapshot().last_ids.assignment).toBe(200);
    // A hold counts as no attempt.
    const attempts = (await queue.getJobs(['completed'])).map(({ attemptsMade }) => attemptsMade);
    expect(new Set(attempts)).toEqual(new Set([1]));
    expect(await late.stop()).toBe(0);
  });

  test('keeps to one rate with any number of workers, which a later plan changes', async () => {
    const file = await planFile(emulator.control.seedParticipants(40).map(({ id }) => id));
    // One pair in 400 seconds.
    await run('plan', file, '--rate', '0.005');
    await using one = await startWorker();
    await untilCompleted(1);
    await using other = await startWorker();
    await run('plan', file);
    expect(await queue.getJobCounts()).toMatchObject({ completed: 1, waiting: 39, active: 0 });
    await run('plan', file, '--rate', '1000');
    await untilCompleted(40);
    expect([await one.stop(), await other.stop()]).toEqual([0, 0]);
  });

  test('gives a failed pair all its attempts again with --retry-failed', async () => {
    const ids = emulator.control.seedParticipants(1).map(({ id }) => id);
    const file = await planFile(ids);
    const jobId = `${ids}-1`;
    // As one that has no attempt left.
    await queue.add('ensure', { participant_id: ids[0], exam_id: 1 }, { jobId, attempts: 1 });
    emulator.faults.inject({ times: 1, effect: 'respond', status: 503 });
    await using worker = await startWorker();
    await vi.waitUntil(async () => (await queue.getFailedCount()) === 1, patiently);
    expect(await run('plan', file, '--retry-failed')).toMatchObject({ code: 0, stderr: '' });
    await untilCompleted(1);
    expect(await queue.getJob(jobId)).toMatchObject({ attemptsMade: 1 });
    expect(await worker.stop()).toBe(0);
  });

  test('pauses when the key is rejected, and goes on when it is fixed', async () => {
    const file = await planFile(emulator.control.seedParticipants(60).map(({ id }) => id));
    await run('plan', file, '--rate', '1000');
    emulator.control.setClientActive(false);
    await using worker = await startWorker();
    const paused = await run('status', folder.path, '--forget');
    expect(paused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the service rejected the key'),
    });
    const failed = await queue.getFailedCount();
    expect(failed).toBeGreaterThan(0);
    expect(failed).toBeLessThanOrEqual(CONCURRENCY);
    expect(await queue.getWaitingCount()).toBe(60 - failed);

    emulator.control.setClientActive(true);
    await run('plan', file, '--retry-failed');
    const { code, stdout } = await run('status', folder.path, '--forget');
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Assigned 60, failed 0'),
    });
    expect(await csv('campaign-links.csv')).toHaveLength(60);
    // A link is a secret: the file is for its owner alone, and Redis holds none any more.
    expect((await stat(folder.file('campaign-links.csv'))).mode & 0o777).toBe(0o600);
    expect(await queue.getJobCountByTypes()).toBe(0);
    const later = await run('status', folder.path);
    expect(later).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing is planned') });
    expect(await csv('campaign-links.csv')).toHaveLength(60);
    // What is planned after that is taken up as ever.
    await run('plan', file);
    await untilCompleted(60);
    expect(await worker.stop()).toBe(0);
  });

  test.each([
    ['a word', 'x', /Line 3: participant_id is x/],
    ['nothing', '', /Line 3: participant_id is ;/],
  ])('plans nothing of a file in which an id is %s', async (_kind, id, message) => {
    const { code, stderr } = await run('plan', await planFile([1, id]));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(message) });
    expect(await queue.getJobCountByTypes()).toBe(0);
  });
});
