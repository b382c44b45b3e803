/**
 * A receiver on `node:http`, for one process.
 *
 *   EXAM_SERVICE_WEBHOOK_SECRET=… PORT=3000 npx node examples/receivers/node-http.ts
 *
 * The memory store handles a repeated delivery once, as long as this process lives; several processes share the store of
 * `redis-deduplication.ts`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMemoryStore, createWebhookHandler, toNodeListener } from 'exam-service-sdk/webhooks';
import { keepInvalid } from './keep-invalid.ts';

const { EXAM_SERVICE_WEBHOOK_SECRET: secret = '', HOST = '127.0.0.1', PORT = '3000' } = process.env;
const ONE_DAY = 86_400;
/** Time limit of a handler, in milliseconds. */
const timeout = 10_000;

const receive = toNodeListener(
  createWebhookHandler({
    secret,
    timeout,
    deduplication: { store: createMemoryStore(), ttlSeconds: ONE_DAY },
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

const server = createServer((request, response) => {
  // The address may have a query.
  if (request.url?.split('?')[0] === '/webhooks') receive(request, response);
  else response.writeHead(404).end();
});
server.listen(Number(PORT), HOST, () => {
  console.log(`Listening on http://${HOST}:${(server.address() as AddressInfo).port}/webhooks`);
});

// Deliveries in progress still get a response.
process.once('SIGTERM', () => {
  server.close();
  // A connection that sends nothing, or half a request, would hold the process.
  setTimeout(() => server.closeAllConnections(), timeout + 1_000).unref();
});
