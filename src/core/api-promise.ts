// The promise that every method of the client returns.

import type { ResponseMeta } from './answer/meta.ts';

/** The data of an answer together with the metadata of its response. */
export interface WithResponse<T> {
  /** The data of the operation. */
  readonly data: T;
  /** Status, headers and other metadata of the response. */
  readonly response: ResponseMeta;
}

/** Runs a call once: to its data, or only to the platform's response. */
export interface Runner<T> {
  readonly read: () => Promise<WithResponse<T>>;
  readonly raw: () => Promise<Response>;
  /** Fails the call before anything is sent. */
  readonly refuse: (error: Error) => Promise<never>;
}

/**
 * The promise that every operation returns. Awaiting it gives the data; `withResponse()` adds status and headers;
 * `asResponse()` returns the platform's `Response` with its body unread.
 *
 * The request is sent once, no later than in the next microtask, whether or not you await the promise.
 */
export class ApiPromise<T> extends Promise<T> {
  /** `then` returns an ordinary promise. */
  static override readonly [Symbol.species] = Promise;

  readonly #runner: Runner<T>;
  #reading: Promise<WithResponse<T>> | undefined;
  #raw: Promise<Response> | undefined;

  /** @internal Made by the operations of the client. */
  constructor(runner: Runner<T>) {
    let fulfil: (data: T) => void = () => {};
    let fail: (reason: unknown) => void = () => {};
    super((resolve, reject) => {
      fulfil = resolve;
      fail = reject;
    });
    this.#runner = runner;
    // Deferred, so that `asResponse()` in the same expression can still choose not to read the body.
    queueMicrotask(async () => {
      try {
        fulfil((await this.#read()).data);
      } catch (error) {
        fail(error);
      }
    });
  }

  #read(): Promise<WithResponse<T>> {
    if (this.#raw !== undefined) {
      return Promise.reject(
        new TypeError('asResponse() was called: read the body from the Response it returned.'),
      );
    }
    this.#reading ??= this.#runner.read();
    return this.#reading;
  }

  /** `withResponse()` and `asResponse()` report a failure themselves, so the promise need not report it as unhandled. */
  #leaveToCaller(): void {
    this.catch(() => {});
  }

  /** The data with status, headers, request id, attempts and rate limit. Rejects like the call itself. */
  async withResponse(): Promise<WithResponse<T>> {
    this.#leaveToCaller();
    const { data, response } = await this.#read();
    return { data, response };
  }

  /**
   * The platform's `Response`, its body unread and unchecked. Call it directly on the operation, instead of awaiting
   * the data. A status outside 2xx still rejects with the error for that status.
   */
  asResponse(): Promise<Response> {
    this.#leaveToCaller();
    if (this.#reading !== undefined) {
      return Promise.reject(
        new TypeError(
          'asResponse() was called too late: the body is already being read. Call it directly on the operation.',
        ),
      );
    }
    this.#raw ??= this.#runner.raw();
    return this.#raw;
  }

  /** @internal Rejects without sending anything, if nothing has been sent yet. */
  protected async refuse(error: Error): Promise<never> {
    this.#leaveToCaller();
    if (this.#raw === undefined) this.#reading ??= this.#runner.refuse(error);
    // A separate promise, since the one above counts as handled: this one is reported if nobody handles it.
    throw error;
  }
}
