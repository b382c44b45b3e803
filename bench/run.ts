// Compares the package with its peers in CPU time, speed, memory and size: `npm run bench`.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { compareStarts } from './cold.ts';
import { compareIteration } from './iterate.ts';
import { measureBlock, measureLimit } from './limit.ts';
import { type Comparison, toComparison } from './ratios.ts';
import { measureBundles } from './sizes.ts';

const PROCESSES = 7;

const results: Record<string, unknown> = {
  machine: {
    node: process.version,
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    date: new Date().toISOString(),
  },
};

type Row = number | Comparison | Readonly<Record<string, number>>;

function show(title: string, rows: Readonly<Record<string, Row>>): void {
  results[title] = rows;
  console.log(`\n${title}`);
  console.table(rows);
}

function run(script: string, ...args: string[]): number {
  const path = join(import.meta.dirname, script);
  return Number(execFileSync(process.execPath, ['--expose-gc', path, ...args], { encoding: 'utf8' }));
}

/** The work of `name` beside that of the others, in several processes each: what one compiled, and how, stays as it is. */
function compareCalls(work: string, name: string, ...others: string[]): void {
  const ratiosOf = (other: string) =>
    Array.from({ length: PROCESSES }, () => run('calls.ts', work, name, other));
  const rows = others.map((other) => [other, toComparison(ratiosOf(other))]);
  show(`CPU time for ${work}: ${name}, in times of`, Object.fromEntries(rows));
}

function measureMemory(...works: (readonly [work: string, rows: number])[]): void {
  const rows = works.map(([work, count]) => {
    const bytes = run('memory.ts', work, String(count));
    return [work, { rows: count, 'held, MB': bytes / 1e6, 'bytes a row': bytes / count }];
  });
  show('Memory', Object.fromEntries(rows));
}

const starts = ['ky', 'openai', 'stripe'].map((other) => [other, compareStarts('exam-service-sdk', other)]);
show(
  'CPU time for the import and a first request: exam-service-sdk, in times of',
  Object.fromEntries(starts),
);
compareCalls('a list of 1 row', 'exam-service-sdk', 'fetch alone', 'ky', 'openai', 'stripe');
compareCalls('a list of 100 rows', 'exam-service-sdk', 'fetch alone', 'ky', 'openai', 'stripe');
compareCalls('a delivery of 1 KiB', 'exam-service-sdk/webhooks', 'node:crypto alone', 'stripe');
show('Time for 50 pages at 20 ms: exam-service-sdk, in times of', await compareIteration());
show('A rate limit', await measureLimit());
show('Longest turn of the event loop, 50,000 calls waiting and 50 rejected at once, ms of CPU', {
  'exam-service-sdk': await measureBlock(),
});
measureMemory(['importAll', 1_000_000], ['assignAll', 100_000], ['list', 1_000_000]);
show('Bundle for a browser, bytes after gzip', await measureBundles());

const file = join(import.meta.dirname, 'results.json');
writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
console.log(`\nWritten to ${file}`);
