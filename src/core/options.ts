import type { ApiKey } from './attempt/auth.ts';
import type { Fetch, FetchOptions } from './attempt/fetch.ts';
import type { Hooks } from './hooks.ts';
import type { Logger, LogLevel } from './observer.ts';
import type { RecordSchemas } from './record-schemas.ts';

/** What to do with an answer that has another shape than expected. */
export type ValidationMode = 'strict' | 'report' | 'off';

/** Options that a client takes and that one call may set otherwise. */
export interface CallDefaults {
  /**
   * Time for one attempt, from asking for the key to the last byte of the answer, in milliseconds.
   * `false` for no limit.
   * @default 30_000
   */
  readonly timeout?: number | false | undefined;
  /**
   * Time for all attempts and the waits between them, in milliseconds. `false` for no limit.
   * @default false
   */
  readonly totalTimeout?: number | false | undefined;
  /**
   * How often a failed request is sent again, at most. What is repeated depends on the operation: see the
   * README, Retries.
   * @default 2
   */
  readonly maxRetries?: number | undefined;
  /**
   * What to do with an answer whose shape is not the expected one: `strict` throws a
   * `ResponseValidationError`; `report` tells the `onSchemaDrift` hook and the log, and returns the answer as
   * it came; `off` does not look. Only `strict` makes the types of the results true, those of `schemas` included: with `report`
   * and `off` they say what is expected, and with `off` no schema runs, so that nothing is transformed either.
   * @default 'strict'
   */
  readonly validation?: ValidationMode | undefined;
  /**
   * Further options for `fetch`, laid into its second argument: `dispatcher`, `cache`, `next`, `credentials`, `keepalive`,
   * whatever the platform's or your own `fetch` understands. Those of a call go over those of the client. What the client
   * decides (`method`, `headers`, `body`, `signal`, `redirect`) cannot be given here.
   */
  readonly fetchOptions?: FetchOptions | undefined;
}

/** Options of one call, the last argument of every operation. */
export interface RequestOptions extends CallDefaults {
  /** Ends the call at once, also during a wait; it then rejects with the signal's own reason. */
  readonly signal?: AbortSignal | undefined;
  /** Further request headers. Credentials and `Accept` are set by the client and cannot be given here. */
  readonly headers?: HeadersInput | undefined;
}

/** Options of a list operation: those of every call, and how the list is iterated. */
export interface ListOptions<Item = unknown> extends RequestOptions {
  /** Iteration ends after this many items; by pages, with the page that reaches it. Default: no bound. */
  readonly maxItems?: number | undefined;
  /** Iteration ends after this many pages. Default: no bound. */
  readonly maxPages?: number | undefined;
  /**
   * Requests that an iteration has under way at once: pages are fetched ahead and still come in order. 1 fetches
   * none ahead.
   * @default 1
   */
  readonly concurrency?: number | undefined;
  /**
   * Leaves out items that an iteration has given already: rows that are inserted meanwhile push others onto the next
   * page, where they come again. `true` tells items apart by their `id`; a function gives another key, compared as in a
   * `Map`. Each key is kept in memory. An item without an `id` (those of exam results are undocumented) is an error with
   * `true`.
   * @default every item is given
   */
  readonly distinct?: true | ((item: Item) => unknown) | undefined;
}

/** Headers by name. `undefined` or `null` leaves a header out, in a call also one of the client. */
export type HeadersInput = Headers | Readonly<Record<string, string | null | undefined>>;

/** Options of a client. */
export interface ClientOptions<Schemas extends RecordSchemas = RecordSchemas> extends CallDefaults {
  /**
   * Address of the service with the version prefix, such as `https://host/api/v1` (interface document,
   * opening section).
   * @default the environment variable EXAM_SERVICE_BASE_URL
   */
  readonly baseUrl?: string | URL | undefined;
  /**
   * The API key; a function is asked before every attempt, so keys can rotate. `null` sends none, for a proxy
   * that adds it.
   * @default the environment variable EXAM_SERVICE_API_KEY
   */
  readonly apiKey?: ApiKey | null | undefined;
  /**
   * The longest `Retry-After` that is waited for, in milliseconds; if the service asks for more, the error is
   * thrown instead. With a 429, all requests of the client wait.
   * @default 60_000
   */
  readonly maxRetryAfter?: number | undefined;
  /**
   * Requests that the client has under way at once, whoever made them; others wait for their turn. Waiting counts
   * for `totalTimeout` and not for `timeout`.
   * @default no limit
   */
  readonly maxConcurrency?: number | undefined;
  /**
   * Headers for every request. `Accept` and the credentials cannot be given here, but for an `Authorization` of your own with
   * `apiKey: null`, for a proxy.
   */
  readonly headers?: HeadersInput | undefined;
  /**
   * Sends the requests: called as `(url: string, init)`, so that the `fetch` of undici and of node-fetch fit as well.
   * @default globalThis.fetch
   */
  readonly fetch?: Fetch | undefined;
  /**
   * Standard Schemas for the records whose fields the interface document does not show. Their output types
   * are the types of the results.
   */
  readonly schemas?: Schemas | undefined;
  /**
   * Called as calls go by: one set of hooks, or a list of sets that are all called, in their order. What a hook throws is logged
   * and changes nothing.
   */
  readonly hooks?: Hooks | readonly Hooks[] | undefined;
  /** @default console */
  readonly logger?: Logger | undefined;
  /** @default 'warn' */
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
