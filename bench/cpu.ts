import { createContenders } from './peers.ts';
import { rowOf } from './rows.ts';

/** CPU time of one call in microseconds, by contender, for a page of `rows` rows and a fetch that only answers. */
export async function measureCpu(rows: number, calls: number): Promise<Record<string, number>> {
  const data = Array.from({ length: rows }, (_, index) => ({ ...rowOf(index), id: index + 1 }));
  const numbers = { current_page: 1, last_page: 1, per_page: 100, total: rows };
  const plain = JSON.stringify({ object: 'list', has_more: false, data, meta: numbers });
  // Mistral's schema wants texts as ids; the rest is the same.
  const texts = JSON.stringify({
    object: 'list',
    data: data.map((row) => ({ ...row, id: `exam-${row.id}` })),
  });
  const headers = { 'content-type': 'application/json' };
  const answerWith = (body: string) => async () => new Response(body, { headers });
  const { mistral, ...others } = {
    ...createContenders('http://127.0.0.1:9', answerWith(plain)),
    mistral: createContenders('http://127.0.0.1:9', answerWith(texts))['mistral'],
  };
  const contenders = { ...others, mistral };
  const best: Record<string, number> = {};
  for (let round = 0; round < 12; round += 1) {
    for (const [name, contender] of Object.entries(contenders)) {
      if (contender === undefined || name.includes('ahead')) continue;
      const before = process.cpuUsage();
      for (let call = 0; call < calls; call += 1) await contender.list();
      const { user, system } = process.cpuUsage(before);
      best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, (user + system) / calls);
    }
  }
  return best;
}
