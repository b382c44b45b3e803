/**
 * A receiver as an endpoint of SvelteKit: copy it to `src/routes/webhooks/+server.ts`, and set `EXAM_SERVICE_WEBHOOK_SECRET`, or
 * take the secret from where the framework keeps the variables of a `.env` file.
 *
 * Other frameworks call `POST` in the same way, with a web request in `request`: an on-demand endpoint of Astro (and
 * `export const prerender = false`), an API route of SolidStart, a server route of TanStack Start (as `POST` of
 * `server.handlers`), a resource route of React Router or Remix (exported as `action`).
 */
import { createWebhookHandler, type WebhookHandler } from 'exam-service-sdk/webhooks';
import { keepInvalid } from './keep-invalid.ts';

let receive: WebhookHandler | undefined;

export async function POST({ request }: { readonly request: Request }): Promise<Response> {
  // Not at the top of the file, as a build may load it where the secret need not be known.
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
