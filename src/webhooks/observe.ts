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
  let result: Promise<Result> | undefined;
  let run = () => {
    result = receive(notes)
      .catch((error) => {
        notes.error = error;
        throw error;
      })
      .finally(() => {
        const event = { ...notes, ...start, durationMs: performance.now() - startedAt };
        for (const set of hooks) void tell(() => set.onEnd?.(event));
      });
    return result;
  };
  for (const set of hooks) {
    void tell(() => {
      const around = set.onStart?.(start);
      if (typeof around === 'function') {
        const inner = run;
        const once = () => result ?? inner();
        run = () => {
          void tell(() => around(() => void once()));
          // Also where it has not called that, or will later.
          return once();
        };
      }
      return around;
    });
  }
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
