// Measures how much the heap grows while the client imports, assigns or lists a great many rows.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { ExamClient } from 'exam-service-sdk';

const count = 1_000_000;
const pairCount = 100_000;
const perPage = 100;

/** Answers an import or an assignment with nothing, and a list with the page asked for. */
async function answer(url: string, { method }: { method: string }): Promise<Response> {
  // Comes in a later turn, like anything from a network: within one turn nothing that a weak reference saw is freed.
  await nextTurn();
  if (method === 'POST') {
    return new Response('{"message":"Imported"}', { status: 201 });
  }
  if (url.includes('/link')) return Response.json({ link: 'http://localhost/take/1' });
  const page = Number(new URL(url).searchParams.get('page') ?? 1);
  const data = Array.from({ length: perPage }, (_, index) => ({
    id: (page - 1) * perPage + index + 1,
    score: '87.50',
  }));
  const meta = { current_page: page, last_page: count / perPage, per_page: perPage, total: count };
  return Response.json({ data, meta });
}

const client = new ExamClient({ baseUrl: 'http://localhost/api/v1', apiKey: 'k', fetch: answer });

function* participants() {
  for (let index = 0; index < count; index += 1) {
    yield { email: `p${index}@example.test`, name: `Person ${index}`, password: `password-${index}` };
  }
}

function* pairs() {
  for (let id = 1; id <= pairCount; id += 1) yield { participant_id: id, exam_id: 1 };
}

const work: Record<string, () => Promise<number>> = {
  import: async () => (await client.participants.importAll(participants(), { concurrency: 2 })).imported,
  reject: async () => {
    let rejected = 0;
    await client.participants.importAll(participants(), {
      map: (row) => ({ ...row, name: '' }),
      invalidRows: 'reject',
      onRejected: () => {
        rejected += 1;
        // As waiting for a file would, it lets the sampling below take its turn.
        return rejected % 1_000 === 0 ? nextTurn() : undefined;
      },
    });
    return rejected;
  },
  assign: async () =>
    (await client.examParticipants.assignAll(pairs(), { link: true, concurrency: 8 })).assigned,
  iterate: async () => {
    let items = 0;
    for await (const _ of client.examResults.list({ limit: perPage }, { concurrency: 4 })) items += 1;
    return items;
  },
};

// Run as a process of its own, with --expose-gc: growth of what is really held, in bytes, at its peak.
const run = work[process.argv[2] ?? ''];
if (run === undefined) throw new Error('Say which: import, reject, assign or iterate.');
const used = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed + process.memoryUsage().external;
};
await client.exams.list();
const before = used();
let peak = 0;
const sampling = setInterval(() => {
  peak = Math.max(peak, used() - before);
}, 250);
const start = performance.now();
const items = await run();
clearInterval(sampling);
peak = Math.max(peak, used() - before);
console.log(JSON.stringify({ items, growth: peak, seconds: (performance.now() - start) / 1_000 }));
