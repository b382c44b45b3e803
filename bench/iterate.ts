// Measures how fast the package and its peers read a list of 200 pages.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createContenders } from './peers.ts';

const pages = 200;
const perPage = 100;

/** Items a second over 200 pages with 20 ms latency, by contender. */
export async function measureIteration(): Promise<Record<string, number>> {
  // On a thread of its own, so that the service's work does not stand in the way of the client's.
  const service = new Worker(new URL('./service.ts', import.meta.url));
  const [port] = await once(service, 'message');
  const contenders = createContenders(`http://127.0.0.1:${port}`, (input, init) => fetch(input, init));
  const rates: Record<string, number> = {};
  for (const [name, { iterate }] of Object.entries(contenders)) {
    if (iterate === undefined) continue;
    const start = performance.now();
    let items = 0;
    for await (const item of iterate()) {
      // Octokit's iterator gives pages.
      items += name === 'octokit' ? (item as { data: { data: unknown[] } }).data.data.length : 1;
    }
    if (items !== pages * perPage)
      throw new Error(`${name} gave ${items} items instead of ${pages * perPage}.`);
    rates[name] = items / ((performance.now() - start) / 1_000);
  }
  await service.terminate();
  return rates;
}
