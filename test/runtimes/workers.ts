import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { Miniflare, type WorkerOptions } from 'miniflare';
import { expect, test } from 'vitest';
import { ExamClient } from '../../src/index.ts';
import { apiKey, expectToGuard, startEmulator } from '../proxy/helpers.ts';
import { deliveries, rejectedLines, secret } from '../receivers/deliveries.ts';
import { completed } from '../webhooks/helpers.ts';

/** Workers in workerd: the recipes, and the proxy in front of a page. `checks` has what the packed package does there. */

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The part of a KV namespace in use. */
interface Namespace {
  list(): Promise<{ keys: { name: string }[] }>;
  get(key: string, type: 'json' | 'text'): Promise<unknown>;
}

/** Bundles a Worker with the built package and runs it. `lines` is what it logs. */
async function startWorker(source: BuildOptions, options: Partial<WorkerOptions> = {}) {
  const { outputFiles = [] } = await build({
    ...source,
    bundle: true,
    format: 'esm',
    conditions: ['workerd', 'worker'],
    write: false,
  });
  const lines: string[] = [];
  const miniflare = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.js', contents: outputFiles.map(({ text }) => text).join() }],
    compatibilityDate: '2026-07-01',
    host: '127.0.0.1',
    cf: false,
    ...options,
    handleStructuredLogs({ message }: { message: string }) {
      lines.push(message);
    },
  });
  return { worker: miniflare, lines, [Symbol.asyncDispose]: () => miniflare.dispose() };
}

test.each([
  ['without compatibility flags', []],
  ['with Node compatibility', ['nodejs_compat']],
])('%s the receiver keeps the result of a signed delivery, and rejects all others', async (_, flags) => {
  await using started = await startWorker(
    { entryPoints: [`${root}examples/receivers/cloudflare-worker.ts`] },
    {
      compatibilityFlags: flags,
      bindings: { EXAM_SERVICE_WEBHOOK_SECRET: secret },
      kvNamespaces: ['RESULTS'],
    },
  );
  const { worker, lines } = started;
  const sent = deliveries();
  for (const [kind, status, text, delivery] of sent) {
    const response = await worker.dispatchFetch('http://worker.test/', {
      method: 'POST',
      ...delivery.toNodeParts(),
    });
    expect({ status: response.status, text: await response.text() }, kind).toEqual({ status, text });
  }
  const { RESULTS } = await worker.getBindings<{ RESULTS: Namespace }>();
  const names = (await RESULTS.list()).keys.map(({ name }) => name);
  expect(names).toEqual([expect.stringMatching(/^invalid:[0-9a-f]{64}$/), 'result:7']);
  expect(await RESULTS.get(String(names[0]), 'text')).toBe(await sent.at(-1)?.[3].toRequest().text());
  expect(await RESULTS.get('result:7', 'json')).toEqual(completed.data);
  await expect.poll(() => lines, { timeout: 60_000 }).toEqual(rejectedLines.slice(0, -1));
});

test('the recipe for a proxy guards the results of participants', async () => {
  await using service = await startEmulator();
  await using started = await startWorker(
    { entryPoints: [`${root}examples/proxies/cloudflare-worker.ts`] },
    { bindings: service.env },
  );
  await expectToGuard((path, headers = {}) =>
    started.worker.dispatchFetch(`http://worker.test/api/v1${path}`, { headers }),
  );
  expect(service.emulator.requests).toHaveLength(1);
});

/** A Worker with the proxy. */
const proxyWorker = (baseUrl: string) => `
  import { createProxyHandler } from 'exam-service-sdk/proxy';
  const proxy = createProxyHandler({
    baseUrl: ${JSON.stringify(baseUrl)},
    apiKey: ${JSON.stringify(apiKey)},
    allow: ['exams.list', 'examResults.list', 'participants.import'],
    authorize: (request, { operation }) =>
      operation === 'examResults.list' ? { query: { participant_id: 1 } } : request.headers.has('cookie') || null,
  });
  export default { fetch: (request) => proxy(request) };
`;

test('the proxy serves the client of a page, without a compatibility flag', async () => {
  await using service = await startEmulator();
  await using started = await startWorker({
    stdin: { contents: proxyWorker(service.env.EXAM_SERVICE_BASE_URL), resolveDir: root },
  });
  const { worker } = started;
  const client = new ExamClient({
    baseUrl: 'https://worker.test/api/v1',
    apiKey: null,
    maxRetries: 0,
    headers: { cookie: 'session=1' },
    fetch: async (address, { signal: _, ...init }) => {
      const response = await worker.dispatchFetch(address, init);
      return new Response(await response.text(), {
        status: response.status,
        headers: Object.fromEntries(response.headers),
      });
    },
  });
  expect((await client.exams.list()).data).toHaveLength(2);
  expect((await client.examResults.list({ participant_id: 2 })).data).toMatchObject([
    { participant: { id: 1 } },
  ]);
  await client.participants.import([
    { email: 'ana@example.test', name: 'Ana', password: 'first-password-1' },
  ]);
  await expect(client.participants.list()).rejects.toMatchObject({ status: 403 });
  const rejected = await worker.dispatchFetch('http://worker.test/api/v1/exams');
  expect([rejected.status, rejected.headers.get('cache-control')]).toEqual([401, 'no-store']);
  const foreign = await worker.dispatchFetch('http://worker.test/api/v1/exams', {
    headers: { 'sec-fetch-site': 'cross-site', cookie: 'session=1' },
  });
  expect(foreign.status).toBe(403);
  expect(service.emulator.requests).toHaveLength(3);
  for (const { headers } of service.emulator.requests) {
    expect(headers['x-client-key']).toBe(apiKey);
    expect(headers).not.toHaveProperty('cookie');
  }
});
