// The options of a proxy, checked and with their defaults.

import { ConfigurationError } from '../core/errors/base.ts';
import type { ApiKey, Fetch } from '../core/options/client-options.ts';
import { isCount, LONGEST_TIMER_MS } from '../util/numbers.ts';
import { operations, type ProxyCall, type ProxyForced, type ProxyOperationId } from './operations.ts';

/** What `authorize` says of a request. */
export type ProxyDecision<Id extends ProxyOperationId = ProxyOperationId> =
  | boolean
  | Response
  | ProxyForced<Id>;

/** Options of `createProxyHandler`. */
export interface ProxyOptions<Id extends ProxyOperationId = ProxyOperationId> {
  /** Address of the service including the version prefix, such as `https://host/api/v1`; http only on this machine. */
  readonly baseUrl: string | URL;
  /** The API key, or a function that is called before every request, so that keys can rotate. */
  readonly apiKey: ApiKey;
  /**
   * Path of the proxy on its own server, as the handler sees it. Where a framework cuts it off, pass `/`.
   * @default '/api/v1'
   */
  readonly basePath?: string | undefined;
  /** The operations that pass, by the names of the client's methods. Everything else is refused with 403. */
  readonly allow: readonly Id[];
  /**
   * Decides about each request before it is sent. `true` lets it pass. `false` refuses it: 401 if it has neither a
   * cookie nor an `Authorization` header, else 403. A `Response` is the answer. `{ query }` and `{ body }` let it pass
   * with values that win over the page's. Anything else, and an error, is 500, and nothing is sent. The body of
   * `request` has been read.
   */
  readonly authorize: (
    request: Request,
    call: ProxyCall<Id>,
  ) => ProxyDecision<Id> | PromiseLike<ProxyDecision<Id>>;
  /** Time limit for the service to answer, and for the body of the page to arrive, in milliseconds. @default 20_000 */
  readonly timeout?: number | undefined;
  /** Longest body of a page, in bytes; a longer one is refused with 413. @default 1_048_576 */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Other origins whose pages may read, such as `https://app.example.com`. Writing is for pages of the proxy's own
   * origin. @default none
   */
  readonly origins?: readonly string[] | undefined;
  /** Sends the requests: called as `(url: string, init)`. @default globalThis.fetch */
  readonly fetch?: Fetch | undefined;
  /**
   * Called for every answer with 5xx that the proxy itself gives, and when the service refuses the key.
   * @default console.error
   */
  readonly onError?: ((error: unknown, request: Request) => unknown) | undefined;
}

/** The options with their defaults, as the rest of the proxy sees them. */
export interface ProxySettings {
  readonly baseUrl: string | URL;
  readonly apiKey: ApiKey;
  readonly basePath: string;
  readonly allow: readonly ProxyOperationId[];
  readonly authorize: (request: Request, call: object) => unknown;
  readonly timeout: number;
  readonly maxBodyBytes: number;
  readonly origins: readonly string[];
  readonly fetch: Fetch;
  readonly onError: (error: unknown, request: Request) => unknown;
}

/** Whether a key survives as a header value unchanged. */
export const isKey = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);

const isFunction = (value: unknown) => typeof value === 'function';
const isLimit = (value: unknown) => isCount(value) && value <= LONGEST_TIMER_MS;
const isListOf = (isItem: (item: string) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every((item) => isItem(String(item)));

/** Plain http would show the key to the network. */
const isAddress = (value: unknown) =>
  /^(https:\/\/|http:\/\/(localhost|127(\.\d+){3}|\[::1\])(?![^:/]))[^?#@\\\s]*$/.test(String(value));

type Rule = readonly [isValid: (value: unknown) => boolean, expected: string, fallback?: unknown];

/** What each option must be, and its default. */
const rules: { readonly [Name in keyof Required<ProxyOptions>]: Rule } = {
  baseUrl: [isAddress, 'an https address, or http on this machine'],
  apiKey: [(value) => isFunction(value) || isKey(value), 'a key or a function'],
  basePath: [(value) => /^(\/[\w.~-]+)*\/?$/.test(String(value)), 'a path', '/api/v1'],
  allow: [isListOf((id) => Object.hasOwn(operations, id)), 'a list of operations, such as `exams.list`'],
  authorize: [isFunction, 'a function'],
  timeout: [isLimit, 'a positive integer', 20_000],
  maxBodyBytes: [isLimit, 'a positive integer', 1_048_576],
  origins: [isListOf((origin) => /^https?:\/\/[^/?#@*]+$/.test(origin)), 'a list of origins', []],
  // Looked up at each call, so that a replaced global (a mock, a tracer, a logger) is used.
  fetch: [isFunction, 'a function', (url: string, init: RequestInit) => globalThis.fetch(url, init)],
  onError: [isFunction, 'a function', (error: unknown) => console.error(error)],
};

/** @throws {ConfigurationError} for an unknown name or an invalid value */
export function readProxyOptions(options: object): ProxySettings {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(rules, name));
  if (unknown !== undefined) throw new ConfigurationError(`The proxy has no option \`${unknown}\`.`);
  const entries = Object.entries(rules).map(([name, [isValid, expected, fallback]]) => {
    const value: unknown = Reflect.get(options, name) ?? fallback;
    if (!isValid(value)) throw new ConfigurationError(`\`${name}\` must be ${expected}.`);
    // Copied, so that changing a list later has no effect.
    return [name, Array.isArray(value) ? [...value] : value];
  });
  return Object.fromEntries(entries);
}
