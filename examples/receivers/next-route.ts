/**
 * A receiver as a route handler of the Next.js App Router: copy it to `app/webhooks/route.ts` and set
 * `EXAM_SERVICE_WEBHOOK_SECRET`. It runs on the Node.js runtime, the default, since it writes files; with a table in the place of
 * `keep-invalid.ts`, on both.
 */
import { createWebhookHandler, type WebhookHandler } from 'exam-service-sdk/webhooks';
import { keepInvalid } from './keep-invalid.ts';

let receive: WebhookHandler | undefined;

export async function POST(request: Request): Promise<Response> {
  // Not at the top of the file, as `next build` loads it where the secret need not be known.
  receive ??= createWebhookHandler({
    secret: process.env['EXAM_SERVICE_WEBHOOK_SECRET'] ?? '',
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
  return receive(request);
}
