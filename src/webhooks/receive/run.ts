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
  readonly handle: (signal: AbortSignal) => Promise<'handled'>;
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
  const limitMs = timeoutMs || (deduplication ? deduplication.processingSeconds * 1000 : false);
  const tooLate = (what: string) =>
    new DOMException(`${what} took longer than ${limitMs} ms.`, 'TimeoutError');
  const chosen = deduplication && (await within(limitMs, key(), () => undefined));
  if (deduplication && chosen === undefined) return tooLate('`deduplication.key`');
  return new Promise((resolve, reject) => {
    const stop = new AbortController();
    const run = () => {
      if (!deduplication) onHangUp?.((reason) => stop.abort(reason));
      const handling = handle(stop.signal);
      const onLate = () => {
        const timeout = tooLate('The handler');
        stop.abort(timeout);
        resolve(timeout);
        handling.catch(report);
      };
      within(limitMs, handling, onLate).catch(() => {});
      return handling;
    };
    const outcome =
      deduplication && chosen !== undefined
        ? handleOnce(deduplication, chosen, run, timeoutMs, report)
        : run();
    outcome.then(resolve, reject);
  });
}
