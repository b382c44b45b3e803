// Measures the CPU time of calls of one client: `node cpu.ts <client> <rows> <calls>`, in microseconds a call. One, because what
// several leave in a process slows each down, and nobody runs seven.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { createContenders } from './peers.ts';
import { rowOf } from './rows.ts';

const [name = '', rows, calls] = process.argv.slice(2);
const data = Array.from({ length: Number(rows) }, (_, index) => {
  const row = { ...rowOf(index), id: index + 1 };
  // Mistral's schema wants texts as ids; the rest is the same.
  return name === 'mistral' ? { ...row, id: `exam-${row.id}` } : row;
});
const meta = { current_page: 1, last_page: 1, per_page: 100, total: data.length };
const body = JSON.stringify({ object: 'list', has_more: false, data, ...(name !== 'mistral' && { meta }) });
const headers = { 'content-type': 'application/json' };

const contender = createContenders('http://127.0.0.1:9', async () => {
  // Comes in a later turn, like anything from a network: within one turn nothing that a weak reference saw is freed.
  await nextTurn();
  return new Response(body, { headers });
})[name];

/** Until all that runs often is compiled, and most of that time after it. */
const end = performance.now() + 2_500;
let best = Number.POSITIVE_INFINITY;
while (performance.now() < end) {
  const before = process.cpuUsage();
  for (let call = 0; call < Number(calls); call += 1) await contender?.list();
  const { user, system } = process.cpuUsage(before);
  best = Math.min(best, (user + system) / Number(calls));
}
console.log(best);
