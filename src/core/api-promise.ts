// The promise that operations of one request return.

import type { ResponseMeta } from './response/meta.ts';
import type { Answered, Call, Settle } from './send.ts';

/** The data of an answer together with the metadata of its response. */
export interface WithResponse<T> {
  /** The data of the operation. */
  readonly data: T;
  /** Status, headers and other metadata of the response. */
  readonly meta: ResponseMeta;
}

/**
 * The promise that operations of one request return. Awaiting it gives the data; `withResponse()` adds status and headers;
 * `asResponse()` returns the platform's `Response` with its body unread.
 *
 * The request is sent once, no later than in the next microtask, whether or not you await the promise.
 */
export class ApiPromise<T> extends Promise<T> {
  /** `then` returns an ordinary promise. A getter, since Babel may compile a field to an assignment, which has no effect here. */
  static override get [Symbol.species]() {
    return Promise;
  }

  readonly #call: Call<T>;
  readonly #settle: Settle;
  #reading: Promise<Answered<T>> | undefined;
  #data: Promise<T> | undefined;
  #raw: Promise<Response> | undefined;

  /** @internal Made by the operations of the client. */
  constructor(call: Call<T>) {
    let fulfil: Settle['fulfil'] = () => {};
    let reject: Settle['fail'] = () => {};
    super((resolve, fail) => {
      fulfil = resolve as Settle['fulfil'];
      reject = fail;
    });
    this.#call = call;
    this.#settle = {
      fulfil,
      fail: (reason) => {
        reject(reason);
        // Reported once, by this promise.
        this.#reading?.catch(() => {});
      },
    };
    this.#begin();
  }

  /** Later, so that `asResponse()` in the same expression can still choose not to read the body. */
  async #begin(): Promise<void> {
    await undefined;
    if (this.#raw === undefined) this.#read();
  }

  /**
   * Reads the answer once and settles this promise. Each promise on the way has one to wait for it and no more: only then
   * can the stack of an error be followed to the line of the caller.
   */
  #read(): Promise<Answered<T>> {
    if (this.#raw !== undefined) {
      throw new TypeError('asResponse() was called: read the body from the Response it returned.');
    }
    this.#reading ??= this.#call.read(this.#settle);
    return this.#reading;
  }

  // biome-ignore lint/suspicious/noThenProperty: this is a promise.
  override then<Fulfilled = T, Rejected = never>(
    onFulfilled?: ((value: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    this.later();
    this.#data ??= this.#readData();
    return this.#data.then(onFulfilled, onRejected);
  }

  async #readData(): Promise<T> {
    await undefined;
    return (await this.#read()).data;
  }

  /** @internal This promise, for someone who looks at it later: until then a failure is not reported as unhandled. */
  protected later(): this {
    super.then(undefined, () => {});
    return this;
  }

  /** The data with status, headers, request id, attempts and rate limit. Rejects like the call itself. */
  async withResponse(): Promise<WithResponse<T>> {
    this.later();
    const { data, readMeta } = await this.#read();
    return { data, meta: readMeta() };
  }

  /**
   * The platform's `Response`, its body unread and unchecked. Call it directly on the operation, instead of awaiting
   * the data. A status outside 2xx still rejects with the error for that status.
   */
  async asResponse(): Promise<Response> {
    this.later();
    if (this.#reading !== undefined) {
      throw new TypeError(
        'asResponse() was called too late: the body is already being read. Call it directly on the operation.',
      );
    }
    this.#raw ??= this.#call.raw();
    return this.#raw;
  }

  /** @internal Rejects without sending anything, if nothing has been sent yet. */
  protected async refuse(error: Error): Promise<never> {
    this.later();
    if (this.#raw === undefined) {
      this.#reading ??= this.#call.refuse(error);
      this.#reading.catch(() => {});
    }
    // A separate promise, since those above count as handled: this one is reported if nobody handles it.
    throw error;
  }
}
