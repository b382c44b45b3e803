// Measures what the client holds of the rows of a job or a list: `node --expose-gc memory.ts <work> <rows>` prints the most, in bytes.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { ExamClient } from 'exam-service-sdk';
import { pageOf } from './service.ts';

const MEASUREMENTS = 20;
const PER_PAGE = 100;

const [work = '', rows = 0] = [process.argv[2], Number(process.argv[3])];

const client = new ExamClient({
  baseUrl: 'http://127.0.0.1:9/api/v1',
  apiKey: 'benchmark-key',
  async fetch(url, { method }) {
    await nextTurn();
    if (method === 'POST') return new Response('{"message":"Accepted"}', { status: 201 });
    const page = Number(new URL(url).searchParams.get('page') ?? 1);
    return new Response(pageOf(page, rows / PER_PAGE, PER_PAGE));
  },
});

/** Bytes that something still holds. */
async function measureHeap(): Promise<number> {
  for (let round = 0; round < 5; round += 1) {
    globalThis.gc?.();
    // What a weak reference saw is held for the rest of the turn.
    await nextTurn();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

let before = 0;
let most = 0;
let reached = 0;

/** Measures while the work waits: a timer hardly ever gets its turn beside it. */
async function onRow(count: number): Promise<void> {
  if (count % (rows / MEASUREMENTS) !== 0) return;
  most = Math.max(most, (await measureHeap()) - before);
  reached = count;
}

function* people() {
  for (let index = 0; index < rows; index += 1)
    yield { email: `p${index}@example.test`, name: `Person ${index}`, password: `password-${index}` };
}

function* pairs() {
  for (let id = 1; id <= rows; id += 1) yield { participant_id: id, exam_id: 1 };
}

const works: Record<string, () => Promise<unknown>> = {
  importAll: () =>
    client.participants.importAll(people(), { onProgress: ({ processed }) => onRow(processed) }),
  assignAll: () => client.examParticipants.assignAll(pairs(), { onResult: ({ index }) => onRow(index + 1) }),
  list: async () => {
    for await (const { id } of client.exams.list({ limit: PER_PAGE })) await onRow(id);
  },
};

await client.exams.list();
before = await measureHeap();
await works[work]?.();
if (reached !== rows) throw new Error(`${work} ended after ${reached} of ${rows} rows.`);
console.log(most);
