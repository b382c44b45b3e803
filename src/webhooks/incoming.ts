import type { Delivery, WebhookParts } from './delivery.ts';

/** Calls `listener` when the sender has gone, or at once if it has already. */
export type OnHangUp = (listener: (reason?: unknown) => void) => void;

/** What the receiver needs of a request, so that none of the web platform has to be made of a Node request. */
export interface Incoming {
  readonly method: string;
  readonly headers: WebhookParts['headers'];
  /** Headers and body, for the verifier. */
  readonly delivery: Delivery;
  /** No signal, because on Node making one costs as much as the rest of the receiver's own work. */
  readonly onHangUp: OnHangUp;
  /** For handlers and observers that ask for it. */
  readonly request: Request;
}

/** The receiver's answer, which is either written to a Node response or made a `Response`. */
export interface Answer {
  readonly status: number;
  readonly text: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** The receiver itself, behind a web handler or a Node listener. It never rejects. */
export type Receive = (incoming: Incoming) => Promise<Answer>;

/** The receivers behind the handlers that this package made. */
const receivers = new WeakMap<object, Receive>();

/** Makes a web handler of a receiver. */
export function toWebHandler(receive: Receive): (request: Request) => Promise<Response> {
  const handler = async (request: Request) => {
    const { method, headers, signal } = request;
    const onHangUp: OnHangUp = (listener) => {
      // Some platforms give a request no signal.
      if (signal?.aborted) listener(signal.reason);
      else signal?.addEventListener('abort', () => listener(signal.reason), { once: true });
    };
    const { text, ...init } = await receive({ method, headers, onHangUp, delivery: request, request });
    return new Response(text, init);
  };
  receivers.set(handler, receive);
  return handler;
}

/** The receiver behind a handler; undefined for handlers of another making. */
export function receiverOf(handler: object): Receive | undefined {
  return receivers.get(handler);
}
