/**
 * Rotates the signing secret of an endpoint while its receivers run. Start the receivers, then rotate:
 *
 *   EXAM_SERVICE_WEBHOOK_SECRET=… SECRET_FILE=secret.json PORT=3000 npx node examples/receivers/rotate-secret.ts
 *   EXAM_SERVICE_WEBHOOK_SECRET=… SECRET_FILE=secret.json npx node examples/receivers/rotate-secret.ts 3
 *
 * The second one, with the id of the endpoint, checks that it can write the file, gets a new secret from the service that
 * EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY name, and writes it. The old secret stays valid for a day, for deliveries that
 * were signed before; how long the service retries is undocumented. Only one old secret is kept, so do not rotate again within
 * that day. No receiver is restarted: each reads the file again after `secretTtl`, a second. A delivery that comes before that
 * is rejected, and delivered again.
 */
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ExamClient } from 'exam-service-sdk';
import { createWebhookHandler, toNodeListener } from 'exam-service-sdk/webhooks';
import { checkWritable, readSecrets, writeSecret } from './secret-file.ts';

const { EXAM_SERVICE_WEBHOOK_SECRET: first = '', HOST = '127.0.0.1', PORT = '3000' } = process.env;
const { SECRET_FILE: path = 'webhook-secret.json' } = process.env;
const ONE_DAY_MS = 86_400_000;
/** Time limit of a handler, in milliseconds. */
const timeout = 10_000;
const [endpointId] = process.argv.slice(2);

if (endpointId === undefined) receive();
else {
  await rotate(Number(endpointId)).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}

async function rotate(id: number): Promise<void> {
  // The service shows a new secret once, so the file is tried first. Should this be interrupted between the two, run it again:
  // it makes another secret.
  await checkWritable(path, first);
  const { secret } = await new ExamClient().webhooks.rotateSecret(id);
  await writeSecret(path, secret, first, ONE_DAY_MS);
  console.log(`Endpoint ${id} has a new secret, in ${path}.`);
}

function receive(): void {
  const handle = createWebhookHandler({
    secret: () => readSecrets(path, first),
    secretTtl: 1_000,
    timeout,
    on: {
      'exam_result.completed': ({ data }) => {
        console.log(`${data.participant.name} finished ${data.exam.name}: ${data.score}`);
      },
    },
    // Saves a payload that is not as documented: once this returns, the service does not send it again.
    onInvalid: ({ rawBody }, { eventKey }) => writeFile(`invalid-${eventKey}.json`, rawBody, { flush: true }),
    onRejected: ({ reason, message }) => console.warn(`Rejected: ${reason}. ${message}`),
    onError: (error) => console.error('Not handled, so it will be delivered again:', error),
  });
  const server = createServer(toNodeListener(handle));
  server.listen(Number(PORT), HOST, () => {
    console.log(`Listening on http://${HOST}:${(server.address() as AddressInfo).port}/webhooks`);
  });
  process.once('SIGTERM', () => {
    server.close();
    // A connection that sends nothing, or half a request, would hold the process.
    setTimeout(() => server.closeAllConnections(), timeout + 1_000).unref();
  });
}
