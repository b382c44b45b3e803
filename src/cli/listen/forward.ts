// Signs a recorded delivery again and posts it to the local receiver.

import type { WebhookDelivery } from '../../schemas/webhook-types.ts';
import { signWebhook } from '../../testing/sign.ts';
import { innermostMessage } from '../../util/errors.ts';
import { escapeSlashes, escapeUnicode } from '../../util/php-json.ts';
import { deliveredBy } from '../../webhooks/deduplicate/event-key.ts';

const TIMEOUT_MS = 30_000;

/** What the receiver responds to a delivery: a status, or why there is none. */
export type ForwardResult = { readonly status: number } | { readonly error: string };

/** Delivers a record as the service would: its body encoded as PHP does, signed now. */
export async function forward(
  delivery: WebhookDelivery,
  { url, secret, stop }: { readonly url: string; readonly secret: string; readonly stop: AbortSignal },
): Promise<ForwardResult> {
  const body = escapeUnicode(escapeSlashes(JSON.stringify(deliveredBy(delivery))));
  const headers = { 'Content-Type': 'application/json', 'X-Cbt-Signature': signWebhook({ body, secret }) };
  const signal = AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    stop.throwIfAborted();
    return { error: innermostMessage(error) };
  }
}
