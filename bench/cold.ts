// Compares what it takes to import a client and to make its first request, each time in a new process.

import { execFileSync } from 'node:child_process';
import { clients } from './contenders.ts';
import { type Comparison, toComparison } from './ratios.ts';

const PAIRS = 15;
/** Processes of each in a pair. */
const BATCH = 3;

/** Prints CPU time in microseconds: on a busy machine, time on the clock is that of others. */
const scriptOf = (name: string) => `
  const fetch = async () => Response.json({ object: 'list', has_more: false, data: [] });
  const create = ${clients[name]};
  const before = process.cpuUsage();
  const { list } = await create(fetch, 'http://127.0.0.1:9');
  await list();
  const { user, system } = process.cpuUsage(before);
  console.log(user + system);`;

function timeOf(name: string): number {
  const options = ['--input-type=module', '--eval', scriptOf(name)];
  return Number(execFileSync(process.execPath, options, { cwd: import.meta.dirname, encoding: 'utf8' }));
}

/** The import and first request of `name`, beside those of `other`. */
export function compareStarts(name: string, other: string): Comparison {
  const ratios = Array.from({ length: PAIRS }, () => {
    let [time, otherTime] = [0, 0];
    for (let count = 0; count < BATCH; count += 1) {
      time += timeOf(name);
      otherTime += timeOf(other);
    }
    return time / otherTime;
  });
  return toComparison(ratios);
}
