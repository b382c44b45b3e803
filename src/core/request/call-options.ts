// Checks the options of a call and merges them over the client's.

import { credentialHeaders, type HeaderRecord } from '../attempt/auth.ts';
import { adopt } from '../attempt/deadline.ts';
import type { FetchInit, FetchOptions } from '../attempt/fetch.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import type { CallDefaults, HeadersInput, ListOptions, RequestOptions, ValidationMode } from '../options.ts';
import {
  assertKnown,
  checkChoice,
  checkCount,
  checkDuration,
  checkObject,
  checkSignal,
  refuse,
} from './checks.ts';

/** The defaults that a client sets for its calls, all resolved. */
export interface CallRules {
  /** Whether the client has no key, so that callers may authenticate with a proxy. */
  readonly isKeyless: boolean;
  readonly timeout: number | false;
  readonly totalTimeout: number | false;
  readonly maxRetries: number;
  readonly validation: ValidationMode;
  readonly headers: HeaderRecord;
  readonly fetchOptions: FetchOptions;
}

type SharedOptions = CallDefaults & { readonly headers?: HeadersInput | undefined };

/** The rules of one call: its own options merged over the client's. */
export interface CallConfig extends CallRules {
  readonly signal: AbortSignal | undefined;
}

/** Decided by the transport for every request. */
const ownedFetchOptions = [
  'method',
  'headers',
  'body',
  'signal',
  'redirect',
] as const satisfies (keyof FetchInit)[];

/** Options shared by clients and calls. */
const sharedNames = {
  timeout: true,
  totalTimeout: true,
  maxRetries: true,
  validation: true,
  headers: true,
  fetchOptions: true,
} satisfies Record<keyof SharedOptions, true>;

const boundNames = ['maxItems', 'maxPages', 'concurrency'] as const;

export const callNames: readonly string[] = [...Object.keys(sharedNames), 'signal'];
const listNames = [...callNames, 'distinct', ...boundNames];

const validationModes: readonly string[] = ['strict', 'report', 'off'];

/** Reads the caller's options once, including nested headers and options, so that changing them later has no effect. */
export function readOptions<Options extends RequestOptions>(options: Options): Options {
  if (typeof options !== 'object' || options === null) return options;
  const read = readFields(options, listNames);
  const { signal, headers, fetchOptions } = read;
  return {
    ...read,
    signal: adopt(signal),
    headers: copy(headers),
    fetchOptions: copy(fetchOptions),
  } as Options;
}

/** An object's own fields, and those of `names` that it inherits, as an instance of a class with getters does. */
export function readFields(given: object, names: readonly string[]): Readonly<Record<string, unknown>> {
  const all = new Set([...Object.keys(given), ...names]);
  return Object.fromEntries(
    [...all].filter((name) => name in given).map((name) => [name, Reflect.get(given, name)]),
  );
}

/** Uses the iterator, since a Headers object may come from another realm or a library. */
export function copy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  return (Symbol.iterator in value ? Object.fromEntries([...(value as Iterable<[]>)]) : { ...value }) as T;
}

/**
 * Checks the options of one call and merges them over the client's.
 *
 * @throws {ConfigurationError} when an option is invalid
 */
export function resolveCall(defaults: CallRules, options: ListOptions<never>, isList = false): CallConfig {
  const { signal, distinct } = checkObject('options', options);
  assertKnown('the options of a call', options, isList ? listNames : callNames);
  checkSignal(signal);
  for (const name of boundNames) if (options[name] !== undefined) checkCount(name, options[name]);
  if (distinct !== undefined && distinct !== true && typeof distinct !== 'function') {
    refuse('distinct', '`true` or a function from an item to its key');
  }
  return { ...resolveRules(defaults, options), signal };
}

/**
 * Checks the options that clients and calls share and merges them over `defaults`.
 *
 * @throws {ConfigurationError} when an option is invalid
 */
export function resolveRules(defaults: CallRules, options: SharedOptions): CallRules {
  const { timeout, totalTimeout, maxRetries, validation, headers, fetchOptions } = options;
  if (timeout !== undefined && timeout !== false) checkDuration('timeout', timeout, 1);
  if (totalTimeout !== undefined && totalTimeout !== false) checkDuration('totalTimeout', totalTimeout, 1);
  if (maxRetries !== undefined) checkCount('maxRetries', maxRetries, 0);
  if (validation !== undefined) checkChoice('validation', validation, validationModes);
  return {
    isKeyless: defaults.isKeyless,
    timeout: timeout ?? defaults.timeout,
    totalTimeout: totalTimeout ?? defaults.totalTimeout,
    maxRetries: maxRetries ?? defaults.maxRetries,
    validation: validation ?? defaults.validation,
    headers:
      headers === undefined ? defaults.headers : layOver(defaults.headers, headers, defaults.isKeyless),
    fetchOptions: {
      ...defaults.fetchOptions,
      ...(fetchOptions !== undefined && checkFetchOptions(fetchOptions)),
    },
  };
}

function checkFetchOptions(options: FetchOptions): FetchOptions {
  const owned = ownedFetchOptions.find((name) => name in checkObject('fetchOptions', options));
  if (owned === undefined) return options;
  throw new ConfigurationError(`\`fetchOptions\` must not contain \`${owned}\`, which the client decides.`);
}

/** Merges headers; `undefined` and `null` omit one. */
function layOver(defaults: HeaderRecord, input: HeadersInput, isKeyless: boolean): HeaderRecord {
  const headers = new Headers(defaults);
  // Uses the iterator, since a Headers object may come from another realm or a library.
  const isIterable = Symbol.iterator in checkObject('headers', input);
  const entries = isIterable ? [...(input as Headers)] : Object.entries(input);
  for (const [name, value] of entries) {
    const lowerCased = name.toLowerCase();
    if (credentialHeaders.includes(lowerCased) && !(isKeyless && lowerCased === 'authorization')) {
      throw new ConfigurationError(`\`headers\` must not contain ${name}: pass the key as \`apiKey\`.`);
    }
    try {
      if (value === undefined || value === null) headers.delete(name);
      else headers.set(name, value);
    } catch {
      // The platform's message shows the value, which may be a secret.
      throw new ConfigurationError(
        `\`headers\` contains ${JSON.stringify(name)}, whose name or value HTTP does not allow.`,
      );
    }
  }
  return Object.fromEntries(headers);
}
