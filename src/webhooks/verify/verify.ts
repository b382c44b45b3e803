// `verifyWebhook` and `verifyWebhookSignature`: for receivers that respond themselves.

import { expectObjects, readOptions, throwInvalid } from '../../core/check.ts';
import { ConfigurationError } from '../../core/errors/base.ts';
import { isObject } from '../../util/json.ts';
import { findUnknownName } from '../../util/suggest.ts';
import type { WebhookInput } from './delivery.ts';
import { schemasByEvent, type WebhookEvent, type WebhookSchemas } from './events.ts';
import { readDelivery } from './read-event.ts';
import { checkDelivery, type VerifiedWebhook } from './signature.ts';
import { signatureOptions, type VerifySignatureOptions } from './signature-options.ts';
import type { WebhookVerificationError } from './verification-error.ts';

/** Options of `verifyWebhook`. */
export interface VerifyWebhookOptions<Schemas extends WebhookSchemas = WebhookSchemas>
  extends VerifySignatureOptions {
  /** Standard Schemas that refine payloads, by event name; their output types become the types of the event. @default none */
  readonly schemas?: Schemas | undefined;
}

/** The result of `safeVerifyWebhook`: `ok` says whether there is an `event` or an `error`; the other one is `null`. */
export type WebhookVerification<Event> =
  | { readonly ok: true; readonly event: Event; readonly error: null }
  | { readonly ok: false; readonly event: null; readonly error: WebhookVerificationError };

/**
 * Verifies a delivery and reads its event. It checks the signature over the raw bytes and rejects deliveries whose
 * timestamp is further from the clock than `toleranceSeconds`. The body of a `Request` is read only after header and age
 * have passed the checks, and the payload is parsed only after the signature has.
 *
 * @throws {WebhookVerificationError} when the delivery is rejected; respond with its `status`
 * @throws {ConfigurationError} when an option is invalid
 *
 * @example
 * ```ts
 * const event = await verifyWebhook({ body: rawBody, headers }, { secret });
 * if (isUnknownEvent(event)) return;
 * if (event.event === 'exam_result.completed') console.log(event.data.score);
 * ```
 */
export async function verifyWebhook<const Schemas extends WebhookSchemas = WebhookSchemas>(
  input: WebhookInput,
  options: VerifyWebhookOptions<Schemas> = {},
): Promise<WebhookEvent<Schemas>> {
  const verification = await safeVerifyWebhook(input, options);
  if (verification.ok) return verification.event;
  throw verification.error;
}

/**
 * Like `verifyWebhook`, but returns the error instead of throwing it.
 *
 * @throws {ConfigurationError} when an option is invalid
 */
export async function safeVerifyWebhook<const Schemas extends WebhookSchemas = WebhookSchemas>(
  input: WebhookInput,
  options: VerifyWebhookOptions<Schemas> = {},
): Promise<WebhookVerification<WebhookEvent<Schemas>>> {
  const table = { ...signatureOptions, schemas: schemasByEvent };
  checkShape('verifyWebhook', input, options);
  const settings = readOptions('the options of verifyWebhook', options, table);
  const read = await readDelivery(input, settings);
  return 'code' in read
    ? { ok: false, event: null, error: read }
    : { ok: true, event: read.event as WebhookEvent<Schemas>, error: null };
}

/**
 * Verifies the signature of a delivery without looking at the payload, for receivers that store or forward the bytes.
 * The body of a `Request` is read only after its header and age have passed the checks.
 *
 * @throws {WebhookVerificationError} when the delivery is rejected
 * @throws {ConfigurationError} when an option is invalid
 */
export async function verifyWebhookSignature(
  input: WebhookInput,
  options: VerifySignatureOptions = {},
): Promise<VerifiedWebhook> {
  checkShape('verifyWebhookSignature', input, options);
  const settings = readOptions('the options of verifyWebhookSignature', options, signatureOptions);
  const checked = await checkDelivery(input, settings);
  if ('code' in checked) throw checked;
  const { body, signedAt } = checked;
  return { body, signedAt };
}

/**
 * Checks what is passed: other packages take `(body, header, secret)`, and frameworks call the body otherwise.
 *
 * @throws {ConfigurationError} that shows the call
 */
function checkShape(name: string, input: unknown, options: unknown): void {
  const shown = `${name} takes ({ body, headers }, { secret })`;
  expectObjects(shown, ArrayBuffer.isView(input) ? undefined : input, options);
  const delivery = input as object;
  if ('body' in delivery && 'headers' in delivery) {
    if (isObject(delivery.headers)) return;
    throwInvalid('headers', 'an object or Headers');
  }
  const unknown = findUnknownName(delivery, ['body', 'headers']);
  const meant = unknown?.endsWith('?)') ? ` Unknown name: ${unknown}.` : '';
  throw new ConfigurationError(`${shown}.${meant}`);
}
