// Measures what a limit of the service costs: calls that fail, requests refused for nothing, and time beside the least possible.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ExamClient } from 'exam-service-sdk';

/** Requests admitted in a period, and its length; what comes beyond is answered 429 with the exact wait. */
const ADMITTED = 60;
const PERIOD_MS = 400;

/** What the service counted, and how long the calls took beside the time that the limit itself takes. */
export interface LimitFigures extends Record<string, number> {
  readonly failed: number;
  readonly 'refused, % of requests': number;
  readonly 'times the limit': number;
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

const works: Record<string, readonly [Work, maxConcurrency?: number]> = {
  '1,000 calls at once': [calls(1_000)],
  '3,000 calls, room for 20': [calls(3_000), 20],
  '3,000 calls, room for 50': [calls(3_000), 50],
  'assignAll of 400 at 32': [assignments(400, 32)],
};

/** Each kind of work against a service of its own. */
export async function measureLimit(): Promise<Record<string, LimitFigures>> {
  const figures: Record<string, LimitFigures> = {};
  for (const [name, [work, maxConcurrency]] of Object.entries(works)) {
    const counts = { passed: 0, refused: 0 };
    let endsAt = 0;
    let left = 0;
    const server = createServer((request, response) => {
      request.resume();
      const now = performance.now();
      if (now >= endsAt) [endsAt, left] = [now + PERIOD_MS, ADMITTED];
      left -= 1;
      counts[left >= 0 ? 'passed' : 'refused'] += 1;
      response.setHeader('Content-Type', 'application/json');
      if (left < 0) response.setHeader('Retry-After', String((endsAt - now) / 1_000));
      response.writeHead(left < 0 ? 429 : 200).end('{"id":1}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = new ExamClient({
      baseUrl: `http://127.0.0.1:${port}`,
      apiKey: 'key',
      ...(maxConcurrency !== undefined && { maxConcurrency }),
    });
    const start = performance.now();
    const { failed, requests } = await work(client);
    const time = performance.now() - start;
    server.close();
    server.closeAllConnections();
    figures[name] = {
      failed,
      'refused, % of requests': (100 * counts.refused) / (counts.passed + counts.refused),
      'times the limit': time / ((requests / ADMITTED) * PERIOD_MS),
    };
  }
  return figures;
}
