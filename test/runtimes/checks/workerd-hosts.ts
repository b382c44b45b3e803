import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Miniflare } from 'miniflare';
import type { Check, Findings } from '../lib/check.ts';
import { versionOf } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';
import { lostCallSteps, table } from '../lib/hosts.ts';
import { type Service, startService } from '../lib/service.ts';
import { bundleWithEsbuild } from './esbuild.ts';
import { compatibilityDate } from './workerd.ts';

const main = "export { worker as default, Prepared, Rejected } from './worker.js';";

/** A request that has not been heard of for as long as this has ended, in milliseconds. */
const silence = 1_000;

/** What waits for a call in Cloudflare's runtime: a Durable Object that starts, and a request whose response was sent. */
export function workerdHostsCheck(project: ForeignProject): Check {
  return {
    table,
    row: `workerd ${versionOf('workerd')}`,
    columns: ['blockConcurrencyWhile', 'blockConcurrencyWhile, rejected', 'waitUntil', ...lostCallSteps],
    isListed: false,
    async run(signal) {
      await using service = await startService(project);
      const bundle = join(project.folder, 'hosts-worker', 'worker.js');
      const parameters = ['--format=esm', '--conditions=workerd,worker', '--platform=neutral'];
      await bundleWithEsbuild(['scenario/hosts-worker.js', ...parameters, `--outfile=${bundle}`], {
        cwd: project.folder,
        signal,
      });
      const runtime = new Miniflare({
        modules: [
          { type: 'ESModule', path: 'main.js', contents: main },
          { type: 'ESModule', path: 'worker.js', contents: await readFile(bundle, 'utf8') },
        ],
        compatibilityDate,
        bindings: { TEST_ENVIRONMENT: JSON.parse(JSON.stringify(service.environment)) },
        durableObjects: { PREPARED: 'Prepared', REJECTED: 'Rejected' },
      });
      try {
        const get = async (path: string) =>
          (await (await runtime.dispatchFetch(`http://worker.test/${path}`)).json()) as Findings;
        return {
          ...(await get('steps')),
          ...(await get('lost-calls')),
          waitUntil: await checkWaitUntil(service, runtime),
        };
      } finally {
        await runtime.dispose();
      }
    },
  };
}

/** The call must end although the response of its request was sent, and the request must end with the call. */
async function checkWaitUntil({ emulator }: Service, runtime: Miniflare): Promise<string> {
  const count = (operation: string) =>
    emulator.requests.filter((each) => each.operation === operation).length;
  emulator.faults.inject({
    on: 'exams.list',
    times: 1,
    delay: 300,
    effect: 'respond',
    status: 503,
    headers: { 'Retry-After': '1' },
  });
  const before = count('exams.list');
  const { status } = await runtime.dispatchFetch('http://worker.test/wait');
  if (status !== 202) return `status ${status}`;
  const deadline = performance.now() + 10_000;
  let [beats, lastBeatAt] = [0, performance.now()];
  while (performance.now() - lastBeatAt < silence) {
    if (performance.now() > deadline) return 'the request outlived its call';
    await setTimeout(20);
    const now = count('participants.list');
    if (now !== beats) [beats, lastBeatAt] = [now, performance.now()];
  }
  const attempts = count('exams.list') - before;
  if (beats === 0) return 'the request ended immediately';
  return attempts === 2 ? 'ok' : `the call was given up after ${attempts} attempts`;
}
