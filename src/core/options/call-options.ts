// The options of calls: what each must be, and how they are merged over those of the client.

import { isObject } from '../../util/json.ts';
import { isQueryValue, parametersIn, queryForm, queryValue } from '../../util/query.ts';
import { readArguments } from '../arguments.ts';
import {
  aCount,
  aDuration,
  anObject,
  aSignal,
  type Check,
  type Checked,
  oneOf,
  optional,
  optionOf,
  orFalse,
  readOptions,
  throwInvalid,
} from '../check.ts';
import { ConfigurationError } from '../errors/base.ts';
import type { Operation, OperationName } from '../operation.ts';
import { adopt } from '../time.ts';
import type {
  CallDefaults,
  FetchInit,
  FetchOptions,
  JobOptions,
  ListOptions,
  RequestOptions,
  ValidationMode,
} from './client-options.ts';
import { type HeaderRecord, headerPairs, mergeHeaders } from './headers.ts';

/** The rules of a call: its own options merged over the client's, and those over the defaults. */
export interface CallRules {
  /** Whether the client has no key, so that callers may authenticate with a proxy. */
  readonly isKeyless: boolean;
  readonly timeout: number | false;
  readonly totalTimeout: number | false;
  readonly maxRetries: number;
  readonly validation: ValidationMode;
  readonly headers: HeaderRecord;
  readonly fetchOptions: FetchOptions;
  readonly signal: AbortSignal | undefined;
}

/** Decided by the transport for every request. */
const ownedFetchOptions: (keyof FetchInit)[] = ['method', 'headers', 'body', 'signal', 'redirect'];

const modes = ['strict', 'report', 'off'] as const satisfies readonly ValidationMode[];

const fetchOptions: Check<FetchOptions> = (value, name) => {
  const given = anObject(value, name);
  const owned = ownedFetchOptions.find((option) => option in given);
  if (owned !== undefined)
    throw new ConfigurationError(`\`fetchOptions\` must not contain \`${owned}\`, which the client decides.`);
  return { ...given };
};

/** What other clients call an option. */
export const synonyms = {
  agent: 'fetchOptions',
  defaultHeaders: 'headers',
  dispatcher: 'fetchOptions',
  httpAgent: 'fetchOptions',
  key: 'apiKey',
  token: 'apiKey',
  url: 'baseUrl',
};

/** The options that clients and calls share. */
export const sharedTable = {
  timeout: optional(orFalse(aDuration(1))),
  totalTimeout: optional(orFalse(aDuration(1))),
  maxRetries: optional(aCount(0)),
  validation: optional(oneOf(modes)),
  headers: optional(headerPairs),
  fetchOptions: optional(fetchOptions),
} satisfies Record<keyof CallDefaults | 'headers', Check>;

/** The options of the requests of a job. */
export const jobTable = {
  ...sharedTable,
  signal: optional((value, name) => adopt(aSignal(value, name))),
} satisfies Record<keyof JobOptions, Check>;

const queryParameters: Check<Readonly<Record<string, unknown>>> = (value, name) => {
  const given = parametersIn(value) ?? throwInvalid(name, queryForm);
  const wrong = Object.keys(given).find((parameter) => !isQueryValue(given[parameter]));
  return wrong === undefined ? given : throwInvalid(`${name}.${wrong}`, queryValue);
};

/** The options of a call. */
export const callTable = {
  ...jobTable,
  query: optional(queryParameters),
} satisfies Record<keyof RequestOptions, Check>;

/** The options of a call that returns a list. */
export const listTable = {
  ...callTable,
  maxItems: optional(aCount()),
  maxPages: optional(aCount()),
  concurrency: optional(aCount()),
  distinct: optional(
    optionOf<NonNullable<ListOptions<never>['distinct']>>(
      '`true` or a function from an item to its key',
      (value) => value === true || typeof value === 'function',
    ),
  ),
} satisfies Record<keyof ListOptions, Check>;

/** The options of a call, checked. */
export type CallOptions = Partial<Checked<typeof listTable>>;

/** @throws {ConfigurationError} when an option of a call is unknown or invalid */
export function readCallOptions(given: unknown, operation: Operation): CallOptions {
  const table = operation.response.kind === 'list' ? listTable : callTable;
  return readOptionsOf(methodOf(operation), given, table);
}

/** A method as messages show it. */
export interface Method {
  readonly name: OperationName;
  /** What it takes before its options. */
  readonly takes: readonly string[];
}

const ordinals = ['first', 'second', 'third'];

/**
 * Reads the options of a method. Parameters that are passed one by one end up in their place.
 *
 * @throws {ConfigurationError} when they are no object, or one of them is unknown or invalid
 * @throws {RequestValidationError} when they cannot be read
 */
export function readOptionsOf<const Table extends Readonly<Record<string, Check>>>(
  { name, takes }: Method,
  given: unknown,
  table: Table,
): Checked<Table> {
  return readArguments(name, () => {
    if (isObject(given)) return readOptions(`the options of ${name}`, given, table, '', synonyms);
    const call = `${name} takes (${[...takes, 'options?'].join(', ')})`;
    throw new ConfigurationError(`${call}: the ${ordinals[takes.length]} argument must be an object.`);
  });
}

/** The method of an operation: what it takes stands in its path and its schemas. */
export function methodOf({ id, path, request, takes }: Operation): Method {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const { form } = (takes ?? request.body ?? request.query)?.() ?? {};
  return { name: id, takes: form === undefined ? inPath : [...inPath, form] };
}

/** Merges options over `defaults`. */
export function mergeOptions(defaults: CallRules, options: Partial<Checked<typeof jobTable>>): CallRules {
  const { headers, fetchOptions } = options;
  return {
    isKeyless: defaults.isKeyless,
    timeout: options.timeout ?? defaults.timeout,
    totalTimeout: options.totalTimeout ?? defaults.totalTimeout,
    maxRetries: options.maxRetries ?? defaults.maxRetries,
    validation: options.validation ?? defaults.validation,
    headers:
      headers === undefined ? defaults.headers : mergeHeaders(defaults.headers, headers, defaults.isKeyless),
    fetchOptions: { ...defaults.fetchOptions, ...fetchOptions },
    signal: options.signal,
  };
}
