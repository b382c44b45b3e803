// `explainWebhookFailure`: says why a delivery is rejected and what to change.

import { expectObjects, type OptionTable, readOptions, throwInvalid } from '../../core/check.ts';
import { ConfigurationError } from '../../core/errors/base.ts';
import type { Delivery } from '../../node/incoming.ts';
import { bytesOf } from '../../util/bytes.ts';
import { tagOf } from '../../util/json.ts';
import { notRaw, readBody, type WebhookInput, type WebhookParts } from '../verify/delivery.ts';
import { environmentSecret, mistakeIn, uncheckedSecrets } from '../verify/secrets.ts';
import { checkAge, checkDelivery, readSignature } from '../verify/signature.ts';
import { signatureOptions, type VerifySignatureOptions } from '../verify/signature-options.ts';
import {
  rejectedDelivery,
  type WebhookRejectionReason,
  WebhookVerificationError,
} from '../verify/verification-error.ts';
import { bodyCandidates, toJson } from './bodies.ts';
import { isUnset, search, secretCandidates } from './search.ts';

/** Options of `explainWebhookFailure`. */
export interface ExplainOptions extends VerifySignatureOptions {
  /**
   * The secrets in use; a missing one is reported as such.
   * @default the environment variable EXAM_SERVICE_WEBHOOK_SECRET
   */
  readonly secret?: VerifySignatureOptions['secret'];
  /** Secrets of other endpoints, or earlier ones, that may have been mixed up. @default none */
  readonly otherSecrets?: readonly string[] | undefined;
}

/** Why a delivery is rejected. Never contains a secret, a signature or any part of the payload. */
export interface WebhookFailureExplanation {
  /**
   * Why the delivery was rejected; `configuration` when an option is invalid, `null` when the signature is right or nothing was
   * rejected.
   */
  readonly reason: WebhookRejectionReason | 'configuration' | null;
  /** The mistakes that together explain the rejection, a sentence each. Empty when none of the usual ones does. */
  readonly changes: readonly string[];
  /** The explanation in a sentence or two. */
  readonly message: string;
}

/**
 * Finds out why a delivery is rejected. Pass the error that `onRejected` or `onError` receives, or the delivery itself: a
 * `Request`, whose body is read, or headers and a body, which may be parsed. It knows the ten usual mistakes: a body that was
 * parsed and serialised again, that gained or lost whitespace at its ends, or that something read before; a secret that is
 * not set, is padded, is quoted, has lost or gained its prefix, or belongs to another endpoint; a clock that is off; and a
 * header that was dropped or rewritten on the way.
 *
 * It is a tool to find mistakes in your setup: it accepts no delivery, its result is not meant for the sender, and it
 * computes dozens of signatures, which for a body of 1 MiB takes a noticeable part of a second.
 *
 * @throws {ConfigurationError} when an option other than `secret` is invalid
 */
export async function explainWebhookFailure(
  failure:
    | WebhookVerificationError
    | WebhookInput
    | { readonly body: unknown; readonly headers: WebhookParts['headers'] },
  options: ExplainOptions = {},
): Promise<WebhookFailureExplanation> {
  expectObjects('explainWebhookFailure takes (error, { secret })', options);
  const given = readOptions('the options of explainWebhookFailure', options, {
    ...signatureOptions,
    // Not checked, since a secret padded with whitespace is one of the mistakes.
    secret: (secret) => secret ?? environmentSecret(),
    otherSecrets: (others: unknown = [], name: string): readonly string[] =>
      Array.isArray(others) ? others : throwInvalid(name, 'a list of strings'),
  } satisfies OptionTable<ExplainOptions>);
  const error = failure instanceof WebhookVerificationError ? failure : undefined;
  // An error of an HTTP library may have headers, but is no delivery.
  const input = error ? rejectedDelivery(error) : tagOf(failure) === 'Error' ? undefined : failure;
  const { headers, body: sent, bodyUsed } = Object(input) as Delivery;
  if (!headers) {
    if (error) return ownWords(error);
    if (failure instanceof ConfigurationError) return ownWords(failure);
    const message =
      'This is neither a rejection nor a delivery with headers: the handler failed, or something around it.';
    return { reason: null, changes: [], message };
  }
  // Certain, whatever else is wrong.
  const isParsed = bodyUsed === undefined && !bytesOf(sent);
  const lost = isParsed ? [notRaw().message] : [];
  const header = readSignature(headers);
  if ('code' in header) return ownWords(header, lost);
  const signedAt = Number(header.t);
  // The clock when the delivery was rejected: an error may be explained later.
  const now = error ? () => (signedAt + (error.skewSeconds ?? 0)) * 1000 : given.now;
  const skew = Math.floor(now() / 1000 - signedAt);
  const untimely = checkAge(skew, given.toleranceSeconds);
  const clock = untimely ? [untimely.message] : [];
  if (error && !error.body && !isParsed) {
    const { changes, message } = ownWords(error, clock);
    return { reason: error.reason, changes, message: `${message} The signature was not checked.` };
  }
  const body = isParsed
    ? (toJson(sent) ?? 'null')
    : (error?.body ?? (await readBody(input as Delivery, given)));
  if (typeof body === 'object' && 'code' in body) return ownWords(body);
  const secrets = await uncheckedSecrets(given.secret);
  if ('code' in secrets) return ownWords(secrets, lost);
  const delivery: Delivery = { body: isParsed ? sent : body, headers };
  const settings = { ...given, now, secret: secrets as readonly string[] };
  const rejection = mistakeIn(secrets) ?? (await checkDelivery(delivery, settings));
  if (!('code' in rejection)) {
    const payload = error?.reason === 'payload_invalid' ? ` ${error.message}` : '';
    return { reason: null, changes: [], message: `The signature is right as it is.${payload}` };
  }
  const found = await search(header, bodyCandidates(body), secretCandidates(secrets, given.otherSecrets));
  const reason = reasonOf(rejection);
  if (!found) {
    return { reason, changes: lost, message: [...lost, likelyCause(secrets, body), ...clock].join(' ') };
  }
  const changes = [...lost, ...found, ...clock];
  return changes.length === 0 ? ownWords(rejection) : { reason, changes, message: changes.join(' ') };
}

/** What an error says itself, after the mistakes that are certain. */
function ownWords(
  error: ConfigurationError | WebhookVerificationError,
  changes: readonly string[] = [],
): WebhookFailureExplanation {
  const message = [...new Set([...changes, error.message])].join(' ');
  return { reason: reasonOf(error), changes, message };
}

function reasonOf(error: ConfigurationError | WebhookVerificationError) {
  return error.code === 'configuration' ? error.code : error.reason;
}

function likelyCause(secrets: readonly unknown[], body: Uint8Array | string): string {
  if (secrets.every(isUnset))
    return 'No secret is set: is EXAM_SERVICE_WEBHOOK_SECRET set where the receiver runs?';
  // Of a body that was parsed, the text is only what it may have been.
  if (typeof body === 'string') return 'Without the raw bytes, the secret cannot be checked.';
  if (body.length === 0) return 'The body is empty: something read it before the receiver.';
  return 'No usual mistake explains the signature: the secret belongs to another endpoint, or the body was rewritten.';
}
