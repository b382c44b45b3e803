// Whether the emulator stays as fast as its data grows.
//
//   node bench/emulator.ts
//
// 10,000 participants with 100,000 results, against a store of a tenth of that: the time to put them in place, and
// the time for a page of results, the first, the last and the last of a filter, as a function and without a network.
import { createEmulator, type Emulator } from '../src/testing/index.ts';

const PARTICIPANTS = 10_000;
const RESULTS_EACH = 10;
const EXAMS = 20;
const ROUNDS = 400;
const WARM_UP = 200;

interface Filled {
  readonly emulator: Emulator;
  readonly seedTime: number;
  readonly results: number;
}

function fill(participants: number): Filled {
  const start = performance.now();
  const emulator = createEmulator();
  emulator.control.seedParticipants(participants);
  emulator.control.seedExams(EXAMS);
  const results = Array.from({ length: participants * RESULTS_EACH }, (_, index) => ({
    participant_id: (index % participants) + 1,
    exam_id: ((index + Math.floor(index / participants)) % EXAMS) + 1,
    score: index % 101,
  }));
  emulator.control.seedResults(results);
  return { emulator, seedTime: performance.now() - start, results: results.length };
}

/** The median time of a request, in microseconds. */
async function timeOf(emulator: Emulator, path: string): Promise<number> {
  const url = `https://exams.example.test/api/v1${path}`;
  const times: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const start = performance.now();
    const response = await emulator.fetch(url, { headers: { 'X-Client-Key': 'test-key' } });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path} is answered with ${response.status}.`);
    if (round >= WARM_UP) times.push(performance.now() - start);
  }
  return (times.toSorted((a, b) => a - b)[ROUNDS / 2] ?? Number.NaN) * 1000;
}

function pages({ results }: Filled): [name: string, path: string][] {
  return [
    ['first page of results', '/exam-results?limit=100'],
    ['last page of results', `/exam-results?limit=100&page=${results / 100}`],
    ['last page of an exam', `/exam-results?limit=100&exam_id=7&page=${results / EXAMS / 100}`],
    ['a participant and an exam', '/exam-results?participant_id=7&exam_id=7'],
  ];
}

const small = fill(PARTICIPANTS / 10);
const large = fill(PARTICIPANTS);
console.log(
  `${large.results} results of ${PARTICIPANTS} participants in place after ${large.seedTime.toFixed(0)} ms`,
);

console.log(
  `${'median, in µs'.padEnd(28)}${'a tenth'.padStart(10)}${'all'.padStart(10)}${'ratio'.padStart(8)}`,
);
const sizes = pages(large);
for (const [index, [name, path]] of sizes.entries()) {
  const before = await timeOf(small.emulator, pages(small)[index]?.[1] ?? path);
  const after = await timeOf(large.emulator, path);
  const ratio = (after / before).toFixed(2);
  console.log(
    `${name.padEnd(28)}${before.toFixed(0).padStart(10)}${after.toFixed(0).padStart(10)}${ratio.padStart(8)}`,
  );
}
