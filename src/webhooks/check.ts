import { isSameSignature, sign } from './crypto.ts';
import { bytesOf, type Delivery, headerOf } from './delivery.ts';
import { readSettings, type VerifySignatureOptions } from './settings.ts';
import { parseSignatureHeader } from './signature-header.ts';
import { about, WebhookVerificationError, type WebhookVerificationErrorCode } from './verification-error.ts';

/** A delivery whose signature is right. */
export interface VerifiedWebhook {
  /** The bytes that were signed. */
  readonly body: Uint8Array;
  /** `t` of the signature: seconds since 1970. */
  readonly signedAt: number;
}

/**
 * Checks grammar, age and signature, in this order: what is malformed or stale costs no cryptography. A refusal is returned,
 * not thrown: to a receiver it is an answer like any other.
 */
export async function checkDelivery(
  input: Delivery,
  options: VerifySignatureOptions,
): Promise<VerifiedWebhook | WebhookVerificationError> {
  const { secret: secrets, toleranceSeconds, now } = readSettings(options);
  // A consumed body cannot be verified.
  const body =
    'arrayBuffer' in input && !input.bodyUsed
      ? new Uint8Array(await input.arrayBuffer())
      : bytesOf(input.body);
  const refuse = (code: WebhookVerificationErrorCode, message: string, skewSeconds?: number) =>
    about(new WebhookVerificationError(code, message, skewSeconds), input.headers, body);
  if (!body) {
    return refuse(
      'body_not_raw',
      "The body must be raw: express.raw(), Next.js bodyParser: false, Fastify parseAs: 'buffer', Lambda base64 decoded.",
    );
  }
  const signature = headerOf(input.headers);
  const header = signature && parseSignatureHeader(signature);
  if (!header) {
    return refuse(
      typeof signature === 'string' ? 'header_malformed' : 'header_missing',
      'X-Cbt-Signature must be t=<unix seconds>,v1=<64 hex digits>.',
    );
  }
  const { t, v1 } = header;
  const signedAt = Number(t);
  const skew = Math.floor(now() / 1000) - signedAt;
  if (!(Math.abs(skew) <= toleranceSeconds)) {
    return refuse(
      skew < 0 ? 'timestamp_in_future' : 'timestamp_too_old',
      `Clock minus t: ${skew} s, allowed: ${toleranceSeconds} s.`,
      skew,
    );
  }
  for (const secret of secrets) {
    const expected = await sign(secret, t, body);
    if (v1.some((one) => isSameSignature(one, expected))) return { body, signedAt };
  }
  return refuse('signature_mismatch', 'Wrong secret, or the body is not raw: see explainWebhookFailure.');
}
