// The promise that operations of one request return.

import { once } from '../util/once.ts';
import type { Call } from './call.ts';
import { type ResponseMeta, readMeta } from './response/meta.ts';
import type { Reader, ResponseToRead } from './response/read.ts';
import type { RawResponse } from './wire.ts';

/** The data of a response together with its metadata. */
export interface WithResponse<T> {
  /** The data of the operation. */
  readonly data: T;
  /** Status, headers and other metadata of the response. */
  readonly meta: ResponseMeta;
}

/** A call, and how its response is read. */
export interface ReadableCall<T> {
  readonly call: Call;
  readonly reader: Reader<T>;
}

/** A call that could not be made. */
export interface RejectedCall {
  readonly error: unknown;
}

interface Resolvers {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

interface Arrived<T> extends ReadableCall<T> {
  readonly raw: RawResponse;
}

/**
 * The promise that operations of one request return. Awaiting it gives the data; `withResponse()` adds status and headers;
 * `asResponse()` returns a `Response` with the body as it came.
 *
 * The request is sent immediately and once, whether or not you await the promise. The body is parsed when its data is first
 * asked for.
 */
export class ApiPromise<T> extends Promise<T> {
  /** `then` returns an ordinary promise. A getter, since Babel may compile a field to an assignment, which has no effect here. */
  static override get [Symbol.species]() {
    return Promise;
  }

  readonly #arrived: Promise<Arrived<T>>;
  #data: Promise<T> | undefined;

  /** @internal Made by the operations of the client. */
  constructor(call: ReadableCall<T> | RejectedCall) {
    let resolvers: Resolvers = { resolve: () => {}, reject: () => {} };
    // The base promise has no data. It settles with the call for hosts that wait for it without calling `then`, such as
    // `waitUntil` of a worker.
    super((resolve, reject) => {
      resolvers = { resolve: () => resolve(undefined as T), reject };
    });
    this.#arrived = this.#send(call, resolvers);
  }

  // Exactly one promise waits for each promise on the way: only then does the stack of an error lead to the caller's line.
  async #send(made: ReadableCall<T> | RejectedCall, resolvers: Resolvers): Promise<Arrived<T>> {
    try {
      if ('error' in made) {
        // So that the field is set below.
        await undefined;
        throw made.error;
      }
      const raw = await made.call.send();
      if (this.#data === undefined) made.call.end();
      resolvers.resolve();
      return { ...made, raw };
    } catch (error) {
      if ('call' in made) made.call.end({ error });
      resolvers.reject(error);
      this.#arrived.catch(() => {});
      throw error;
    }
  }

  // biome-ignore lint/suspicious/noThenProperty: this is a promise.
  override then<Fulfilled = T, Rejected = never>(
    onFulfilled?: ((value: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    // As in the standard library: a callback that takes an `Error` fits.
    onRejected?: ((reason: PromiseRejectedResult['reason']) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#read().then(onFulfilled, onRejected);
  }

  #read(): Promise<T> {
    this.withoutUnhandledRejection();
    this.#data ??= this.#arrived.then((arrived) => readCall(arrived, arrived.raw));
    return this.#data;
  }

  /** @internal This promise, for somebody who reads it later: its failure counts as handled until then. */
  protected withoutUnhandledRejection(): this {
    super.then(undefined, () => {});
    return this;
  }

  /** The data with status, headers, request id, attempts and rate limit. Rejects like the call itself. */
  async withResponse(): Promise<WithResponse<T>> {
    const data = await this.#read();
    const { call, raw } = await this.#arrived;
    return { data, meta: readMeta(call, raw.response) };
  }

  /**
   * A new `Response` with the body as it came, unparsed and unchecked, up to `maxResponseBytes`. Its headers lack those that
   * describe how the body travelled (`content-encoding`, `content-length`, `transfer-encoding`). A status outside 2xx still
   * rejects with the error for that status.
   */
  async asResponse(): Promise<Response> {
    this.withoutUnhandledRejection();
    return toResponse((await this.#arrived).raw);
  }
}

/** Reads the data of a call, and ends it. */
async function readCall<T>(
  { call, reader }: ReadableCall<T>,
  raw: RawResponse | Promise<RawResponse>,
): Promise<T> {
  try {
    const data = await reader(toReadable(call, await raw));
    call.end();
    return data;
  } catch (error) {
    call.end({ error });
    throw error;
  }
}

/** Made once: that takes as long as to decode a short body. */
const decoder = once(() => new TextDecoder());

function toReadable(call: Call, { response, body }: RawResponse): ResponseToRead {
  const { status, statusText, headers } = response;
  return {
    request: call,
    report: (issues) => call.reportDrift(issues),
    send(plan, reader) {
      const further = call.withPlan(plan);
      return readCall({ call: further, reader }, further.send());
    },
    status,
    statusText,
    headers,
    body: body === null ? '' : decoder().decode(body),
  };
}

/** These have no body, by the rules of HTTP, and a `Response` takes none for them. */
const bodiless = [204, 205, 304];

/** Describe the body as it travelled, and not the bytes that have arrived. */
const transferHeaders = ['content-encoding', 'content-length', 'transfer-encoding'];

function toResponse({ response, body }: RawResponse): Response {
  const { status } = response;
  // A custom fetch may give a reason phrase that a `Response` does not take; it says nothing that the status does not.
  const statusText = /^[\t -~\u0080-\u00ff]*$/.test(response.statusText) ? response.statusText : '';
  const headers = new Headers();
  response.headers.forEach((value, name) => {
    if (!transferHeaders.includes(name)) headers.append(name, value);
  });
  return new Response(bodiless.includes(status) ? null : body, { status, statusText, headers });
}
