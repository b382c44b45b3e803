// Compares the package with its peers in CPU time, speed, bundle size and cold start: `npm run bench`.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { measureColdStart } from './cold.ts';
import { measureIteration } from './iterate.ts';
import { measureBlock, measureLimit } from './limit.ts';
import { createContenders } from './peers.ts';
import { measureBundles, measureInstall, measureTypes } from './sizes.ts';

// Every figure stands beside the floor and the peers of the same run, because machines differ and ratios less so.

const results: Record<string, unknown> = {
  machine: {
    node: process.version,
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    date: new Date().toISOString(),
  },
};

function show(title: string, figures: Record<string, number>, digits = 1, reference?: string): void {
  results[title] = figures;
  const base = reference === undefined ? undefined : figures[reference];
  console.log(`\n${title}`);
  console.table(
    Object.fromEntries(
      Object.entries(figures).map(([name, value]) => [
        name,
        {
          value: Number(value.toFixed(digits)),
          ...(base !== undefined && { [`times ${reference}`]: Number((value / base).toFixed(2)) }),
        },
      ]),
    ),
  );
}

function table(title: string, figures: Record<string, Record<string, number>>): void {
  results[title] = figures;
  console.log(`\n${title}`);
  console.table(figures);
}

function runScript(name: string, ...args: string[]): string {
  const script = join(import.meta.dirname, name);
  return execFileSync(process.execPath, ['--expose-gc', script, ...args], { encoding: 'utf8' });
}

/** The least of four processes of each; they take turns, so that a busy moment of the machine meets all alike. */
function measureCpu(rows: number, calls: number): Record<string, number> {
  const names = Object.keys(createContenders('http://127.0.0.1:9', fetch));
  const times: Record<string, number> = {};
  for (let run = 0; run < 4; run += 1) {
    for (const name of names.filter((each) => !each.includes('ahead'))) {
      const time = Number(runScript('cpu.ts', name, String(rows), String(calls)));
      times[name] = Math.min(times[name] ?? Number.POSITIVE_INFINITY, time);
    }
  }
  return times;
}

function measureMemory(what: string): Record<string, number> {
  const { items, growth, seconds } = JSON.parse(runScript('memory.ts', what));
  return { items, 'growth, MB': growth / 1e6, seconds };
}

show('CPU time of a call with 1 row, µs', measureCpu(1, 1_000), 1, 'ky');
show('CPU time of a call with 100 rows, µs', measureCpu(100, 300), 1, 'floor');
show('Items a second over 200 pages at 20 ms latency', await measureIteration(), 0, 'openai');
table('A rate limit', await measureLimit());
show('Longest block of the event loop, 50,000 calls waiting and 50 rejected at once, ms', {
  'exam-service-sdk': await measureBlock(),
});
const coldStart = measureColdStart();
show('Cold import in a new process, ms', coldStart.load, 1, 'openai');
show('Cold import and a first request in a new process, ms', coldStart.call, 1, 'openai');
show('Bundle, bytes after gzip', await measureBundles(), 0, 'ky');
table('Install', measureInstall());
table('Type-check of a file that imports it', measureTypes());
show('Import of 1,000,000 participants', measureMemory('import'));
show('Import of 1,000,000 participants that are all rejected', measureMemory('reject'));
show('Assignment of 100,000 pairs with their links', measureMemory('assign'));
show('Iteration over 1,000,000 results', measureMemory('iterate'));

const file = join(import.meta.dirname, 'results.json');
writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
console.log(`\nWritten to ${file}`);
