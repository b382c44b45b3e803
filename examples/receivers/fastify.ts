/**
 * A receiver in a Fastify 5 application. Its handler passes each result on to the service at `FORWARD_URL`, if there is one,
 * and gives up when the sender hangs up.
 *
 *   EXAM_SERVICE_WEBHOOK_SECRET=… PORT=3000 npx node examples/receivers/fastify.ts
 *
 * Fastify parses JSON by itself; in the scope of the receiver it leaves the body alone, and the receiver responds in its place.
 * `signal` then aborts when the connection closes early: the sender hangs up, or `connectionTimeout` is over. The limit for a
 * handler is the receiver's `timeout`, as Fastify's `handlerTimeout` does not apply to such a response. Fastify's own
 * `request.signal` aborts once a body has been read (fastify/fastify#6725).
 */
import { createWebhookHandler, toNodeListener } from 'exam-service-sdk/webhooks';
import { fastify } from 'fastify';
import { keepInvalid } from './keep-invalid.ts';

const { EXAM_SERVICE_WEBHOOK_SECRET: secret = '', HOST = '127.0.0.1', PORT = '3000' } = process.env;
const { FORWARD_URL } = process.env;
/** Time limit of a handler, in milliseconds. */
const timeout = 10_000;

const app = fastify();

const receive = toNodeListener(
  createWebhookHandler({
    secret,
    timeout,
    on: {
      'exam_result.completed': async ({ data }, { signal }) => {
        if (FORWARD_URL) await forward(FORWARD_URL, data, signal);
        console.log(`${data.participant.name} finished ${data.exam.name}: ${data.score}`);
      },
    },
    // Saves a payload that is not as documented: once this returns, the service does not send it again.
    onInvalid: keepInvalid,
    onRejected: ({ reason, message }) => console.warn(`Rejected: ${reason}. ${message}`),
    onError: (error) => console.error('Not handled, so it will be delivered again:', error),
  }),
);

async function forward(url: string, data: object, signal: AbortSignal): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const { status, ok } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(data), signal });
  if (!ok) throw new Error(`${url} responded with ${status}.`);
}

app.register(async (scope) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
  scope.post('/webhooks', async (request, reply) => {
    reply.hijack();
    await receive(request.raw, reply.raw);
  });
});

app.post<{ Body: { name: string } }>('/exams', ({ body }) => ({ ordered: body.name }));

process.once('SIGTERM', () => {
  app.close();
  // A connection that sends nothing, or half a request, would hold the process.
  setTimeout(() => app.server.closeAllConnections(), timeout + 1_000).unref();
});
console.log(`Listening on ${await app.listen({ host: HOST, port: Number(PORT) })}/webhooks`);
