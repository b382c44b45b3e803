// The second step of a call: sends its request, again where that is allowed, until there is an answer. This loop alone
// decides about attempts; the gate decides when they leave, and the wire how.

import { innermostMessage } from '../util/errors.ts';
import { type ByteStream, chunksOf } from '../util/read-stream.ts';
import { failureOf } from './answer/failure.ts';
import { createApiError, isApiError, RateLimitError } from './errors/api-error.ts';
import { type ExamServiceError, isExamServiceError } from './errors/base.ts';
import { TimeoutError, type TimeoutScope } from './errors/request-error.ts';
import { ResponseFormatError } from './errors/response-error.ts';
import type { Gate, Turn } from './gate.ts';
import type { Ending } from './limit.ts';
import type { Notify } from './notify.ts';
import type { Settings } from './options/settings.ts';
import type { Plan } from './plan.ts';
import type { Progress } from './progress.ts';
import { safeCause } from './secrets.ts';
import { backoff, wait, withDeadline, withJitter } from './time.ts';
import type { Take, Wire } from './wire.ts';

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

/** What becomes of a successful response. */
interface Receiver<T> {
  /** What aborts the request. */
  signalFor(attempt: AbortSignal): AbortSignal;
  /** Takes it within the attempt's time. */
  take(response: Response, signal: AbortSignal): Promise<T>;
  /** Takes the 404 to a DELETE whose first answer was lost: what was to be deleted is gone. */
  gone(response: Response): T;
}

/** Sends a call and reads the body of its answer as text. */
export function send(plan: Plan, progress: Progress, sender: Sender): Promise<Received> {
  return untilAnswered(plan, progress, sender, {
    signalFor: (attempt) => attempt,
    async take(response, signal) {
      return { response, body: await readBody(response, progress, sender.settings, signal) };
    },
    gone: (response) => ({ response, body: '' }),
  });
}

/** The same, but returns the platform's response with its body unread. */
export function sendForResponse(plan: Plan, progress: Progress, sender: Sender): Promise<Response> {
  const { signal } = plan.rules;
  return untilAnswered(plan, progress, sender, {
    // The deadline ends with the attempt; a body that is read later follows the caller's own signal.
    signalFor: (attempt) => (signal ? AbortSignal.any([attempt, signal]) : attempt),
    take: async (response) => response,
    gone: (response) => response,
  });
}

async function untilAnswered<T>(
  plan: Plan,
  progress: Progress,
  { settings, wire, gate, notify }: Sender,
  receiver: Receiver<T>,
): Promise<T> {
  const { signal } = plan.rules;
  const take: Take<{ readonly value: T } | { readonly response: Response }> = async (
    response,
    attemptSignal,
  ) =>
    response.ok && !response.redirected
      ? { value: await receiver.take(response, attemptSignal) }
      : { response };
  for (;;) {
    const arrivedAt = performance.now();
    const pass = await gate.enter(turnOf(plan, progress));
    progress.heldBackMs = performance.now() - arrivedAt;
    let ending: Ending = 'lost';
    let mayReturn = false;
    let failure: unknown;
    try {
      progress.begin();
      const { milliseconds, onTimeout } = limitOf(plan, progress);
      const result = await withDeadline(signal, milliseconds, onTimeout, (attemptSignal) =>
        wire({ plan, progress, signal: receiver.signalFor(attemptSignal) }, take),
      );
      ending = 'answered';
      if ('value' in result) return result.value;
      failure = await failureOf(plan, progress, settings, result.response);
      if (isGone(plan, progress, failure)) return receiver.gone(result.response);
      if (failure instanceof RateLimitError) ending = refusalOf(failure, settings);
    } catch (error) {
      failure = error;
      if (progress.status !== null) ending = 'answered';
    } finally {
      mayReturn = gate.leave(pass, ending);
    }
    if (signal?.aborted) throw signal.reason;
    if (!isExamServiceError(failure)) throw failure;
    progress.fail(failure);
    const isWaitedFor = typeof ending === 'object';
    const delayMs = isWaitedFor
      ? mayReturn && Math.ceil(gate.pauseLeft)
      : planRetry(plan, progress, settings, failure);
    // Do not begin a wait that the call has no time for: the failure says more than a timeout.
    const { pauseLeft } = gate;
    const comesUntil = performance.now() + Math.max(Number(delayMs), pauseLeft);
    const needed = pauseLeft > 0 ? leastOf(plan) : 0;
    if (delayMs === false || comesUntil >= progress.endsAt - needed) throw failure;
    notify.onRetry?.(plan, { attempt: progress.attempts, error: failure, delayMs });
    if (!isWaitedFor) await wait(delayMs, signal);
  }
}

/** A call that has waited needs a tenth of its time: what is sent with less is cut off, and its outcome unknown. */
const LEAST_SHARE = 0.1;

function leastOf({ rules }: Plan): number {
  return (rules.totalTimeout || 0) * LEAST_SHARE;
}

function turnOf(plan: Plan, progress: Progress): Turn {
  const { totalTimeout, maxRetries, signal } = plan.rules;
  const total = totalTimeout || 0;
  const late = (pause: number) => {
    const until = new Date(Date.now() + pause).toISOString();
    const reason =
      pause > 0
        ? `was not sent: the service has asked to wait until ${until} (${Math.ceil(pause)} ms), longer than ` +
          `\`totalTimeout\` (${total} ms) allows.`
        : `was not sent: it waited in line for its \`totalTimeout\` of ${total} ms. Raise it, or \`maxConcurrency\`.`;
    // It ends between two attempts: what became of the last one is known.
    const { outcome } = progress.verdict;
    return new TimeoutError(
      progress.facts,
      'total',
      total,
      progress.attempts === 0 ? reason : undefined,
      outcome,
    );
  };
  return {
    isReturning: progress.attempts > 0,
    endsAt: progress.endsAt,
    leastLeft: leastOf(plan),
    maxRefusals: maxRetries,
    signal,
    late,
    refused: (last) => tooOften(progress, last as RateLimitError),
  };
}

/** The refusal of another call, as the error of this one. */
function tooOften(progress: Progress, { status, headers, body, ...said }: RateLimitError): RateLimitError {
  const details = { message: said.serviceMessage, fieldErrors: said.fieldErrors };
  return createApiError(progress.facts, { status, statusText: '', headers, body }, details) as RateLimitError;
}

/** The shorter of the times for the attempt and for the call. */
function limitOf(plan: Plan, progress: Progress) {
  const { timeout, totalTimeout } = plan.rules;
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
  const fail = (problem: string, options: { readonly retryable?: boolean; readonly cause?: unknown }) =>
    new ResponseFormatError(progress.facts, { ...factsOf(response), body: '' }, problem, 'done', options);
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  try {
    // The platform reads a body of known length faster, and tells devtools that it has.
    if (!response.body || isShort(response, maxResponseBytes)) return await response.text();
    for await (const chunk of chunksOf(response.body as ByteStream, signal)) {
      size += chunk.byteLength;
      if (size > maxResponseBytes) break;
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    signal.throwIfAborted();
    const cause = safeCause(error, progress.facts.redact);
    throw fail(`its body was cut short: ${innermostMessage(cause)}`, { cause });
  }
  if (size <= maxResponseBytes) return text + decoder.decode();
  const problem = `its body is longer than \`maxResponseBytes\`, ${maxResponseBytes} bytes`;
  throw fail(problem, { retryable: false });
}

/** Whether a body is known to fit; compressed, its length says nothing. */
function isShort({ headers }: Response, limit: number): boolean {
  const length = headers.get('content-length');
  return length !== null && Number(length) <= limit && !headers.has('content-encoding');
}

/** A Response keeps its fields in its prototype. */
function factsOf({ status, statusText, headers }: Response) {
  return { status, statusText, headers };
}
