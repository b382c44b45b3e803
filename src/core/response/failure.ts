// The error for a response that is not a success, with as much of its body as it takes to explain it; and for a success
// whose body is incomplete.

import { copyError, innermostMessage } from '../../util/errors.ts';
import { discard, readText } from '../../util/read-stream.ts';
import { tryOrUndefined } from '../../util/try-or-undefined.ts';
import type { AnyApiError } from '../errors/api-error.ts';
import { isPlatformLimit, PLATFORM_LIMIT } from '../errors/connection-failure.ts';
import { toVerdict } from '../errors/request-error.ts';
import { RedirectError, type ResponseFacts, ResponseFormatError } from '../errors/response-error.ts';
import type { Settings } from '../options/client-settings.ts';
import type { CallFacts, Plan } from '../plan.ts';
import { withDeadline } from '../time.ts';
import type { RawResponse } from '../wire.ts';
import { createApiError } from './api-error.ts';
import { readDetails } from './error-body.ts';

/** Maximum bytes read of an error body: a failing service may send any amount. */
const ERROR_BODY_LIMIT = 64 * 1024;
/** A 422 may name every row of an import. */
const VALIDATION_BODY_LIMIT = 1024 * 1024;
/** How long to wait for the body of an error; its status says enough. */
const ERROR_BODY_WAIT_MS = 5_000;

/** The error of a response that is not a success, or whose body is incomplete. The attempt ends at `endsAt`. */
export async function failureOf(
  call: CallFacts,
  { maxResponseBytes }: Settings,
  { response, readError }: RawResponse,
  endsAt: number,
): Promise<AnyApiError | RedirectError | ResponseFormatError> {
  const { plan } = call;
  const { status, statusText, headers } = response;
  const facts: ResponseFacts = { request: call, status, statusText, headers, body: '' };
  if (isRedirect(response)) {
    discard(Object(response.body));
    return redirectError(facts, readLocation(response, plan.url));
  }
  if (response.ok) {
    if (readError === undefined) {
      const problem = `its body is longer than \`maxResponseBytes\`, ${maxResponseBytes} bytes`;
      return new ResponseFormatError(facts, problem, 'done', { retryable: false });
    }
    const cause = copyError(readError.cause, call.redact);
    const problem = `its body was cut short: ${innermostMessage(cause)}`;
    const advice = isPlatformLimit(cause) ? PLATFORM_LIMIT : '';
    return new ResponseFormatError(facts, problem, 'done', { cause, advice });
  }
  const limit = status === 422 ? VALIDATION_BODY_LIMIT : ERROR_BODY_LIMIT;
  const time = Math.min(ERROR_BODY_WAIT_MS, endsAt - performance.now());
  const { text, isWhole } = await readStart(response, limit, time, plan.rules.signal);
  const body = call.withoutKeys(text, !isWhole);
  const details = readDetails(text, isWhole, headers, call.redact);
  return createApiError({ ...facts, body }, details, adviceFor(status, details.origin, plan));
}

/** What to do about a status. */
function adviceFor(status: number, origin: AnyApiError['origin'], { operation, rules }: Plan): string {
  const isOfService = origin === 'service';
  if (status === 401 && rules.isKeyless)
    return 'The client sends no key (`apiKey: null`): does the proxy add it?';
  if (status === 401 && isOfService) return 'Check the API key.';
  if (status === 403 && isOfService)
    return 'The key may be wrong or expired, or the account lacks permission.';
  if (status === 401 || status === 403) return 'If it is, check the API key.';
  if (status === 404 && (!isOfService || operation.response.kind === 'list'))
    return 'Does the base URL end with the version prefix, such as /api/v1?';
  return '';
}

/** A browser reports a redirect that was not followed as opaque; a custom fetch may have followed it. */
function isRedirect(response: Response): boolean {
  const isRedirection = response.status >= 300 && response.status < 400 && response.status !== 304;
  return isRedirection || response.type === 'opaqueredirect' || response.redirected;
}

/** These mean that the request was not carried out here (RFC 9110, section 15.4). */
const movedStatuses = new Set([301, 307, 308]);

function redirectError(response: ResponseFacts, location: string | null): RedirectError {
  const { request, status } = response;
  const safe = location === null ? null : request.redact(location);
  // A 302 or 303 can also follow an accepted form; a followed or hidden redirect can be any of these.
  const isRejected = request.operation.method === 'GET' || movedStatuses.has(status);
  const target = safe === null ? '' : ` to ${safe}`;
  const advice =
    'Check the scheme, host and prefix of the base URL, and whether paths have to end with a slash.';
  const reason = `returned a redirect${target}, which is not followed, because the API key would be sent along.`;
  const verdict = toVerdict(request, isRejected ? 'rejected' : 'unknown', false);
  return new RedirectError(response, safe, reason, verdict, advice);
}

/** Where a redirect points, without the parts of a URL that may be secret: credentials, query and fragment. */
function readLocation(response: Response, requested: string): string | null {
  const location = response.redirected ? response.url : response.headers.get('location');
  if (location === null) return null;
  const { origin, pathname } = tryOrUndefined(() => new URL(location, requested)) ?? {};
  return pathname === undefined || origin === 'null' ? null : origin + pathname;
}

/** Reads a body until time or space runs out, or the caller's signal aborts. */
async function readStart(
  response: Response,
  limit: number,
  timeLeft: number,
  parent: AbortSignal | undefined,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const read = { text: '', isWhole: false };
  try {
    read.isWhole = await withDeadline(parent, timeLeft, (signal) => readText(response, limit, read, signal));
  } catch {
    // A connection that breaks here loses part of the explanation; the status is what counts.
  }
  return read;
}
