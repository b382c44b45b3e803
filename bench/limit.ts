// Measures what a limit of the service costs: calls that fail, requests rejected for nothing, time beside the least possible, and how
// long a queue of calls holds up the event loop.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ExamClient } from 'exam-service-sdk';
import { quantile } from './ratios.ts';

/** What the service counted, and how long the calls took beside the time that the limit itself takes. */
export interface LimitFigures extends Record<string, number> {
  readonly failed: number;
  readonly 'rejected, % of requests': number;
  readonly 'times the limit': number;
}

/** A limit: requests admitted in a period; what comes beyond is a 429 with the wait in seconds. */
interface Limit {
  readonly admitted: number;
  readonly periodMs: number;
  /** Whether every response says how many requests are left. */
  readonly saysRemaining: boolean;
}

type Work = (client: ExamClient) => Promise<{ readonly failed: number; readonly requests: number }>;

function calls(count: number): Work {
  return async (client) => {
    const work = Array.from({ length: count }, (_, index) => client.exams.retrieve(index + 1));
    const settled = await Promise.allSettled(work);
    return { failed: settled.filter(({ status }) => status === 'rejected').length, requests: count };
  };
}

function assignments(count: number, concurrency: number): Work {
  return async (client) => {
    const pairs = Array.from({ length: count }, (_, index) => ({ participant_id: index + 1, exam_id: 1 }));
    const { failed } = await client.examParticipants.assignAll(pairs, { concurrency });
    return { failed, requests: count };
  };
}

const short: Limit = { admitted: 60, periodMs: 400, saysRemaining: false };
const long: Limit = { admitted: 60, periodMs: 5_000, saysRemaining: false };

const works: Record<string, readonly [Limit, Work, maxConcurrency?: number]> = {
  '1,500 calls at once, 60 in 5 s, which says what is left': [{ ...long, saysRemaining: true }, calls(1_500)],
  '1,500 calls at once, 60 in 5 s': [long, calls(1_500)],
  '3,000 calls, 60 in 400 ms, room for 20': [short, calls(3_000), 20],
  'assignAll of 400 at 32, 60 in 400 ms': [short, assignments(400, 32)],
};

/** Each kind of work against a service of its own, all side by side: they wait most of the time. */
export async function measureLimit(): Promise<Record<string, LimitFigures>> {
  const figures = await Promise.all(
    Object.entries(works).map(async ([name, [limit, work, maxConcurrency]]) => [
      name,
      await measure(limit, work, maxConcurrency),
    ]),
  );
  return Object.fromEntries(figures);
}

async function measure(
  { admitted, periodMs, saysRemaining }: Limit,
  work: Work,
  maxConcurrency = 50,
): Promise<LimitFigures> {
  const counts = { accepted: 0, rejected: 0 };
  let endsAt = 0;
  let left = 0;
  const server = createServer((request, response) => {
    request.resume();
    const now = performance.now();
    if (now >= endsAt) [endsAt, left] = [now + periodMs, admitted];
    left -= 1;
    counts[left >= 0 ? 'accepted' : 'rejected'] += 1;
    response.setHeader('Content-Type', 'application/json');
    if (saysRemaining) response.setHeader('X-RateLimit-Remaining', String(Math.max(0, left)));
    if (left < 0) response.setHeader('Retry-After', String((endsAt - now) / 1_000));
    response.writeHead(left < 0 ? 429 : 200).end('{"id":1}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new ExamClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'key', maxConcurrency });
  const start = performance.now();
  const { failed, requests } = await work(client);
  const time = performance.now() - start;
  server.close();
  server.closeAllConnections();
  return {
    failed,
    'rejected, % of requests': (100 * counts.rejected) / (counts.accepted + counts.rejected),
    'times the limit': time / ((requests / admitted) * periodMs),
  };
}

const WAITING = 50_000;
const REJECTED = 50;
const ROUNDS = 5;

/**
 * The longest turn of the event loop, in milliseconds of CPU, when so many requests are rejected together and so many calls wait:
 * the median of some rounds.
 */
export async function measureBlock(): Promise<number> {
  const longest: number[] = [];
  while (longest.length < ROUNDS) longest.push(await longestTurn());
  return quantile(longest, 0.5);
}

async function longestTurn(): Promise<number> {
  const rejections: (() => void)[] = [];
  const fetch = () =>
    new Promise<Response>((resolve) => {
      const headers = { 'Retry-After': '1' };
      rejections.push(() =>
        resolve(Response.json({ message: 'Too Many Attempts.' }, { status: 429, headers })),
      );
    });
  const client = new ExamClient({
    baseUrl: 'http://127.0.0.1',
    apiKey: 'key',
    fetch,
    maxConcurrency: REJECTED,
  });
  const controller = new AbortController();
  const work = Array.from({ length: WAITING }, (_, index) =>
    client.exams.retrieve(index + 1, { signal: controller.signal, totalTimeout: 600_000 }).catch(() => {}),
  );
  while (rejections.length < REJECTED) await new Promise((resolve) => setTimeout(resolve, 10));
  let longest = 0;
  let last = process.threadCpuUsage();
  for (const reject of rejections) reject();
  for (const end = performance.now() + 2_000; performance.now() < end; ) {
    await nextTurn();
    const { user, system } = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    longest = Math.max(longest, (user + system) / 1_000);
  }
  controller.abort('enough');
  await Promise.all(work);
  return longest;
}
