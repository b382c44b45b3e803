import { checkDelivery, type VerifiedWebhook } from './check.ts';
import type { WebhookInput } from './delivery.ts';
import type { VerifySignatureOptions } from './settings.ts';
import { WebhookVerificationError } from './verification-error.ts';

/**
 * Verifies the signature of a delivery without looking at the payload, for receivers that store or forward the bytes.
 * The body of a `Request` is read only after its header and age have passed the checks.
 *
 * @throws {WebhookVerificationError} when the delivery is refused
 * @throws {ConfigurationError} when an option is invalid
 */
export async function verifyWebhookSignature(
  input: WebhookInput,
  options: VerifySignatureOptions,
): Promise<VerifiedWebhook> {
  const checked = await checkDelivery(input, options);
  if (checked instanceof WebhookVerificationError) throw checked;
  return checked;
}
