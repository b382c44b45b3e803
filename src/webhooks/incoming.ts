// A request and its answer as the receiver sees them, on any platform.

import type { Delivery, WebhookParts } from './delivery.ts';

/** Calls `listener` when the sender disconnects, or at once if it already has. */
export type OnHangUp = (listener: (reason?: unknown) => void) => void;

/** What the receiver needs from a request, so that a Node request need not be converted to a web one. */
export interface Incoming {
  readonly method: string;
  readonly headers: WebhookParts['headers'];
  /** Headers and body, for the verifier. */
  readonly delivery: Delivery;
  /** Not a signal, because creating one in Node costs as much as all other work of the receiver. */
  readonly onHangUp: OnHangUp;
  /** For handlers and observers that ask for it. */
  readonly request: Request;
}

/** The receiver's answer, which is written to a Node response or turned into a `Response`. */
export interface Answer {
  readonly status: number;
  readonly text: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** The receiver itself, behind a web handler or a Node listener. It never rejects. */
export type Receive = (incoming: Incoming) => Promise<Answer>;

/** The receivers behind the handlers created by this package. */
const receivers = new WeakMap<object, Receive>();

/** Creates a web handler from a receiver. */
export function toWebHandler(receive: Receive): (request: Request) => Promise<Response> {
  const handler = async (request: Request) => {
    const { method, headers, signal } = request;
    const onHangUp: OnHangUp = (listener) => {
      // On some platforms, a request has no signal.
      if (signal?.aborted) listener(signal.reason);
      else signal?.addEventListener('abort', () => listener(signal.reason));
    };
    const { text, ...init } = await receive({ method, headers, onHangUp, delivery: request, request });
    return new Response(text, init);
  };
  receivers.set(handler, receive);
  return handler;
}

/** The receiver behind a handler; undefined for handlers not created by this package. */
export function receiverOf(handler: object): Receive | undefined {
  return receivers.get(handler);
}
