// The options of a proxy, checked and with their defaults.

import {
  aCount,
  aFunction,
  aNumber,
  type Check,
  type Checked,
  type OptionTable,
  optionOf,
  readOptions,
  throwInvalid,
  withDefault,
} from '../core/check.ts';
import { ConfigurationError } from '../core/errors/base.ts';
import { checkApiKey, checkBaseUrl } from '../core/options/address-and-key.ts';
import type { ApiKey, Fetch } from '../core/options/client-options.ts';
import { isObject } from '../util/json.ts';
import { withSuggestion } from '../util/suggest.ts';
import { tryOrUndefined } from '../util/try-or-undefined.ts';
import { listOf } from './call-fields.ts';
import { operations, type ProxyCall, type ProxyForced, type ProxyOperationName } from './operations.ts';

/** What `authorize` says of a request. */
export type ProxyDecision<Id extends ProxyOperationName = ProxyOperationName> =
  | boolean
  | null
  | Response
  | ProxyForced<Id>;

/** Options of `createProxyHandler`. */
export interface ProxyOptions<Id extends ProxyOperationName = ProxyOperationName> {
  /** Address of the service including the version prefix, such as `https://host/api/v1`; http only on this machine. */
  readonly baseUrl: string | URL;
  /** The API key, or a function that is called before every request, so that keys can rotate. */
  readonly apiKey: ApiKey;
  /**
   * Path of the proxy on its own server, as the handler sees it; `/` if your framework strips the prefix. A request outside it is a 404.
   * @default '/api/v1'
   */
  readonly basePath?: string | undefined;
  /** The operations that pass, by the names of the client's methods. Everything else is rejected with 403. */
  readonly allow: readonly Id[];
  /**
   * Decides about each request before it is sent, within `timeout`. `true` lets it pass. `null`, where nobody has signed in, rejects
   * it with 401, and `false` with 403. A `Response` is sent as it is. `{ query }` and `{ body }`, plain objects with at least one
   * value, let it pass with values that win over the page's. Anything else, or an error, gives the page a 500, and nothing is sent.
   * The body of `request` has been read.
   */
  readonly authorize: (
    request: Request,
    call: ProxyCall<Id>,
  ) => ProxyDecision<Id> | PromiseLike<ProxyDecision<Id>>;
  /** Time limit in milliseconds for the service, for `authorize`, and for the body of the page to arrive. @default 20_000 */
  readonly timeout?: number | undefined;
  /** Longest body of a page, in bytes; a longer one is rejected with 413. @default 1_048_576 */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Other origins whose pages may read (GET), such as `https://app.example.com`. To let a page write, serve the proxy on that
   * page's origin.
   * @default none
   */
  readonly origins?: readonly string[] | undefined;
  /** Sends the requests: called as `(url: string, init)`. @default globalThis.fetch */
  readonly fetch?: Fetch | undefined;
  /**
   * Called for every response with 5xx: with a `ProxyError` for what went wrong at the service, a `ConfigurationError` for
   * a mistake in the setup, or what `authorize` threw.
   * @default console.error
   */
  readonly onError?: ((error: unknown, request: Request) => unknown) | undefined;
}

/** Also of a plain http address, which would show the key to the network. */
const anAddress: Check<string> = (value) => checkBaseUrl(value, false);

const anApiKey: Check<ApiKey> = (value) =>
  typeof value === 'function' ? (value as () => string) : checkApiKey(value, '`apiKey`');

const aPath = optionOf<string>('a path alone that starts with "/", such as /api/v1', (value) =>
  /^(\/[\w.~-]+)*\/?$/.test(String(value)),
);

/** As a browser sends it: without a path, a default port or capitals. */
const anOrigin = optionOf<string>(
  'an origin such as https://app.example.com',
  (value) => /^https?:/.test(String(value)) && tryOrUndefined(() => new URL(String(value)).origin) === value,
);

const anOperation: Check<ProxyOperationName> = (value, name) => {
  const known = Object.keys(operations);
  if (known.includes(String(value))) return value as ProxyOperationName;
  throw new ConfigurationError(
    `Unknown operation in \`${name}\`: ${withSuggestion(String(value), known)}. Use names such as \`exams.list\`.`,
  );
};

const operationList = listOf(anOperation);

const atLeastOne: Check<readonly ProxyOperationName[]> = (value, name) => {
  const allowed = operationList(value, name);
  return allowed.length > 0
    ? allowed
    : throwInvalid(name, 'a list of at least one operation', ' An empty one allows nothing.');
};

const proxyTable = {
  baseUrl: anAddress,
  apiKey: anApiKey,
  basePath: withDefault(aPath, '/api/v1'),
  allow: atLeastOne,
  authorize: aFunction<(request: Request, call: object) => unknown>,
  timeout: withDefault(aNumber(1), 20_000),
  maxBodyBytes: withDefault(aCount(), 1_048_576),
  origins: withDefault(listOf(anOrigin), []),
  // Looked up at each call, so that a replaced global (a mock, a tracer, a logger) is used.
  fetch: withDefault(aFunction<Fetch>, (url: string, init: RequestInit) => globalThis.fetch(url, init)),
  onError: withDefault(aFunction<(error: unknown, request: Request) => unknown>, (error: unknown) =>
    console.error(error),
  ),
} satisfies OptionTable<ProxyOptions>;

/** The options with their defaults, as the rest of the proxy sees them. */
export type ProxySettings = Checked<typeof proxyTable>;

/** @throws {ConfigurationError} for an unknown name or an invalid value */
export function readProxyOptions(options: unknown): ProxySettings {
  if (!isObject(options)) {
    throw new ConfigurationError(
      'createProxyHandler takes one object: { baseUrl, apiKey, allow, authorize }.',
    );
  }
  return readOptions('the options of createProxyHandler', options, proxyTable);
}
