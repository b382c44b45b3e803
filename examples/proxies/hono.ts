/**
 * A proxy in a Hono application, here on Node. The proxy and its route are the same wherever Hono runs.
 *
 *   EXAM_SERVICE_BASE_URL=… EXAM_SERVICE_API_KEY=… PORT=3000 npx node examples/proxies/hono.ts
 */
import { serve } from '@hono/node-server';
import { createProxyHandler } from 'exam-service-sdk/proxy';
import { Hono } from 'hono';
import { participantOf } from './session.ts';

const { EXAM_SERVICE_BASE_URL: baseUrl = '', EXAM_SERVICE_API_KEY: apiKey = '', PORT = '3000' } = process.env;

/** Time limit of a request, in milliseconds. */
const timeout = 10_000;

const proxy = createProxyHandler({
  baseUrl,
  apiKey,
  timeout,
  allow: ['exams.list', 'examResults.list'],
  authorize(request, { operation }) {
    const participant_id = participantOf(request);
    if (participant_id === null) return null;
    return operation === 'examResults.list' ? { query: { participant_id } } : true;
  },
});

const app = new Hono();
app.all('/api/v1/*', (context) => proxy(context.req.raw));

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(PORT) }, ({ port }) => {
  console.log(`Listening on http://127.0.0.1:${port}/api/v1`);
});
process.once('SIGTERM', () => {
  server.close();
  // A connection that sends nothing, or half a request, would hold the process. A server of HTTP/2 has no such method.
  const closeAll = () => 'closeAllConnections' in server && server.closeAllConnections();
  setTimeout(closeAll, timeout + 1_000).unref();
});
