/**
 * A receiver in a Hono application, here on Node. The receiver and its route are the same wherever Hono runs.
 *
 *   EXAM_SERVICE_WEBHOOK_SECRET=… PORT=3000 npx node examples/receivers/hono.ts
 *
 * `context.req.raw` is the unread request, so no middleware before this route may read the body.
 */
import { serve } from '@hono/node-server';
import { createWebhookHandler } from 'exam-service-sdk/webhooks';
import { Hono } from 'hono';
import { keepInvalid } from './keep-invalid.ts';

const { EXAM_SERVICE_WEBHOOK_SECRET: secret = '', HOST = '127.0.0.1', PORT = '3000' } = process.env;
/** Time limit of a handler, in milliseconds. */
const timeout = 10_000;

const receive = createWebhookHandler({
  secret,
  timeout,
  on: {
    'exam_result.completed': ({ data }) => {
      console.log(`${data.participant.name} finished ${data.exam.name}: ${data.score}`);
    },
  },
  // Saves a payload that is not as documented: once this returns, the service does not send it again.
  onInvalid: keepInvalid,
  onRejected: ({ reason, message }) => console.warn(`Rejected: ${reason}. ${message}`),
  onError: (error) => console.error('Not handled, so it will be delivered again:', error),
});

const app = new Hono();
app.post('/webhooks', (context) => receive(context.req.raw));
app.post('/exams', async (context) => context.json({ ordered: (await context.req.json()).name }));

const server = serve({ fetch: app.fetch, hostname: HOST, port: Number(PORT) }, ({ port }) => {
  console.log(`Listening on http://${HOST}:${port}/webhooks`);
});
process.once('SIGTERM', () => {
  server.close();
  // A connection that sends nothing, or half a request, would hold the process. A server of HTTP/2 has no such method.
  const closeAll = () => 'closeAllConnections' in server && server.closeAllConnections();
  setTimeout(closeAll, timeout + 1_000).unref();
});
