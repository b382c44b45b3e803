/**
 * A receiver in an Express 5 application.
 *
 *   EXAM_SERVICE_WEBHOOK_SECRET=… PORT=3000 npx node examples/receivers/express.ts
 *
 * The signature is over the bytes that were sent, so the receiver comes before `express.json()`. Where a parser has to come
 * first, keep the bytes for the receiver, up to the receiver's 1 MiB instead of the parser's 100 kB:
 * `express.json({ limit: '1mb', verify: (request, _, bytes) => { request.rawBody = bytes; } })`.
 */
import type { AddressInfo } from 'node:net';
import { createWebhookHandler, toNodeListener } from 'exam-service-sdk/webhooks';
import express from 'express';
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

const app = express();
app.post('/webhooks', toNodeListener(receive));

// From here on bodies are parsed.
app.use(express.json());
app.post('/exams', (request, response) => {
  response.json({ ordered: request.body.name });
});

const server = app.listen(Number(PORT), HOST, (error) => {
  // Express 5 also calls this where it cannot listen, such as on a port that is taken.
  if (error) throw error;
  console.log(`Listening on http://${HOST}:${(server.address() as AddressInfo).port}/webhooks`);
});
process.once('SIGTERM', () => {
  server.close();
  // A connection that sends nothing, or half a request, would hold the process.
  setTimeout(() => server.closeAllConnections(), timeout + 1_000).unref();
});
