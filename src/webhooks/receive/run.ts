// Runs the handler of an event within its time limit, and only once if deduplication is on.

import { within } from '../../core/time.ts';
import { handleOnce, type WebhookOutcome } from '../deduplicate/handle-once.ts';
import type { Deduplication } from '../deduplicate/options.ts';

/** Calls `listener` when the sender disconnects, or immediately if it already has. */
export type OnHangUp = (listener: (reason?: unknown) => void) => void;

/** One event to handle. */
export interface Job {
  /** Returns the key for its deduplication. */
  readonly key: () => Promise<string>;
  /** Notifies when the sender of the delivery disconnects. */
  readonly onHangUp: OnHangUp | undefined;
  readonly handle: (signal: AbortSignal) => Promise<unknown>;
  /** Reports errors that do not change the outcome. */
  readonly report: (error: unknown) => void;
}

/**
 * Runs the handler of an event within its time limit, and only once with deduplication. A timeout is returned as an
 * error.
 *
 * With deduplication, the event stays claimed until its handler has ended, also when its sender disconnects: the retry
 * joins. The time limit is for the handler alone; the key and the store have their own.
 */
export async function runHandler(
  timeoutMs: number | false,
  deduplication: Deduplication | undefined,
  { key, onHangUp, handle, report }: Job,
): Promise<WebhookOutcome | DOMException> {
  const stop = new AbortController();
  if (!deduplication) {
    onHangUp?.((reason) => stop.abort(reason));
    const handling = handle(stop.signal);
    let timeout: DOMException | undefined;
    await within(timeoutMs, handling, () => {
      timeout = abort(stop, timeoutMs);
      handling.catch(report);
    });
    return timeout ?? 'handled';
  }
  const claimMs = deduplication.processingSeconds * 1000;
  const limitMs = timeoutMs || claimMs;
  // Claiming and handling must fit into the lifetime of the claim.
  const storeMs = timeoutMs ? Math.min(timeoutMs, claimMs - timeoutMs) : claimMs;
  const chosen = await within(limitMs, key(), () => undefined);
  if (chosen === undefined) return tooLate('`deduplication.key`', limitMs);
  return new Promise((resolve, reject) => {
    const run = async () => {
      const handling = handle(stop.signal);
      within(limitMs, handling, () => resolve(abort(stop, limitMs))).catch(() => {});
      await handling;
    };
    const { outcome, joined } = handleOnce(deduplication, chosen, run, storeMs, report);
    if (joined) within(limitMs, outcome, () => 'busy' as const).then(resolve, reject);
    else outcome.then(resolve, (error) => (stop.signal.aborted ? report(error) : reject(error)));
  });
}

/** Tells a handler that its time is over. */
function abort(stop: AbortController, milliseconds: number | false): DOMException {
  const timeout = tooLate('The handler', milliseconds);
  stop.abort(timeout);
  return timeout;
}

function tooLate(what: string, milliseconds: number | false): DOMException {
  return new DOMException(`${what} took longer than ${milliseconds} ms.`, 'TimeoutError');
}
