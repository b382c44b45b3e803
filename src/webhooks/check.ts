import { bodyNotRaw, bytesOf, signatureOf, type WebhookInput } from './delivery.ts';
import { signatureEngine } from './runtime-engine.ts';
import type { Settings } from './settings.ts';
import { parseSignatureHeader, type SignatureHeader } from './signature-header.ts';
import { WebhookVerificationError } from './verification-error.ts';

/** A delivery whose signature is right. */
export interface VerifiedWebhook {
  /** The bytes that were signed. */
  readonly body: Uint8Array;
  /** `t` of the signature: seconds since 1970. */
  readonly signedAt: number;
}

/** A refusal is returned, as throwing it through several promises costs more than all checks before the cryptography. */
export type Checked = VerifiedWebhook | WebhookVerificationError;

/** Checks a delivery; at once where body and cryptography are at hand. */
export function checkInput(input: WebhookInput, settings: Settings): Checked | Promise<Checked> {
  const signature = signatureOf(input.headers);
  if ('arrayBuffer' in input && !input.bodyUsed) {
    return input.arrayBuffer().then((body) => checkSignature(new Uint8Array(body), signature, settings));
  }
  // Once it is used, a Request's body is a spent stream, and as little raw as a parsed one.
  const body = bytesOf(input.body);
  return body ? checkSignature(body, signature, settings) : bodyNotRaw();
}

/** Grammar, age, signature, in this order: what is malformed or stale costs no cryptography. */
export function checkSignature(
  body: Uint8Array,
  signature: string | undefined,
  settings: Settings,
): Checked | Promise<Checked> {
  const header = checkHeader(signature, settings);
  if (header instanceof WebhookVerificationError) return header;
  const conclude = (matches: boolean): Checked =>
    matches
      ? { body, signedAt: Number(header.timestamp) }
      : new WebhookVerificationError(
          'signature_mismatch',
          'Wrong secret, or not the bytes received: see explainWebhookFailure.',
        );
  const matches = signatureEngine().matches(header, body, settings.secrets);
  return typeof matches === 'boolean' ? conclude(matches) : matches.then(conclude);
}

function checkHeader(
  signature: string | undefined,
  { now, toleranceSeconds }: Settings,
): SignatureHeader | WebhookVerificationError {
  const header = signature && parseSignatureHeader(signature);
  if (!header) {
    return new WebhookVerificationError(
      signature === undefined ? 'header_missing' : 'header_malformed',
      'X-Cbt-Signature must be t=<unix seconds>,v1=<64 hex digits>.',
    );
  }
  const skew = Math.floor(now() / 1000) - Number(header.timestamp);
  if (Math.abs(skew) <= toleranceSeconds) return header;
  return new WebhookVerificationError(
    skew < 0 ? 'timestamp_in_future' : 'timestamp_too_old',
    `Clock minus t: ${skew} s, allowed: ${toleranceSeconds} s.`,
    skew,
  );
}
