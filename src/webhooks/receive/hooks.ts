// The hooks of a receiver: the events that they receive, and how they are called.

import type { Writable } from 'type-fest';
import type { WebhookOutcome } from '../deduplicate/handle-once.ts';
import type { WebhookRejectionReason } from '../verify/verification-error.ts';

/** A delivery has come, or an event was dispatched. */
export interface OnDeliveryStartEvent {
  /** The same in both events of a delivery, and different for each delivery. */
  readonly deliveryId: string;
  /** HTTP method of the request: any method, also wrong ones; `null` for an event that was dispatched. */
  readonly method: string | null;
}

/** A delivery is about to get its response, or `dispatch` to settle. */
export interface OnDeliveryEndEvent extends OnDeliveryStartEvent {
  /**
   * `handled`: the handler has run for it, or there is none. `duplicate`: it has run, or is running, for an earlier delivery of the
   * event. `busy`: another process is handling the event, or this one is and takes too long. `rejected`: it was not verified, was
   * no event, or no POST. `failed`: the handler or the store failed, or took too long.
   */
  readonly outcome: WebhookOutcome | 'rejected' | 'failed';
  /** Name of the event; `null` for a delivery that was rejected. */
  readonly event: string | null;
  /** Why the delivery was rejected; `null` for one that was not, and for another method than POST. */
  readonly reason: WebhookRejectionReason | null;
  /** The verification error, or the error of the handler or the store; `null` if there is none. It may quote personal data. */
  readonly error: unknown;
  /**
   * The receiver's clock minus `t` of the signature, in seconds: positive for an old delivery. `null` for an event that was
   * dispatched, and for a rejected delivery unless its age was the reason.
   */
  readonly skewSeconds: number | null;
  /** HTTP status of the response; `null` for an event that was dispatched. */
  readonly status: number | null;
  /** From the arrival of the headers to the response, by a monotonic clock, in milliseconds. */
  readonly durationMs: number;
}

/**
 * Functions that observe each delivery to a receiver. Both are called synchronously and not awaited. What they throw is logged with
 * `console.error`; neither an error nor a hanging hook changes a response.
 */
export interface WebhookHooks {
  /**
   * Once for every delivery, as soon as the receiver gets the request and before it reads anything of it. A function that it
   * returns is called with `run`, inside which the delivery is verified and handled: `(run) => context.with(mine, run)` makes a
   * context the active one of the handler. Where it does not call `run` immediately, the delivery goes on without it.
   */
  readonly onStart?:
    | ((event: OnDeliveryStartEvent) => (run: () => void) => unknown)
    | ((event: OnDeliveryStartEvent) => void)
    | undefined;
  /** Once for every delivery, with any outcome. A handler that takes too long may still be running. */
  readonly onEnd?: ((event: OnDeliveryEndEvent) => unknown) | undefined;
}

/** What the receiver knows of a delivery; `onEnd` gets it. */
export type DeliveryFacts = Writable<Omit<OnDeliveryEndEvent, 'deliveryId' | 'method' | 'durationMs'>>;

/** Receives a delivery and calls `hooks`: each once, at its start and at its end. Costs nothing without hooks. */
export function observeDelivery<Result>(
  hooks: readonly WebhookHooks[],
  method: string | null,
  receive: (facts: DeliveryFacts) => Promise<Result>,
): Promise<Result> {
  // A delivery has failed until it is known to be handled, or rejected.
  const nothing = { event: null, reason: null, error: null, skewSeconds: null, status: null };
  const facts: DeliveryFacts = { outcome: 'failed', ...nothing };
  if (!hooks[0]) return receive(facts);
  // Frozen, since all sets get the same event.
  const start = Object.freeze({ deliveryId: crypto.randomUUID(), method });
  const startedAt = performance.now();
  const wrappers: ((run: () => void) => unknown)[] = [];
  for (const set of hooks) {
    void notify(() => {
      const wrapper = set.onStart?.(start);
      if (typeof wrapper === 'function') wrappers.push(wrapper as (typeof wrappers)[number]);
      return wrapper;
    });
  }
  const recordError = (error: unknown) => {
    facts.error = error;
    throw error;
  };
  const end = () => {
    const event = Object.freeze({ ...facts, ...start, durationMs: performance.now() - startedAt });
    for (const set of hooks) void notify(() => set.onEnd?.(event));
  };
  let result: Promise<Result> | undefined;
  /** Receives the delivery once, inside all of them, even if one throws, does not call it, or calls it late or twice. */
  const run = (): Promise<Result> => {
    const wrapper = wrappers.pop();
    if (wrapper) void notify(() => wrapper(() => void run()));
    else result ??= receive(facts).catch(recordError).finally(end);
    return result ?? run();
  };
  return run();
}

/** Calls an observer, whose own failure must not change the response. */
export async function notify(observer: () => unknown): Promise<void> {
  try {
    await observer();
  } catch (failure) {
    console.error(failure);
  }
}
