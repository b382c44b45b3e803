// Compares the CPU time of two contenders, in this process: `node calls.ts <work> <contender> <other>` prints the median of the ratios.
// They work in turns, in batches so short that whatever else the machine does meets both.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { clients, verifiers } from './contenders.ts';
import { quantile } from './ratios.ts';
import { createDelivery, pageOf } from './service.ts';

/** Microseconds of CPU: until all that runs often is compiled, for each batch, and the number of pairs. */
const WARM_UP = 1_500_000;
const BATCH = 15_000;
const PAIRS = 40;

type Work = (name: string) => Promise<(() => unknown) | undefined>;

function listOf(rows: number): Work {
  const body = pageOf(1, 1, rows);
  const headers = { 'content-type': 'application/json' };
  const answer = async () => {
    // Comes in a later turn, like anything from a network: within one turn nothing that a weak reference saw is freed.
    await nextTurn();
    return new Response(body, { headers });
  };
  return async (name) => (await clients[name]?.(answer, 'http://127.0.0.1:9'))?.list;
}

const works: Readonly<Record<string, Work>> = {
  'a list of 1 row': listOf(1),
  'a list of 100 rows': listOf(100),
  'a delivery of 1 KiB': async (name) => verifiers[name]?.(createDelivery()),
};

const [work = '', ...names] = process.argv.slice(2);
const [first, second] = await Promise.all(names.map((name) => works[work]?.(name)));
if (first === undefined || second === undefined)
  throw new Error(`There is no ${work} of ${names.join(' or ')}.`);

/** CPU time of a batch in microseconds, that of the garbage collector and the compiler included. */
async function timeOf(call: () => unknown, calls: number): Promise<number> {
  const before = process.cpuUsage();
  for (let count = 0; count < calls; count += 1) await call();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

let spent = 0;
let last = 0;
while (spent < WARM_UP) {
  last = (await timeOf(first, 50)) + (await timeOf(second, 50));
  spent += last;
}
const calls = Math.ceil((100 * BATCH) / last);
const ratios: number[] = [];
while (ratios.length < PAIRS) {
  // Each begins every other pair: the second of two collects some garbage of the first.
  const isTurned = ratios.length % 2 === 1;
  const before = isTurned ? await timeOf(second, calls) : 0;
  const time = await timeOf(first, calls);
  ratios.push(time / (isTurned ? before : await timeOf(second, calls)));
}
console.log(quantile(ratios, 0.5));
