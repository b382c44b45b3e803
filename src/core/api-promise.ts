/** What came with the answer, beside its data. */
export interface ResponseMeta {
  /** HTTP status. */
  readonly status: number;
  /** Headers of the response, without any that show the key. */
  readonly headers: Headers;
  /** The address that answered. */
  readonly url: string;
  /** The service's id of the request, from `X-Request-Id` or `X-Correlation-Id`; `null` when it sent none. */
  readonly requestId: string | null;
  /** How often the request was sent until it was answered; 1 when the first attempt succeeded. */
  readonly attempts: number;
  /** What the service says of its rate limit; `null` when it says nothing. */
  readonly rateLimit: RateLimit | null;
}

/** The state of a rate limit after the request, from `X-RateLimit-*` or `RateLimit-*` headers. */
export interface RateLimit {
  /** Requests allowed in the current period. */
  readonly limit: number | null;
  /** Requests left in the current period. */
  readonly remaining: number | null;
  /** When the period ends; `null` when the service does not say. */
  readonly resetAt: Date | null;
}

/** The data of an answer together with what came beside it. */
export interface WithResponse<T> {
  /** What the operation answered. */
  readonly data: T;
  /** What came beside it. */
  readonly response: ResponseMeta;
}

/** Runs a call once, either up to its data or only up to the platform's response. */
export interface Runner<T> {
  readonly read: () => Promise<WithResponse<T>>;
  readonly raw: () => Promise<Response>;
}

/**
 * The promise that every operation returns. Awaited, it gives the data; `withResponse()` gives the data and
 * what came beside it, `asResponse()` the platform's own response, unread.
 *
 * The request is sent once, in the next microtask at the latest, whether or not anybody awaits it.
 */
export class ApiPromise<T> extends Promise<T> {
  readonly #runner: Runner<T>;
  #reading: Promise<WithResponse<T>> | undefined;
  #raw: Promise<Response> | undefined;

  /** Made by the operations of the client. */
  constructor(runner: Runner<T>) {
    // The inherited promise is never settled: `then` is answered by the call itself.
    super(() => {});
    this.#runner = runner;
    // Deferred, so that `asResponse()` in the same expression can still choose not to read the body.
    queueMicrotask(() => {
      if (this.#raw === undefined) this.#read();
    });
  }

  #read(): Promise<WithResponse<T>> {
    if (this.#raw !== undefined) {
      return Promise.reject(
        new TypeError('asResponse() was called: read the body from the Response it gave.'),
      );
    }
    this.#reading ??= this.#runner.read();
    return this.#reading;
  }

  /** The data and what came beside it: status, headers, request id, attempts, rate limit. Rejects like the call itself. */
  async withResponse(): Promise<WithResponse<T>> {
    const { data, response } = await this.#read();
    return { data, response };
  }

  /**
   * The platform's `Response`, its body unread and unchecked. Call it right away, instead of awaiting the data.
   * A status outside 2xx still rejects with the error of that status.
   */
  asResponse(): Promise<Response> {
    if (this.#reading !== undefined) {
      return Promise.reject(
        new TypeError(
          'asResponse() comes too late: the body is being read. Call it directly on the operation.',
        ),
      );
    }
    this.#raw ??= this.#runner.raw();
    return this.#raw;
  }

  /** Rejects without sending anything, if nothing has been sent yet. */
  protected refuse(error: Error): Promise<never> {
    const refusal = Promise.reject(error);
    this.#reading ??= refusal;
    return refusal;
  }

  override then<Fulfilled = T, Rejected = never>(
    onFulfilled?: ((value: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#read()
      .then(({ data }) => data)
      .then(onFulfilled, onRejected);
  }

  override catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<T | Rejected> {
    return this.then(undefined, onRejected);
  }

  override finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally);
  }
}
