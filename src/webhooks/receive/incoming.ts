// What a receiver gets of a delivery and what it replies, on any platform.

import type { Delivery } from '../verify/delivery.ts';

/** Calls `listener` when the sender disconnects, or immediately if it already has. */
export type OnDisconnect = (listener: (reason?: unknown) => void) => void;

/** What the receiver needs from a request on any platform, so that a Node request need not become a web one. */
export interface Incoming {
  readonly method: string;
  /** The target of a Node request, as it came. */
  readonly target?: string | undefined;
  readonly delivery: Delivery;
  /** Not a signal, because creating one in Node costs as much as all other work of the receiver. */
  readonly onDisconnect: OnDisconnect;
  /** For handlers and observers that ask for it. */
  readonly request: Request;
}

/** What the receiver replies, which is written to a Node response or turned into a `Response`. */
export interface Reply {
  readonly status: number;
  readonly headers: Iterable<readonly [string, string]>;
  readonly body?: Uint8Array | undefined;
}

export type Receive = (incoming: Incoming) => Promise<Reply>;

/** The receivers behind the handlers of this package. Not a property of theirs, which a function around one might take over. */
export const receivers = new WeakMap<object, Receive>();
