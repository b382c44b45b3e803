/**
 * A receiver in a Koa 3 application.
 *
 *   npm ci && npm run build && npm run install:recipes
 *   EXAM_SERVICE_WEBHOOK_SECRET=… PORT=3000 npm --prefix examples/receivers/frameworks run koa
 *
 * The receiver reads the Node request itself, so no body parser may come before it: here each route has its own. Koa leaves a
 * response alone that has been sent.
 */
import type { AddressInfo } from 'node:net';
import { bodyParser } from '@koa/bodyparser';
import { Router } from '@koa/router';
import { createWebhookHandler, toNodeListener } from 'exam-service-sdk/webhooks';
import Koa from 'koa';
import { keepInvalid } from '../keep-invalid.ts';

const { EXAM_SERVICE_WEBHOOK_SECRET: secret = '', HOST = '127.0.0.1', PORT = '3000' } = process.env;
/** Time limit of a handler, in milliseconds. */
const timeout = 10_000;

const receive = toNodeListener(
  createWebhookHandler({
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
  }),
);

const router = new Router();
router.post('/webhooks', ({ req, res }) => receive(req, res));
router.post('/exams', bodyParser(), (context) => {
  const { name } = context.request.body as { name: string };
  context.body = { ordered: name };
});

const app = new Koa();
app.use(router.routes());

const server = app.listen(Number(PORT), HOST, () => {
  console.log(`Listening on http://${HOST}:${(server.address() as AddressInfo).port}/webhooks`);
});
process.once('SIGTERM', () => {
  server.close();
  // A connection that sends nothing, or half a request, would hold the process.
  setTimeout(() => server.closeAllConnections(), timeout + 1_000).unref();
});
