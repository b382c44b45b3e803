// Tells the hooks of a receiver when a delivery starts and ends.

import type { OnDeliveryEndEvent, WebhookHooks } from './hooks.ts';

type Noted = Omit<OnDeliveryEndEvent, 'deliveryId' | 'method' | 'durationMs'>;

/** What the receiver learns of a delivery, noted for `onEnd`. */
export type Notes = { -readonly [Field in keyof Noted]: Noted[Field] };

/** Receives a delivery and tells `hooks` of it: each once, at its start and at its end. */
export function observeDelivery<Result>(
  hooks: readonly WebhookHooks[],
  method: string | undefined,
  receive: (notes: Notes) => Promise<Result>,
): Promise<Result> {
  const notes = { outcome: 'failed' } as Notes;
  if (!hooks[0]) return receive(notes);
  const start = { deliveryId: crypto.randomUUID(), method };
  const startedAt = performance.now();
  const arounds: ((run: () => void) => unknown)[] = [];
  for (const set of hooks) {
    void tell(() => {
      const around = set.onStart?.(start);
      if (typeof around === 'function') arounds.push(around as (typeof arounds)[number]);
      return around;
    });
  }
  const noteError = (error: unknown) => {
    notes.error = error;
    throw error;
  };
  const end = () => {
    const event = { ...notes, ...start, durationMs: performance.now() - startedAt };
    for (const set of hooks) void tell(() => set.onEnd?.(event));
  };
  let result: Promise<Result> | undefined;
  /** Receives once, inside all of them: also where one throws, does not call it, or calls it again or later. */
  const run = (): Promise<Result> => {
    const around = arounds.pop();
    if (around) void tell(() => around(() => void run()));
    else result ??= receive(notes).catch(noteError).finally(end);
    return result ?? run();
  };
  return run();
}

/** Calls an observer, whose own failure must not change the answer. */
export async function tell(observer: () => unknown): Promise<void> {
  try {
    await observer();
  } catch (failure) {
    console.error(failure);
  }
}
