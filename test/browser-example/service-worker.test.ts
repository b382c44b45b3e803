import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect } from 'vitest';
import { createProxyHandler } from '../../src/proxy/index.ts';
import { createEmulator } from '../../src/testing/index.ts';
import { toNodeListener } from '../../src/webhooks/index.ts';
import { hasBrowser, launchBrowser } from '../console/browser.ts';
import { longTest } from '../helpers/long-test.ts';

const apiKey = 'the-key-that-no-page-may-see';
const root = fileURLToPath(new URL('../../', import.meta.url));

/** A service worker that lists exams for its page, and says how another operation fails. */
const worker = `
  import { ExamClient } from 'exam-service-sdk';
  const client = new ExamClient({ baseUrl: new URL('/api/v1', location.origin), apiKey: null, maxRetries: 0 });
  addEventListener('install', () => skipWaiting());
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('message', async ({ ports: [port] }) => {
    const exams = await client.exams.list().toArray({ maxItems: 10 });
    const error = await client.participants.list().catch((reason) => reason);
    port.postMessage({ ids: exams.map(({ id }) => id), name: error.name, status: error.status });
  });
`;

longTest.skipIf(!hasBrowser)('the client reads through the proxy in a module service worker', async () => {
  const { outputFiles } = await build({
    stdin: { contents: worker, resolveDir: root },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  const emulator = createEmulator({ apiKey });
  emulator.control.seedExams(3);
  const service = await emulator.listen();
  const sites: unknown[] = [];
  const proxy = toNodeListener(
    createProxyHandler({
      baseUrl: service.url,
      apiKey,
      allow: ['exams.list'],
      authorize: ({ headers }) => {
        sites.push(headers.get('sec-fetch-site'));
        return true;
      },
    }),
  );
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/api/')) return void proxy(request, response);
    const isWorker = request.url === '/worker.js';
    response.setHeader('content-type', isWorker ? 'text/javascript' : 'text/html');
    response.end(
      isWorker ? outputFiles.map(({ text }) => text).join() : '<!doctype html><title>Page</title>',
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const launched = await launchBrowser();
  try {
    const page = await launched.browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const response = await page.evaluate(async () => {
      await navigator.serviceWorker.register('/worker.js', { type: 'module' });
      const { active } = await navigator.serviceWorker.ready;
      const { port1, port2 } = new MessageChannel();
      const said = new Promise((resolve) => {
        port1.onmessage = ({ data }) => resolve(data);
      });
      active?.postMessage(null, [port2]);
      return said;
    });
    expect(response).toEqual({ ids: [1, 2, 3], name: 'PermissionDeniedError', status: 403 });
    expect(sites).toEqual(['same-origin']);
    expect(emulator.requests.map(({ headers }) => headers['x-client-key'])).toEqual([apiKey]);
  } finally {
    await launched[Symbol.asyncDispose]();
    server.close();
    server.closeAllConnections();
    await service.close();
  }
});
