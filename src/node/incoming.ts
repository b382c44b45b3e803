// What a handler of this package gets of a request and what it replies, on any platform.

/** A request before it is known whether its body is raw. */
export interface Delivery {
  /** Web headers, or a record with names in any case. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body; of a request, its stream. */
  readonly body?: unknown;
  /** Whether the body of a request was read; undefined for a delivery in parts. */
  readonly bodyUsed?: boolean;
}

/** Gives the chunks of a body in order; it rejects where the body breaks off. */
export type BodyReader = Pick<ReadableStreamDefaultReader<unknown>, 'read' | 'cancel'>;

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
