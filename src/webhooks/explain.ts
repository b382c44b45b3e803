import { ConfigurationError } from '../core/errors/configuration-error.ts';
import { checkDelivery } from './check.ts';
import { sign } from './crypto.ts';
import { bytesOf, type Delivery, signatureOf, type WebhookInput, type WebhookParts } from './delivery.ts';
import { bodyCandidates, type Candidate, secretCandidates } from './explain-candidates.ts';
import { DEFAULT_TOLERANCE_SECONDS, type VerifySignatureOptions } from './settings.ts';
import type { SignatureHeader } from './signature-header.ts';
import { WebhookVerificationError, type WebhookVerificationErrorCode } from './verification-error.ts';

/** Options of `explainWebhookFailure`. */
export interface ExplainOptions extends VerifySignatureOptions {
  /** Secrets of other endpoints, or earlier ones, that may have been mixed up. */
  readonly otherSecrets?: readonly string[] | undefined;
}

/** Why a delivery is refused. Holds no secret, no signature and nothing of the payload. */
export interface WebhookFailureExplanation {
  /** Code of the refusal, `configuration` when an option is refused, undefined when the signature is right. */
  readonly code: WebhookVerificationErrorCode | 'configuration' | undefined;
  /** The changes which together would make the signature right; empty when none of those tried does. */
  readonly changes: readonly string[];
  /** The same in a sentence or two. */
  readonly message: string;
}

const MILLISECONDS_DIGITS = 13;

/**
 * Finds out why the signature of a delivery is refused, by undoing the common mistakes. A tool for development: it accepts
 * nothing, and its answer is not for the sender. The body of a `Request` is read; a parsed body is taken as well.
 */
export async function explainWebhookFailure(
  input: WebhookInput | { readonly body: unknown; readonly headers: WebhookParts['headers'] },
  options: ExplainOptions,
): Promise<WebhookFailureExplanation> {
  const isRequest = 'arrayBuffer' in input;
  if (isRequest && input.bodyUsed) {
    return { code: 'body_not_raw', changes: [], message: 'Something read the body of the request before.' };
  }
  const body = isRequest ? await input.arrayBuffer() : input.body;
  const code = await refusalOf({ body, headers: input.headers }, options);
  if (!code) return { code, changes: [], message: 'The signature is right as it is.' };

  const header = readLeniently(signatureOf(input.headers) ?? '');
  if (!header) {
    const message =
      'X-Cbt-Signature holds no timestamp and signature: is it dropped or rewritten on the way?';
    return { code, changes: [], message };
  }
  const clock = clockChange(header, options);
  const { secret, otherSecrets = [] } = options;
  // Unchecked, as a secret that is padded with whitespace is one of the mistakes.
  const secrets = [typeof secret === 'function' ? await secret() : secret].flat();
  const bodies = bodyCandidates(bytesOf(body) ?? JSON.stringify(body) ?? '');
  const found = await search(header, bodies, secretCandidates(secrets, otherSecrets));
  if (!found) {
    const cause = 'the secret is most likely of another endpoint, or the body was rewritten';
    const besides = clock ? ` Besides, it would be refused unless ${clock}.` : '';
    return { code, changes: [], message: `No common mistake explains the signature: ${cause}.${besides}` };
  }
  const changes = [...found];
  if (clock) changes.push(clock);
  if (isInMilliseconds(header)) changes.push('t were in seconds instead of milliseconds');
  else if (code === 'header_malformed') changes.push('X-Cbt-Signature had the documented form');
  return { code, changes, message: `The signature would be right if ${changes.join(', and ')}.` };
}

async function refusalOf(
  parts: Delivery,
  options: ExplainOptions,
): Promise<WebhookFailureExplanation['code']> {
  try {
    const checked = await checkDelivery(parts, options);
    return checked instanceof WebhookVerificationError ? checked.code : undefined;
  } catch (error) {
    if (error instanceof ConfigurationError) return error.code;
    throw error;
  }
}

/** Takes what looks like a timestamp and signatures, whatever surrounds them. */
function readLeniently(header: string): SignatureHeader | undefined {
  const timestamp = /\bt=\s*"?(\d+)/i.exec(header)?.[1];
  const signatures = (header.match(/\b[0-9a-f]{64}\b/gi) ?? []).map((one) => one.toLowerCase());
  return timestamp && signatures.length > 0 ? { t: timestamp, v1: signatures } : undefined;
}

function isInMilliseconds({ t }: SignatureHeader): boolean {
  return t.length >= MILLISECONDS_DIGITS;
}

function clockChange(
  header: SignatureHeader,
  { now = Date.now, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS }: ExplainOptions,
): string | undefined {
  const signedAt = Number(header.t) / (isInMilliseconds(header) ? 1000 : 1);
  const skew = Math.floor(now() / 1000 - signedAt);
  if (Math.abs(skew) <= toleranceSeconds) return undefined;
  return `the clock were ${Math.abs(skew)} s ${skew > 0 ? 'earlier' : 'later'}`;
}

/** The fewest changes under which a signature fits. */
async function search(
  header: SignatureHeader,
  bodies: readonly Candidate<Uint8Array>[],
  secrets: readonly Candidate<string>[],
): Promise<readonly string[] | undefined> {
  const pairs = secrets
    .flatMap((secret) =>
      bodies.map((body) => ({ secret, body, changes: [...secret.changes, ...body.changes] })),
    )
    .sort((a, b) => a.changes.length - b.changes.length);
  for (const { secret, body, changes } of pairs) {
    if (header.v1.includes(await sign(secret.value, header.t, body.value))) return changes;
  }
  return undefined;
}
