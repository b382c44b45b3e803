// `verifyWebhook`: verifies a delivery and reads its event, for receivers that answer themselves.

import { checkDelivery } from './check.ts';
import type { WebhookInput } from './delivery.ts';
import type { WebhookEvent, WebhookSchemas } from './events.ts';
import { invalidPayload, parseBody, readEvent } from './read-event.ts';
import type { VerifySignatureOptions } from './settings.ts';
import { about, WebhookVerificationError } from './verification-error.ts';

/** Options of `verifyWebhook`. */
export interface VerifyWebhookOptions<Schemas extends WebhookSchemas = WebhookSchemas>
  extends VerifySignatureOptions {
  /** Standard Schemas that refine payloads, by event name; their output types become the types of the event. */
  readonly schemas?: Schemas | undefined;
}

/** The result of `safeVerifyWebhook`. */
export type WebhookVerification<Event> =
  | { readonly ok: true; readonly event: Event }
  | { readonly ok: false; readonly error: WebhookVerificationError };

/**
 * Verifies a delivery and reads its event. It checks the signature over the raw bytes and rejects deliveries whose
 * timestamp is further from the clock than `toleranceSeconds`. The body of a `Request` is read only after header and age
 * have passed the checks, and the payload is parsed only after the signature has.
 *
 * @throws {WebhookVerificationError} when the delivery is refused; answer with its `status`
 * @throws {ConfigurationError} when an option is invalid
 */
export async function verifyWebhook<const Schemas extends WebhookSchemas = WebhookSchemas>(
  input: WebhookInput,
  options: VerifyWebhookOptions<Schemas>,
): Promise<WebhookEvent<Schemas>> {
  const verification = await safeVerifyWebhook(input, options);
  if (verification.ok) return verification.event;
  throw verification.error;
}

/**
 * Like `verifyWebhook`, but returns a refusal instead of throwing it.
 *
 * @throws {ConfigurationError} when an option is invalid
 */
export async function safeVerifyWebhook<const Schemas extends WebhookSchemas = WebhookSchemas>(
  input: WebhookInput,
  options: VerifyWebhookOptions<Schemas>,
): Promise<WebhookVerification<WebhookEvent<Schemas>>> {
  const checked = await checkDelivery(input, options);
  if (checked instanceof WebhookVerificationError) return { ok: false, error: checked };
  const json = parseBody(checked.body);
  const refuse = (error: WebhookVerificationError) =>
    ({ ok: false, error: about(error, input.headers, checked.body) }) as const;
  if (json instanceof WebhookVerificationError) return refuse(json);
  const { event, issues } = await readEvent(json, options.schemas);
  return issues ? refuse(invalidPayload(issues)) : { ok: true, event };
}
