// Checks a delivery's header, age, body and signature: the core of every verification.

import type { Delivery } from '../../node/incoming.ts';
import { isSame, sign } from './crypto.ts';
import { headerOf, readBody } from './delivery.ts';
import { readSecrets } from './secrets.ts';
import type { SignatureSettings } from './signature-options.ts';
import { attachDelivery, WebhookVerificationError } from './verification-error.ts';

/** A delivery with a valid signature. */
export interface VerifiedWebhook {
  /** The bytes that were signed. */
  readonly body: Uint8Array;
  /** When it was signed, by `t` of the signature. */
  readonly signedAt: Date;
}

/** The same with its age: the clock minus `t`, in seconds. */
export type CheckedDelivery = VerifiedWebhook & { readonly skewSeconds: number };

/**
 * Checks format, age, body and signature in this order: malformed or stale deliveries cost neither reading nor
 * cryptography. A rejection is returned, not thrown: to a receiver it is just another response.
 */
export async function checkDelivery(
  input: Delivery,
  settings: SignatureSettings,
): Promise<CheckedDelivery | WebhookVerificationError> {
  const { toleranceSeconds, now } = settings;
  const header = readSignature(input.headers);
  if ('code' in header) return attachDelivery(header, input);
  const signedAt = Number(header.t);
  const skewSeconds = Math.floor(now() / 1000) - signedAt;
  const untimely = checkAge(skewSeconds, toleranceSeconds);
  if (untimely) return attachDelivery(untimely, input);
  const body = await readBody(input, settings);
  if ('code' in body) return attachDelivery(body, input);
  for (const secret of await readSecrets(settings.secret, settings.secretTtl, now())) {
    const expected = await sign(secret, header.t, body);
    for (const given of header.v1)
      if (isSame(given, expected)) return { body, signedAt: new Date(signedAt * 1000), skewSeconds };
  }
  const message = "`secret` is not this endpoint's, or the body was changed.";
  return attachDelivery(new WebhookVerificationError('signature_mismatch', message), input, body);
}

/** Why a delivery that is this old, or this early, is rejected. Written so that a clock that is not a number accepts nothing. */
export function checkAge(skewSeconds: number, limitSeconds: number): WebhookVerificationError | undefined {
  if (Math.abs(skewSeconds) <= limitSeconds) return undefined;
  const [code, age] =
    skewSeconds < 0 ? (['timestamp_in_future', 'early'] as const) : (['timestamp_too_old', 'old'] as const);
  const message = `The delivery is ${Math.abs(skewSeconds)} s ${age} (limit ${limitSeconds} s): check this machine's clock.`;
  return new WebhookVerificationError(code, message, skewSeconds);
}

/** Room for twice sixteen signatures. */
const MAX_HEADER_LENGTH = 2048;
/** A rotation needs two; more would only make forged requests expensive. */
const MAX_SIGNATURES = 16;

/** One entry: `t` in seconds (a number holds twelve digits exactly), `v1`, or any other key with a value. */
const entryPattern = /^(?:t=([1-9]\d{0,11})|v1=([\da-f]{64})|(?!t=|v1=)[^\s,=]+=[^\s,]*)$/;

/** `t` as received, since the signature covers its characters, and every `v1` of the header, or why there is none. */
export function readSignature(headers: Delivery['headers']) {
  const header = headerOf(headers);
  if (typeof header !== 'string') {
    const message = 'X-Cbt-Signature is missing: does a proxy drop it?';
    return new WebhookVerificationError('header_missing', message);
  }
  const message = 'X-Cbt-Signature must be t=<unix seconds>,v1=<64 hex digits>.';
  return parse(header) ?? new WebhookVerificationError('header_malformed', message);
}

/**
 * Undefined for a header that breaks the grammar: entries `key=value` separated by a comma and optional spaces, exactly one
 * `t`, one to sixteen `v1` of 64 lowercase hexadecimal digits, other keys ignored.
 */
function parse(header: string) {
  if (header.length > MAX_HEADER_LENGTH) return undefined;
  let t: string | undefined;
  const v1: string[] = [];
  for (const part of header.split(/, */)) {
    const entry = entryPattern.exec(part);
    if (!entry || (t && entry[1])) return undefined;
    t ??= entry[1];
    if (entry[2]) v1.push(entry[2]);
  }
  return t && v1[0] && !v1[MAX_SIGNATURES] ? { t, v1 } : undefined;
}
