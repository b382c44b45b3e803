// Compares how long clients take to read a list of 50 pages from a service that takes 20 ms for each.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { clients } from './contenders.ts';
import { type Comparison, toComparison } from './ratios.ts';
import { pageOf } from './service.ts';

const PAGES = 50;
const PER_PAGE = 100;
const LATENCY_MS = 20;
const ROUNDS = 7;

// The service runs on a thread of its own, so that its work does not stand in the way of the client's.
if (!isMainThread) {
  const server = createServer((request, response) => {
    const query = new URL(`http://localhost${request.url}`).searchParams;
    const after = query.get('after') ?? query.get('starting_after');
    const page = after === null ? Number(query.get('page') ?? 1) : Number(after) / PER_PAGE + 1;
    response.setHeader('Content-Type', 'application/json');
    setTimeout(() => response.end(pageOf(page, PAGES, PER_PAGE)), LATENCY_MS);
  });
  server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
}

/** The time of the package, one page after the other, beside that of each peer, and beside its own with 8 pages ahead. */
export async function compareIteration(): Promise<Record<string, Comparison>> {
  const service = new Worker(new URL(import.meta.url));
  const [port] = await once(service, 'message');
  const origin = `http://127.0.0.1:${port}`;

  async function timeOf(name: string, concurrency?: number): Promise<number> {
    const client = await clients[name]?.((input, init) => fetch(input, init), origin);
    const start = performance.now();
    let items = 0;
    for await (const _ of client?.iterate?.(concurrency) ?? []) items += 1;
    if (items !== PAGES * PER_PAGE) throw new Error(`${name} read ${items} items, not ${PAGES * PER_PAGE}.`);
    return performance.now() - start;
  }

  const others: Record<string, () => Promise<number>> = {
    openai: () => timeOf('openai'),
    stripe: () => timeOf('stripe'),
    'itself with 8 pages ahead': () => timeOf('exam-service-sdk', 8),
  };
  const ratios: Record<string, number[]> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, time] of Object.entries(others))
      ratios[name] = [...(ratios[name] ?? []), (await timeOf('exam-service-sdk')) / (await time())];
  }
  await service.terminate();
  return Object.fromEntries(Object.entries(ratios).map(([name, values]) => [name, toComparison(values)]));
}
