import type { Answer } from '../answer/answer.ts';
import type { Call } from '../call.ts';
import { ApiError } from '../errors/api-error.ts';
import { isExamServiceError } from '../errors/base.ts';
import { ConnectionError } from '../errors/connection-error.ts';
import { RateLimitError } from '../errors/status-errors.ts';
import { TimeoutError } from '../errors/timeout-error.ts';
import { wait, withDeadline } from './deadline.ts';
import { exchange } from './exchange.ts';
import { backoff, isRetryable } from './retry.ts';

/** Sends a call, again where that is allowed, until it is answered with success. The body has arrived by then. */
export function send(call: Call): Promise<Answer> {
  return withinTotalTime(call, async (signal) => {
    const response = await exchange(call, signal);
    try {
      return { call, response, body: await response.text() };
    } catch (error) {
      throw new ConnectionError(call, error);
    }
  });
}

/** The same, up to the platform's response, whose body the caller reads; only an abort still bounds that. */
export function sendForResponse(call: Call): Promise<Response> {
  const { signal: caller } = call.options;
  return withinTotalTime(call, async (signal) => {
    // The deadline ends with the attempt; a body that is read later follows the caller's own signal.
    return exchange(call, caller ? AbortSignal.any([signal, caller]) : signal);
  });
}

type Attempt<T> = (signal: AbortSignal) => Promise<T>;

function withinTotalTime<T>(call: Call, attempt: Attempt<T>): Promise<T> {
  const { signal, totalTimeout } = call.options;
  if (signal === undefined && totalTimeout === false) return untilAnswered(call, attempt);
  const onTimeout = () => new TimeoutError(call, 'total', Number(totalTimeout));
  return withDeadline(signal, totalTimeout, onTimeout, (total) => untilAnswered(call, attempt, total));
}

async function untilAnswered<T>(call: Call, attempt: Attempt<T>, total?: AbortSignal): Promise<T> {
  const { timeout, totalTimeout } = call.options;
  const { gate, observer } = call.config;
  const startedAt = performance.now();
  for (;;) {
    let failure: unknown;
    await gate.enter(total);
    try {
      call.attempts += 1;
      const onTimeout = () => new TimeoutError(call, 'attempt', Number(timeout));
      return await withDeadline(total, timeout, onTimeout, attempt);
    } catch (error) {
      failure = error;
    } finally {
      gate.leave();
    }
    if (failure instanceof RateLimitError) gate.pause(failure.retryAfter);
    const delayMs = total?.aborted ? null : planRetry(call, failure);
    if (delayMs === null || !isExamServiceError(failure)) throw failure;
    if (totalTimeout !== false && performance.now() - startedAt + delayMs >= totalTimeout) {
      throw new TimeoutError(call, 'total', totalTimeout, failure);
    }
    observer.retry(call, failure, delayMs);
    await wait(delayMs, total);
  }
}

/** The wait before the next attempt in milliseconds; `null` when there is to be none. */
function planRetry(call: Call, failure: unknown): number | null {
  if (call.attempts > call.options.maxRetries || !isRetryable(failure, call.descriptor.retry)) return null;
  const retryAfter = failure instanceof ApiError ? failure.retryAfter : null;
  if (retryAfter === null) return backoff(call.attempts);
  return retryAfter > call.config.maxRetryAfter ? null : retryAfter;
}
