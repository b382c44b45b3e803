/**
 * A receiver in a Fastify 5 application.
 *
 *   EXAM_SERVICE_WEBHOOK_SECRET=… PORT=3000 node examples/receivers/fastify.ts
 *
 * Fastify parses JSON by itself; the scope of the receiver gets the bytes instead, and the rest of the application is as ever.
 */
import { createWebhookHandler } from 'exam-service-sdk/webhooks';
import { fastify } from 'fastify';

const { EXAM_SERVICE_WEBHOOK_SECRET: secret = '', HOST = '127.0.0.1', PORT = '3000' } = process.env;

const app = fastify();

const receive = createWebhookHandler({
  secret,
  on: {
    'exam_result.completed': ({ data }) => {
      console.log(`${data.participant.name} finished ${data.exam.name}: ${data.score}`);
    },
  },
  onRejected: ({ code }) => console.warn(`Refused: ${code}`),
  onError: (error) => console.error('Not handled, so it will be delivered again:', error),
});

app.register(async (scope) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
  scope.post<{ Body: Buffer<ArrayBuffer> }>('/webhooks', ({ body, headers: nodeHeaders }) => {
    // Node has joined repeated headers into one text by now.
    const headers = nodeHeaders as Record<string, string>;
    return receive(new Request('http://receiver/webhooks', { method: 'POST', headers, body }));
  });
});

app.post<{ Body: { name: string } }>('/exams', ({ body }) => ({ ordered: body.name }));

console.log(`Listening on ${await app.listen({ host: HOST, port: Number(PORT) })}/webhooks`);
process.once('SIGTERM', () => app.close());
