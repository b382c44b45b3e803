/**
 * A receiver as a Cloudflare Worker that keeps results in a KV namespace.
 *
 *   npx wrangler secret put EXAM_SERVICE_WEBHOOK_SECRET
 *   npx wrangler deploy
 *
 * `wrangler.json` binds the namespace as `RESULTS`. No compatibility flag is needed. A repeated delivery writes the same entry
 * again, so nothing has to remember deliveries.
 */
import { createWebhookHandler, type WebhookHandler } from 'exam-service-sdk/webhooks';

interface Env {
  readonly EXAM_SERVICE_WEBHOOK_SECRET: string;
  readonly RESULTS: { put(key: string, value: string | Uint8Array): Promise<void> };
}

let receive: WebhookHandler | undefined;

function createReceiver({ EXAM_SERVICE_WEBHOOK_SECRET: secret, RESULTS }: Env): WebhookHandler {
  return createWebhookHandler({
    secret,
    on: {
      'exam_result.completed': ({ data }) =>
        RESULTS.put(`result:${data.exam_result_id}`, JSON.stringify(data)),
    },
    // Saved before this returns: after that, the service does not send it again.
    onInvalid: ({ rawBody }, { eventKey }) => RESULTS.put(`invalid:${eventKey}`, rawBody),
    onRejected: ({ reason, message }) => console.warn(`Rejected: ${reason}. ${message}`),
    onError: (error) => console.error('Not handled, so it will be delivered again:', error),
  });
}

export default {
  fetch(request: Request, env: Env): Promise<Response> {
    receive ??= createReceiver(env);
    return receive(request);
  },
};
