// Starts the page, its proxy and, unless the environment names a service, an emulator.
//
//   npm run example:browser
import { serve } from '@hono/node-server';
import { createEmulator } from 'exam-service-sdk/testing';
import { createServer } from 'vite';
import { createProxy, type Service } from './proxy.ts';
import { addSampleData } from './sample-data.ts';

const { EXAM_SERVICE_BASE_URL: baseUrl, EXAM_SERVICE_API_KEY: apiKey, PORT = '5173' } = process.env;

async function startEmulator(): Promise<Service> {
  const key = 'browser-example-key';
  const emulator = createEmulator({ apiKey: key });
  addSampleData(emulator.control);
  const { url } = await emulator.listen();
  return { baseUrl: url, apiKey: key };
}

const service = baseUrl && apiKey ? { baseUrl, apiKey } : await startEmulator();

serve({ fetch: createProxy(service).fetch, hostname: '127.0.0.1', port: 0 }, async ({ port }) => {
  const target = `http://127.0.0.1:${port}`;
  const server = await createServer({
    root: import.meta.dirname,
    logLevel: 'warn',
    server: { host: '127.0.0.1', port: Number(PORT), proxy: { '/api': target, '/session': target } },
  });
  await server.listen();
  console.log(
    `Service: ${service.baseUrl}\nPage:    ${server.resolvedUrls?.local[0]}\nSign in as teacher/teacher (all results) or jonas/jonas (their own).`,
  );
});
