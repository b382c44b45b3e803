// Reports to the console page, by server-sent events, that the emulator's data changed.

import type { Emulator } from '../emulator/emulator-api.ts';

/** Changes closer together than this are reported as one, in milliseconds of real time. */
const DEBOUNCE_MS = 100;

/** How long a page waits before it reconnects, in milliseconds. */
const RECONNECT_MS = 1000;

/** Server-sent events: one for every burst of changes. They say that something changed, not what. */
export function changeEvents(emulator: Emulator): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let end = () => {};
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const send = () => {
        timer = undefined;
        controller.enqueue(encoder.encode('data: changed\n\n'));
      };
      let timer: ReturnType<typeof setTimeout> | undefined;
      const unsubscribe = emulator.subscribe(() => {
        timer ??= setTimeout(send, DEBOUNCE_MS);
      });
      controller.enqueue(encoder.encode(`retry: ${RECONNECT_MS}\n\n`));
      end = () => {
        unsubscribe();
        clearTimeout(timer);
      };
    },
    cancel: () => end(),
  });
}
