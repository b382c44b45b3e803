import { isCount, LONGEST_TIMER_MS } from '../../util/numbers.ts';
import { credentialHeaders, type HeaderRecord } from '../attempt/auth.ts';
import type { FetchInit, FetchOptions } from '../attempt/fetch.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import type { CallDefaults, HeadersInput, ListOptions, ValidationMode } from '../options.ts';

/** The rules of a call that a client sets for all its calls, every one of them decided. */
export interface CallRules {
  readonly timeout: number | false;
  readonly totalTimeout: number | false;
  readonly maxRetries: number;
  readonly validation: ValidationMode;
  readonly headers: HeaderRecord;
  readonly fetchOptions: FetchOptions;
}

/** The rules of one call: its own options over the client's. */
export interface CallConfig extends CallRules {
  readonly signal: AbortSignal | undefined;
}

/** What the transport decides about every request. */
const ownedFetchOptions = [
  'method',
  'headers',
  'body',
  'signal',
  'redirect',
] as const satisfies (keyof FetchInit)[];

const validationModes: readonly string[] = ['strict', 'report', 'off'];

/**
 * Checks the options of one call and lays them over the client's.
 *
 * @throws {ConfigurationError} for an option that is invalid
 */
export function resolveCall(defaults: CallRules, options: ListOptions): CallConfig {
  const { signal } = options;
  if (signal !== undefined && typeof signal?.addEventListener !== 'function') {
    throw new ConfigurationError('`signal` must be an AbortSignal.');
  }
  for (const name of ['maxItems', 'maxPages', 'concurrency'] as const) {
    if (options[name] !== undefined && !isCount(options[name])) {
      throw new ConfigurationError(`\`${name}\` must be a positive integer.`);
    }
  }
  return { ...resolveRules(defaults, options), signal };
}

/**
 * Checks the options that a client and a call share and lays them over `defaults`.
 *
 * @throws {ConfigurationError} for an option that is invalid
 */
export function resolveRules(
  defaults: CallRules,
  options: CallDefaults & { readonly headers?: HeadersInput | undefined },
): CallRules {
  const { timeout, totalTimeout, maxRetries, validation, headers, fetchOptions } = options;
  if (timeout !== undefined && timeout !== false) checkDuration('timeout', timeout, 1);
  if (totalTimeout !== undefined && totalTimeout !== false) checkDuration('totalTimeout', totalTimeout, 1);
  if (maxRetries !== undefined && !isCount(maxRetries, 0)) {
    throw new ConfigurationError('`maxRetries` must be an integer of 0 or more.');
  }
  if (validation !== undefined && !validationModes.includes(validation)) {
    throw new ConfigurationError(`\`validation\` must be one of ${validationModes.join(', ')}.`);
  }
  return {
    timeout: timeout ?? defaults.timeout,
    totalTimeout: totalTimeout ?? defaults.totalTimeout,
    maxRetries: maxRetries ?? defaults.maxRetries,
    validation: validation ?? defaults.validation,
    headers: headers === undefined ? defaults.headers : { ...defaults.headers, ...readHeaders(headers) },
    fetchOptions: {
      ...defaults.fetchOptions,
      ...(fetchOptions !== undefined && checkFetchOptions(fetchOptions)),
    },
  };
}

/** @throws {ConfigurationError} unless `value` is a number of milliseconds that a timer can hold */
export function checkDuration(name: string, value: unknown, least: number): void {
  if (typeof value !== 'number' || !(value >= least && value <= LONGEST_TIMER_MS)) {
    throw new ConfigurationError(
      `\`${name}\` must be a number of milliseconds from ${least} to ${LONGEST_TIMER_MS}.`,
    );
  }
}

/** @throws {ConfigurationError} unless `value` is an object */
export function checkObject<T>(name: string, value: T): T & object {
  if (typeof value === 'object' && value !== null) return value;
  throw new ConfigurationError(`\`${name}\` must be an object.`);
}

function checkFetchOptions(options: FetchOptions): FetchOptions {
  const owned = ownedFetchOptions.find((name) => name in checkObject('fetchOptions', options));
  if (owned === undefined) return options;
  throw new ConfigurationError(
    `\`fetchOptions\` must not hold \`${owned}\`, which the client decides; headers and a signal are options of their own.`,
  );
}

function readHeaders(input: HeadersInput): HeaderRecord {
  const headers = new Headers();
  // By its iterator, since a Headers object may come from another realm or a library.
  const isIterable = Symbol.iterator in checkObject('headers', input);
  const entries = isIterable ? [...(input as Headers)] : Object.entries(input);
  for (const [name, value] of entries) {
    if (value === undefined) continue;
    if (credentialHeaders.includes(name.toLowerCase())) {
      throw new ConfigurationError(`\`headers\` must not hold ${name}: pass the key as \`apiKey\`.`);
    }
    try {
      headers.append(name, value);
    } catch {
      // The platform's message shows the value, which may be a secret.
      throw new ConfigurationError(
        `\`headers\` holds ${JSON.stringify(name)}, whose name or value HTTP does not allow.`,
      );
    }
  }
  return Object.fromEntries(headers);
}
