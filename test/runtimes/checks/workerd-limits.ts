import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Miniflare } from 'miniflare';
import type { ExamClient } from '../../../src/index.ts';
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
  '60 at once, maxConcurrency 2, beside Node',
  '1,000 at once, beside Node',
] as const;

/** How many times as long as in Node calls may take in a worker, by the latency of the service in milliseconds. */
const mostTimes: ReadonlyArray<readonly [latency: number, times: number]> = [
  [100, 4],
  [30, 6],
];

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
      const entry = pathToFileURL(join(project.installed, 'dist', 'index.js')).href;
      const { ExamClient }: typeof import('../../../src/index.ts') = await import(entry);
      return {
        ...(await runWith(2, 8, date, code)),
        ...(await runWith(undefined, 80, date, code)),
        '60 at once, maxConcurrency 2, beside Node': await compare(60, 2, date, code, ExamClient),
        '1,000 at once, beside Node': await compare(1_000, undefined, date, code, ExamClient),
      };
    },
  }));
}

/** A service, and a worker whose client calls it for each visitor. */
async function start(maxConcurrency: number | undefined, date: string, code: string, latencyMs: number) {
  let rejections = 0;
  const server = createServer(async (request, response) => {
    await setTimeout(latencyMs);
    const isRejected = rejections > 0;
    rejections -= Number(isRejected);
    response.setHeader('Content-Type', 'application/json');
    if (isRejected) response.setHeader('Retry-After', '1');
    response.writeHead(isRejected ? 429 : 200).end(`{"id":${request.url?.split('/').at(-1)}}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  const runtime = new Miniflare({
    modules: [
      { type: 'ESModule', path: 'main.js', contents: main },
      { type: 'ESModule', path: 'worker.js', contents: code },
    ],
    compatibilityDate: date,
    bindings: {
      BASE_URL: baseUrl,
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
  return {
    baseUrl,
    visit,
    visitAtOnce,
    rejectNext() {
      rejections = 1;
    },
    ready: runtime.ready,
    async [Symbol.asyncDispose]() {
      await runtime.dispose();
      server.close();
      server.closeAllConnections();
    },
  };
}

async function runWith(
  maxConcurrency: number | undefined,
  count: number,
  date: string,
  code: string,
): Promise<Findings> {
  await using worker = await start(maxConcurrency, date, code, latency);
  const { visit, visitAtOnce } = worker;
  const atOnce = await visitAtOnce(count);
  worker.rejectNext();
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
}

/** Whether calls of many visitors take little longer than those of one process, which knows when a slot is free. */
async function compare(
  count: number,
  maxConcurrency: number | undefined,
  date: string,
  code: string,
  Client: typeof ExamClient,
): Promise<string> {
  for (const [latencyMs, most] of mostTimes) {
    await using worker = await start(maxConcurrency, date, code, latencyMs);
    const client = new Client({
      baseUrl: worker.baseUrl,
      apiKey: 'key-of-the-worker',
      ...(maxConcurrency !== undefined && { maxConcurrency }),
    });
    await worker.ready;
    const inNode = await timeOf(() =>
      Promise.all(Array.from({ length: count }, (_, index) => client.exams.retrieve(index + 1))),
    );
    let found = '';
    const inWorker = await timeOf(async () => {
      found = await worker.visitAtOnce(count);
    });
    if (found !== 'ok') return found;
    const times = inWorker / inNode;
    if (times > most) return `${times.toFixed(1)} times as long, with responses after ${latencyMs} ms`;
  }
  return 'ok';
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}
