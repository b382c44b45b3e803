import { messageOf } from '../../util/errors.ts';
import { type Answer, explainFailure, failureOf } from '../answer/answer.ts';
import type { Call } from '../call.ts';
import { ApiError } from '../errors/api-error.ts';
import { type ExamServiceError, isExamServiceError } from '../errors/base.ts';
import { ResponseFormatError } from '../errors/response-format-error.ts';
import { RateLimitError } from '../errors/status-errors.ts';
import { TimeoutError } from '../errors/timeout-error.ts';
import { safeCause } from '../redact/safe.ts';
import { unlessAborted, wait, withDeadline } from './deadline.ts';
import { exchange, NotOk } from './exchange.ts';
import { backoff } from './retry.ts';

/** Sends a call, and retries it where allowed, until it succeeds. The body has arrived by then. */
export function send(call: Call): Promise<Answer> {
  return withinTotalTime(call, async (signal) => {
    const response = await exchange(call, signal);
    try {
      return { call, response, body: await response.text() };
    } catch (error) {
      const cause = safeCause(error, call.redact);
      const problem = `its body was cut short: ${messageOf(cause)}`;
      throw new ResponseFormatError({ call, response, body: '' }, problem, 'done', { cause });
    }
  });
}

/** The same, but returns the platform's response with its body unread; only an abort still stops that. */
export function sendForResponse(call: Call): Promise<Response> {
  const { signal: caller } = call.options;
  return withinTotalTime(call, async (signal) => {
    // The deadline ends with the attempt; a body read later follows the caller's own signal.
    return exchange(call, caller ? AbortSignal.any([signal, caller]) : signal);
  });
}

type Attempt<T> = (signal: AbortSignal) => Promise<T>;

function withinTotalTime<T>(call: Call, attempt: Attempt<T>): Promise<T> {
  const { signal, totalTimeout } = call.options;
  if (signal === undefined && totalTimeout === false) return untilAnswered(call, attempt);
  // The status is known and only its explanation is missing; a timeout would hide it.
  const onTimeout = () =>
    call.failing === undefined
      ? new TimeoutError(call, 'total', Number(totalTimeout))
      : explainFailure(call, call.failing, '');
  return withDeadline(signal, totalTimeout, onTimeout, (total) => untilAnswered(call, attempt, total));
}

async function untilAnswered<T>(call: Call, attempt: Attempt<T>, total?: AbortSignal): Promise<T> {
  const { timeout } = call.options;
  const { gate, pause, observer } = call.config;
  for (;;) {
    let failure: unknown;
    await gate.enter(total);
    try {
      await pause.over(total);
      call.attempts += 1;
      call.status = null;
      const onTimeout = () => new TimeoutError(call, 'attempt', Number(timeout));
      return await withDeadline(total, timeout, onTimeout, attempt);
    } catch (error) {
      failure = error instanceof NotOk ? await readFailure(call, error.response, total) : error;
    } finally {
      gate.leave();
    }
    if (!isExamServiceError(failure)) throw failure;
    call.note(failure);
    if (failure instanceof RateLimitError) holdBack(call, failure);
    const delayMs = total?.aborted ? null : planRetry(call, failure);
    // Do not start a wait that the total time leaves no room for: the failure says more than a timeout.
    if (delayMs === null || Math.max(delayMs, pause.left) >= call.timeLeft) throw failure;
    observer.retry(call, failure, delayMs);
    await wait(delayMs, total);
  }
}

async function readFailure(
  call: Call,
  response: Response,
  total: AbortSignal | undefined,
): Promise<ExamServiceError> {
  call.failing = response;
  const failure = await unlessAborted(total, (signal) => failureOf(call, response, signal));
  call.failing = undefined;
  return failure;
}

/** A 429 pauses the whole client, unless for longer than `maxRetryAfter`. */
function holdBack({ config }: Call, { retryAfter }: RateLimitError): void {
  if (retryAfter !== null && retryAfter <= config.maxRetryAfter) config.pause.begin(retryAfter);
}

/** The wait before the next attempt in milliseconds; `null` for no further attempt. */
function planRetry(call: Call, failure: ExamServiceError): number | null {
  // A key function that failed is for the caller to call again.
  const isRepeated = failure.retryable && failure.code !== 'configuration';
  if (!isRepeated || call.attempts > call.options.maxRetries) return null;
  const retryAfter = failure instanceof ApiError ? failure.retryAfter : null;
  if (retryAfter === null) return backoff(call.attempts);
  return retryAfter > call.config.maxRetryAfter ? null : retryAfter;
}
