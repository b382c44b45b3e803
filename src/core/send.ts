// The second step of a call: sends its request, again where that is allowed, until there is an answer. This loop alone
// decides about attempts; the gate decides when they leave, and the wire how.

import { innermostMessage } from '../util/errors.ts';
import { type ByteStream, chunksOf } from '../util/read-stream.ts';
import { failureOf } from './answer/failure.ts';
import { createApiError, isApiError, RateLimitError } from './errors/api-error.ts';
import { type ExamServiceError, isExamServiceError } from './errors/base.ts';
import { TimeoutError, type TimeoutScope } from './errors/request-error.ts';
import { ResponseFormatError } from './errors/response-error.ts';
import type { Ending, Gate, Turn } from './gate.ts';
import type { Notify } from './notify.ts';
import type { Settings } from './options/settings.ts';
import type { Plan } from './plan.ts';
import type { Progress } from './progress.ts';
import { safeCause } from './secrets.ts';
import { backoff, wait, withDeadline, withJitter } from './time.ts';
import type { Wire } from './wire.ts';

/** What the calls of a client are sent with. */
export interface Sender {
  readonly settings: Settings;
  readonly wire: Wire;
  readonly gate: Gate;
  readonly notify: Notify;
}

/** A successful response and its body. */
export interface Received {
  readonly response: Response;
  readonly body: string;
}

/**
 * Sends a call until it is answered.
 *
 * @param isRaw leaves the body of a success unread, for the caller
 */
export async function send(
  plan: Plan,
  progress: Progress,
  { settings, wire, gate, notify }: Sender,
  isRaw: boolean,
): Promise<Received> {
  const { signal } = plan.rules;
  const turn = turnOf(plan, progress);
  for (;;) {
    const arrivedAt = performance.now();
    const period = await gate.enter(turn, progress.attempts > 0);
    progress.begin(performance.now() - arrivedAt);
    let ending: Ending = 'lost';
    let mayReturn = false;
    let failure: unknown;
    try {
      const { milliseconds, onTimeout } = limitOf(plan, progress);
      const take = async (response: Response, attempt: AbortSignal): Promise<Received> => {
        const isRead = response.ok && !response.redirected && !isRaw;
        return { response, body: isRead ? await readBody(response, progress, settings, attempt) : '' };
      };
      const { response, body } = await withDeadline(signal, milliseconds, onTimeout, (attempt) => {
        // The deadline ends with the attempt; a body that is read later follows the caller's own signal.
        const ends = isRaw && signal ? AbortSignal.any([attempt, signal]) : attempt;
        // Not awaited: of a stack's ten frames one has to be the caller's.
        return wire({ plan, progress, signal: ends }).then((response) => take(response, attempt));
      });
      ending = 'answered';
      if (response.ok && !response.redirected) return { response, body };
      failure = await failureOf(plan, progress, settings, response);
      if (isGone(plan, progress, failure)) return { response, body };
      if (failure instanceof RateLimitError) ending = refusalOf(failure, settings);
    } catch (error) {
      failure = error;
      if (progress.status !== null) ending = 'answered';
    } finally {
      mayReturn = gate.leave(turn, period, ending);
    }
    if (signal?.aborted) throw signal.reason;
    if (!isExamServiceError(failure)) throw failure;
    progress.fail(failure);
    const isWaitedFor = typeof ending === 'object';
    const { pauseLeft } = gate;
    const delayMs = isWaitedFor
      ? mayReturn && Math.ceil(pauseLeft)
      : planRetry(plan, progress, settings, failure);
    // Do not begin a wait that the call has no time for: the failure says more than a timeout.
    const comesUntil = performance.now() + Math.max(Number(delayMs), pauseLeft);
    if (delayMs === false || comesUntil >= progress.endsAt - turn.leastLeft) throw failure;
    notify.onRetry?.(plan, { attempt: progress.attempts, error: failure, delayMs });
    if (!isWaitedFor) await wait(delayMs, signal);
  }
}

/** A call that has waited needs a tenth of its time: what is sent with less is cut off, and its outcome unknown. */
const LEAST_SHARE = 0.1;

function turnOf({ rules }: Plan, progress: Progress): Turn {
  const total = rules.totalTimeout || 0;
  return {
    endsAt: progress.endsAt,
    leastLeft: total * LEAST_SHARE,
    maxRefusals: rules.maxRetries,
    signal: rules.signal,
    late(pause) {
      const until = new Date(Date.now() + pause).toISOString();
      const reason =
        pause > 0
          ? `was not sent: the service has asked to wait until ${until} (${Math.ceil(pause)} ms), longer than ` +
            `\`totalTimeout\` (${total} ms) allows.`
          : `was not sent: it waited in line for its \`totalTimeout\` of ${total} ms. Raise it, or \`maxConcurrency\`.`;
      // It ends between two attempts: what became of the last one is known.
      const { outcome } = progress.verdict;
      const told = progress.attempts === 0 ? reason : undefined;
      return new TimeoutError(progress.facts, 'total', total, told, outcome);
    },
    refused(last) {
      // The refusal of another call, as the error of this one.
      const { status, headers, body, serviceMessage, fieldErrors } = last as RateLimitError;
      const response = { status, statusText: '', headers, body };
      return createApiError(progress.facts, response, { message: serviceMessage, fieldErrors });
    },
  };
}

/** The shorter of the times for the attempt and for the call. */
function limitOf({ rules: { timeout, totalTimeout } }: Plan, progress: Progress) {
  const left = progress.endsAt - performance.now();
  const own = timeout || Number.POSITIVE_INFINITY;
  const scope: TimeoutScope = own <= left ? 'attempt' : 'total';
  const limit = Number(scope === 'attempt' ? timeout : totalTimeout);
  return {
    milliseconds: Math.max(0, Math.min(own, left)),
    onTimeout: () => new TimeoutError(progress.facts, scope, limit),
  };
}

/** A refusal that is waited for is no failed attempt; one for longer than `maxRetryAfter` is. */
function refusalOf(error: RateLimitError, { maxRetryAfter }: Settings): Ending {
  return (error.retryAfter ?? 0) > maxRetryAfter ? 'lost' : { waitMs: error.retryAfter, error };
}

/** Whether a DELETE finds nothing after one whose answer was lost. */
function isGone({ operation }: Plan, { facts }: Progress, failure: unknown): boolean {
  return (
    operation.method === 'DELETE' &&
    facts.before !== 'nothing' &&
    isApiError(failure) &&
    failure.status === 404
  );
}

/** Statuses that smaller requests may avoid. */
const tooMuch: readonly number[] = [408, 413, 504];

/** The wait before the next attempt in milliseconds; `false` for no further attempt. */
function planRetry(
  { operation, rules }: Plan,
  progress: Progress,
  { maxRetryAfter }: Settings,
  failure: ExamServiceError,
): number | false {
  progress.failures += 1;
  // A key function that failed is for the caller to call again.
  const isRepeated = failure.retryable && failure.code !== 'configuration';
  if (!isRepeated || progress.failures > rules.maxRetries) return false;
  const isApi = isApiError(failure);
  const isTooMuch = failure.code === 'timeout' || (isApi && tooMuch.includes(failure.status));
  if (operation.isDivisible === true && isTooMuch) return false;
  const retryAfter = isApi ? (failure.retryAfter ?? 0) : 0;
  return retryAfter > maxRetryAfter
    ? false
    : Math.round(Math.max(withJitter(retryAfter), backoff(progress.failures)));
}

/**
 * Reads a body, and stops where it is longer than `maxResponseBytes`.
 *
 * @throws {ResponseFormatError} for a body that is too long or cut short
 */
async function readBody(
  response: Response,
  progress: Progress,
  { maxResponseBytes }: Settings,
  signal: AbortSignal,
): Promise<string> {
  const { status, statusText, headers } = response;
  const fail = (problem: string, options: { readonly retryable?: boolean; readonly cause?: unknown }) =>
    new ResponseFormatError(
      progress.facts,
      { status, statusText, headers, body: '' },
      problem,
      'done',
      options,
    );
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  try {
    // The platform reads a body of known length faster, and tells devtools that it has. Compressed, its length says nothing.
    const length = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY);
    const isShort = length <= maxResponseBytes && !headers.has('content-encoding');
    if (!response.body || isShort) return await response.text();
    for await (const chunk of chunksOf(response.body as ByteStream, signal)) {
      size += chunk.byteLength;
      if (size > maxResponseBytes) break;
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    signal.throwIfAborted();
    const cause = safeCause(error, progress.redact);
    throw fail(`its body was cut short: ${innermostMessage(cause)}`, { cause });
  }
  if (size <= maxResponseBytes) return text + decoder.decode();
  const problem = `its body is longer than \`maxResponseBytes\`, ${maxResponseBytes} bytes`;
  throw fail(problem, { retryable: false });
}
