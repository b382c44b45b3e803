import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Miniflare } from 'miniflare';
import type { Check, Findings } from '../lib/check.ts';
import { versionOf } from '../lib/command.ts';
import type { ForeignProject } from '../lib/foreign-project.ts';
import { bundleWithEsbuild } from './esbuild.ts';
import { compatibilityDate } from './workerd.ts';

const main = "export { worker as default } from './worker.js';";

/** Since the older one, requests of an isolate may no longer await promises of each other. */
const dates = ['2024-06-01', compatibilityDate];

/** How long the service takes for a response, in milliseconds: long enough that requests meet. */
const latency = 30;

const columns = [
  '8 at once, maxConcurrency 2',
  '80 at once',
  'after a 429',
  'after a visitor who leaves',
  'one alone afterwards',
] as const;

/** A client that lives as long as the isolate: requests share its rate limiter, and must not resolve each other's promises. */
export function workerdLimitsChecks(project: ForeignProject): Check[] {
  return dates.map((date) => ({
    table: 'Limits in a worker',
    row: `workerd ${versionOf('workerd')}, ${date}`,
    columns,
    isListed: false,
    async run(signal) {
      const bundle = join(project.folder, `limits-worker-${date}`, 'worker.js');
      const parameters = ['--format=esm', '--conditions=workerd,worker', '--platform=neutral'];
      await bundleWithEsbuild(['scenario/limits-worker.js', ...parameters, `--outfile=${bundle}`], {
        cwd: project.folder,
        signal,
      });
      const code = await readFile(bundle, 'utf8');
      return { ...(await runWith(2, 8, date, code)), ...(await runWith(undefined, 80, date, code)) };
    },
  }));
}

async function runWith(
  maxConcurrency: number | undefined,
  count: number,
  date: string,
  code: string,
): Promise<Findings> {
  let rejections = 0;
  const server = createServer(async (request, response) => {
    await setTimeout(latency);
    const isRejected = rejections > 0;
    rejections -= Number(isRejected);
    response.setHeader('Content-Type', 'application/json');
    if (isRejected) response.setHeader('Retry-After', '1');
    response.writeHead(isRejected ? 429 : 200).end(`{"id":${request.url?.split('/').at(-1)}}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const runtime = new Miniflare({
    modules: [
      { type: 'ESModule', path: 'main.js', contents: main },
      { type: 'ESModule', path: 'worker.js', contents: code },
    ],
    compatibilityDate: date,
    bindings: {
      BASE_URL: `http://127.0.0.1:${port}`,
      ...(maxConcurrency !== undefined && { MAX_CONCURRENCY: maxConcurrency }),
    },
  });
  const visit = async (id: number, signal?: AbortSignal) => {
    const response = await runtime.dispatchFetch(`http://worker.test/${id}`, { ...(signal && { signal }) });
    const text = await response.text();
    return response.status === 200 && text === `{"id":${id}}`
      ? 'ok'
      : `${response.status}: ${text.slice(0, 200)}`;
  };
  const visitAtOnce = async (visitors: number) => {
    const found = await Promise.all(Array.from({ length: visitors }, (_, index) => visit(index + 1)));
    return found.find((each) => each !== 'ok') ?? 'ok';
  };
  try {
    const atOnce = await visitAtOnce(count);
    rejections = 1;
    const limited = await visitAtOnce(4);
    const leaving = AbortSignal.timeout(latency / 2);
    const left = Array.from({ length: 4 }, () => visit(9, leaving).catch(() => 'ok'));
    const others = await visitAtOnce(4);
    await Promise.all(left);
    const alone = await visit(1);
    return maxConcurrency === undefined
      ? { '80 at once': atOnce }
      : {
          '8 at once, maxConcurrency 2': atOnce,
          'after a 429': limited,
          'after a visitor who leaves': others,
          'one alone afterwards': alone,
        };
  } finally {
    await runtime.dispose();
    server.close();
    server.closeAllConnections();
  }
}
