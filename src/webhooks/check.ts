// Checks a delivery's header, age, body and signature: the core of every verification.

import { isSameSignature, sign } from './crypto.ts';
import { type Delivery, headerOf } from './delivery.ts';
import { readBody } from './read-body.ts';
import { knownSecrets, newSecrets } from './secrets.ts';
import { readSettings, type Settings, type VerifySignatureOptions } from './settings.ts';
import { parseSignatureHeader, type SignatureHeader } from './signature-header.ts';
import { about, WebhookVerificationError } from './verification-error.ts';

/** A delivery with a valid signature. */
export interface VerifiedWebhook {
  /** The bytes that were signed. */
  readonly body: Uint8Array;
  /** `t` of the signature: seconds since 1970. */
  readonly signedAt: number;
}

/**
 * Checks format, age, body and signature in this order: malformed or stale deliveries cost neither reading nor
 * cryptography. A refusal is returned, not thrown: to a receiver it is just another answer.
 */
export async function checkDelivery(
  input: Delivery,
  options: VerifySignatureOptions,
): Promise<VerifiedWebhook | WebhookVerificationError> {
  const settings = readSettings(options);
  const header = checkHeader(input.headers, settings);
  if (header instanceof WebhookVerificationError) return about(header, input.headers);
  const body = await readBody(input, settings);
  if (body instanceof WebhookVerificationError) return about(body, input.headers);
  for (const secrets of [knownSecrets, newSecrets]) {
    for (const secret of await secrets(settings)) {
      const expected = await sign(secret, header.t, body);
      if (header.v1.some((one) => isSameSignature(one, expected)))
        return { body, signedAt: Number(header.t) };
    }
  }
  const error = new WebhookVerificationError(
    'signature_mismatch',
    'Wrong secret, or the body is not raw: see explainWebhookFailure.',
  );
  return about(error, input.headers, body);
}

function checkHeader(
  headers: Delivery['headers'],
  { toleranceSeconds, now }: Settings,
): SignatureHeader | WebhookVerificationError {
  const signature = headerOf(headers);
  const header = signature && parseSignatureHeader(signature);
  if (!header) {
    return new WebhookVerificationError(
      typeof signature === 'string' ? 'header_malformed' : 'header_missing',
      'X-Cbt-Signature must be t=<unix seconds>,v1=<64 hex digits>.',
    );
  }
  const skew = Math.floor(now() / 1000) - Number(header.t);
  if (Math.abs(skew) <= toleranceSeconds) return header;
  return new WebhookVerificationError(
    skew < 0 ? 'timestamp_in_future' : 'timestamp_too_old',
    `Clock minus t: ${skew} s, allowed: ${toleranceSeconds} s.`,
    skew,
  );
}
