// The options of the client and of its calls, as callers pass them.

import type { Hooks } from '../hooks.ts';
import type { Logger, LogLevel } from '../log.ts';
import type { HttpMethod } from '../operation.ts';
import type { Exam, ExamResult, Participant, RecordSchemas } from '../records.ts';

/** An API key, or a function that returns the current one and is called before every attempt. */
export type ApiKey = string | (() => string | Promise<string>);

/** What to do with a response that does not have the expected shape. */
export type ValidationMode = 'strict' | 'report' | 'off';

/** Client options that a single call may override. */
export interface CallDefaults {
  /**
   * Time limit for one attempt, from getting the key to the last byte of the response, in milliseconds. `false` for no
   * limit.
   * @default 30_000
   */
  readonly timeout?: number | false | undefined;
  /**
   * Time limit for all attempts of a request and the waits between them, in milliseconds. `false` for no limit. A list applies it to
   * each page, a job and both `ensure` to each of their requests: `signal: AbortSignal.timeout(ms)` bounds the whole.
   * @default false
   */
  readonly totalTimeout?: number | false | undefined;
  /**
   * How many times a failed request is retried at most. Which failures are retried depends on the operation: see
   * docs/retries.md.
   * @default 2
   */
  readonly maxRetries?: number | undefined;
  /**
   * What to do with a response that does not have the expected shape: `strict` throws a `ResponseValidationError`;
   * `report` calls the `onSchemaDrift` hook, logs a warning and returns the data unchanged; `off` does not check.
   * Only `strict` guarantees the types of the results, including those of `schemas`: with `report` and `off` they say
   * what is expected, and with `off` no schema runs, so nothing is transformed either.
   * @default 'strict'
   */
  readonly validation?: ValidationMode | undefined;
  /**
   * Further options for `fetch`, merged into its second argument: `dispatcher`, `cache`, `next`, `credentials`,
   * `keepalive`, anything that the platform's or your own `fetch` understands. A call's options override the client's. You
   * cannot set what the client decides (`method`, `headers`, `body`, `signal`, `redirect`).
   */
  readonly fetchOptions?: FetchOptions | undefined;
}

/** Options of `importAll`, `assignAll`, `findByEmail` and both `ensure`, for each of their requests. */
export interface JobOptions extends CallDefaults {
  /**
   * Cancels the call immediately, even during a wait. It then rejects with the signal's own reason; `importAll` and
   * `assignAll` reject with their own error, whose `cause` it is.
   */
  readonly signal?: AbortSignal | undefined;
  /** Further request headers. You cannot set credentials, `Accept`, `Content-Type` and the headers of the connection here. */
  readonly headers?: HeadersInput | undefined;
}

/** Options of one call, the last argument of every other method. */
export interface RequestOptions extends JobOptions {
  /**
   * Further parameters of the query, sent as they are; for a list, with every page. A plain object of strings, numbers and booleans, in
   * which a list is sent as one parameter for each item and `undefined` is left out, or a `URLSearchParams`. The service ignores
   * parameters that it does not know: a misspelt filter filters nothing. Parameters that the method itself takes are rejected here.
   */
  readonly query?: object | undefined;
}

/** Options of a list operation: those of every call, and how to iterate over the list. */
export interface ListOptions<Item = unknown> extends RequestOptions {
  /**
   * Iteration ends after this many items; when iterating over pages, with the page that reaches it.
   * @default no limit
   */
  readonly maxItems?: number | undefined;
  /**
   * Iteration ends after this many pages, including those that are skipped because they repeat the page before.
   * @default no limit
   */
  readonly maxPages?: number | undefined;
  /**
   * Requests in flight at once during an iteration: pages are prefetched and still come in order. 1 prefetches none. Where the
   * service states neither the total nor the last page, at most the next page is prefetched. A list that changes while it is read
   * loses more rows with a higher number.
   * @default 1
   */
  readonly concurrency?: number | undefined;
  /**
   * Skips items that the iteration has already returned: rows inserted in the meantime push others onto the next page,
   * where they would appear again. With a `concurrency` above 1, they can also hide others: read page after page, or with
   * `untilStable`. `true` compares items by `id`; a function returns another key, compared as in a `Map`. Every key is
   * kept in memory. An item without an `id`, or without a key (`undefined`, `null`), is an error: the fields of exam
   * results are undocumented by the service.
   * @default every item is returned
   */
  readonly distinct?: true | ((item: Item) => unknown) | undefined;
}

/** Headers by name. `undefined` or `null` omits a header; in a call, also one set by the client. */
export type HeadersInput =
  | Headers
  | readonly (readonly [name: string, value: string | null | undefined])[]
  | Readonly<Record<string, string | null | undefined>>;

/** Options of a client. */
export interface ClientOptions<P = Participant, E = Exam, R = ExamResult> extends CallDefaults {
  /**
   * Address of the service including the version prefix, such as `https://host/api/v1`.
   * @default the environment variable EXAM_SERVICE_BASE_URL
   */
  readonly baseUrl?: string | URL | undefined;
  /**
   * The API key, or a function that is called before every attempt, so that the keys of one account can rotate: all calls share
   * one rate limit, so create a client for each account. `null` sends none, for a proxy that adds it.
   * @default the environment variable EXAM_SERVICE_API_KEY
   */
  readonly apiKey?: ApiKey | null | undefined;
  /**
   * The longest `Retry-After` to wait for, in milliseconds; if the service asks for more, the error is thrown instead.
   * A 429 pauses the whole client. The default is a minute and what rounding adds.
   * @default 65_000
   */
  readonly maxRetryAfter?: number | undefined;
  /**
   * Maximum number of requests in flight; further ones wait in a queue. Waiting counts towards `totalTimeout`, not
   * `timeout`. `Infinity` for no limit.
   * @default 50
   */
  readonly maxConcurrency?: number | undefined;
  /**
   * Longest body of a response that is read, in bytes after decompression; a longer one is a `ResponseFormatError`.
   * @default 67_108_864 (64 MiB)
   */
  readonly maxResponseBytes?: number | undefined;
  /**
   * Headers of every request. You cannot set credentials, `Accept`, `Content-Type` and the headers of the connection here; with
   * `apiKey: null`, you may set your own `Authorization`, for a proxy.
   */
  readonly headers?: HeadersInput | undefined;
  /**
   * Sends a request, once: called as `(url: string, init)`, so the `fetch` of undici or node-fetch works. The client retries; a
   * `fetch` that repeats requests by itself makes `outcome` and `attempts` of errors untrue.
   * @default globalThis.fetch
   */
  readonly fetch?: Fetch | undefined;
  /**
   * Standard Schemas for the records whose fields the service does not document. Their output types become the types of
   * the results.
   */
  readonly schemas?: RecordSchemas<P, E, R> | undefined;
  /**
   * Hooks into the calls: one set, or a list of sets that are called in order. Errors that a hook throws are logged and
   * change nothing.
   */
  readonly hooks?: Hooks | readonly Hooks[] | undefined;
  /**
   * Receives log lines.
   * @default the console; outside of a browser page, every line goes to standard error
   */
  readonly logger?: Logger | undefined;
  /**
   * The least severe level that is logged, in upper or lower case. An unknown one counts as `warn`, and a log line says so.
   * @default the environment variable EXAM_SERVICE_LOG, or 'warn'
   */
  readonly logLevel?: LogLevel | undefined;
  /**
   * Allows plain http to a host other than this machine.
   * @default false
   */
  readonly allowInsecureHttp?: boolean | undefined;
  /**
   * Allows an API key in a browser page, where every visitor can read it.
   * @default false
   */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
}

/** The platform's `fetch`, or one like it, such as those of undici and node-fetch. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** What `fetch` receives, besides the `fetchOptions` of the client and the call. */
export interface FetchInit {
  /** HTTP method. */
  readonly method: HttpMethod;
  /** Headers by lower-case name, including the credential. */
  readonly headers: Record<string, string>;
  /** The JSON body; absent when there is none. */
  readonly body?: string;
  /** Redirects are never followed: the key would be sent along. */
  readonly redirect: 'manual';
  /** Aborts when the caller cancels or time runs out. */
  readonly signal?: AbortSignal;
}

/** The part of a `Response` that is used; its body may be a web stream or, from node-fetch, a Node stream. */
export interface FetchResponse
  extends Pick<Response, 'ok' | 'status' | 'statusText' | 'redirected' | 'type' | 'url' | 'text'> {
  /** Headers of the response. */
  readonly headers: Pick<Headers, 'get' | 'has'> & {
    /** Calls `callback` for every header. */
    forEach(callback: (value: string, name: string) => void): void;
  };
  /** A stream of the bytes. */
  readonly body: unknown;
}

/** Options for `fetch` that the client does not decide: anything that the platform's or your own `fetch` understands. */
export interface FetchOptions {
  readonly [option: string]: unknown;
}
