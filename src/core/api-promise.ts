import type { ResponseMeta } from './answer/meta.ts';

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
  /** Ends the call before anything is sent. */
  readonly refuse: (error: Error) => Promise<never>;
}

/**
 * The promise that every operation returns. Awaited, it gives the data; `withResponse()` gives the data and
 * what came beside it, `asResponse()` the platform's own response, unread.
 *
 * The request is sent once, in the next microtask at the latest, whether or not anybody awaits it.
 */
export class ApiPromise<T> extends Promise<T> {
  /** What `then` makes of a call is a promise like any other. */
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
        new TypeError('asResponse() was called: read the body from the Response it gave.'),
      );
    }
    this.#reading ??= this.#runner.read();
    return this.#reading;
  }

  /** Who asks another way is told of a failure there, so the promise itself need not report it as unhandled. */
  #leaveToCaller(): void {
    this.catch(() => {});
  }

  /** The data and what came beside it: status, headers, request id, attempts, rate limit. Rejects like the call itself. */
  async withResponse(): Promise<WithResponse<T>> {
    this.#leaveToCaller();
    const { data, response } = await this.#read();
    return { data, response };
  }

  /**
   * The platform's `Response`, its body unread and unchecked. Call it right away, instead of awaiting the data.
   * A status outside 2xx still rejects with the error of that status.
   */
  asResponse(): Promise<Response> {
    this.#leaveToCaller();
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

  /** @internal Rejects without sending anything, if nothing has been sent yet. */
  protected async refuse(error: Error): Promise<never> {
    this.#leaveToCaller();
    if (this.#raw === undefined) this.#reading ??= this.#runner.refuse(error);
    // A promise of its own, since the one above is handled: where nobody looks, this one is reported.
    throw error;
  }
}
