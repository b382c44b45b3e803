// A client's options, checked, frozen and with their defaults.

import { isBrowserPage, isWorker, lookUp, readEnvironment } from '../../util/platform.ts';
import { isStandardSchema, type StandardSchema } from '../../util/standard-schema.ts';
import {
  aBoolean,
  aCount,
  aDuration,
  aFunction,
  anObject,
  anything,
  type Checked,
  expectObjects,
  type OptionTable,
  optional,
  optionOf,
  readOptions,
  withDefault,
} from '../check.ts';
import { ConfigurationError } from '../errors/base.ts';
import { type Hooks, hookSets } from '../hooks.ts';
import { defaultLogger, type Logger, type LogLevel, readLogLevel } from '../log.ts';
import type { RecordSchemas } from '../records.ts';
import { VERSION } from '../version.ts';
import { checkApiKey, checkBaseUrl } from './address-and-key.ts';
import { type CallRules, mergeOptions, sharedTable, synonyms } from './call-options.ts';
import type { ApiKey, ClientOptions, Fetch } from './client-options.ts';

const loggerMethods = ['debug', 'info', 'warn'] as const;

const aSchema = optional(
  optionOf<StandardSchema>('a Standard Schema, such as a Zod or Valibot schema', isStandardSchema),
);

const schemaTable = {
  participant: aSchema,
  exam: aSchema,
  examResult: aSchema,
} satisfies OptionTable<RecordSchemas>;

const clientTable = {
  ...sharedTable,
  baseUrl: anything<ClientOptions['baseUrl']>,
  apiKey: anything<ClientOptions['apiKey']>,
  maxRetryAfter: withDefault(aDuration(0), 65_000),
  maxConcurrency: withDefault(
    (value, name) => (value === Number.POSITIVE_INFINITY ? value : aCount()(value, name)),
    50,
  ),
  maxResponseBytes: withDefault(aCount(), 64 * 1024 * 1024),
  schemas: (value = {}, name) => readOptions(`\`${name}\``, anObject(value, name), schemaTable, `${name}.`),
  fetch: optional(aFunction<Fetch>),
  hooks: hookSets<Hooks>,
  logger: optional(
    optionOf<Logger>(`an object with the methods ${loggerMethods.join(', ')}`, (value) =>
      loggerMethods.every((method) => typeof Object(value)[method] === 'function'),
    ),
  ),
  logLevel: anything<unknown>,
  allowInsecureHttp: withDefault(aBoolean, false),
  dangerouslyAllowBrowser: withDefault(aBoolean, false),
} satisfies OptionTable<ClientOptions>;

/** The options of a client as its calls use them. */
export interface Settings {
  readonly baseUrl: string;
  readonly apiKey: ApiKey | null;
  readonly maxRetryAfter: number;
  readonly maxConcurrency: number;
  readonly maxResponseBytes: number;
  readonly schemas: RecordSchemas;
  /** `undefined` for the global one. */
  readonly fetch: Fetch | undefined;
  readonly hooks: readonly Hooks[];
  readonly logger: Logger;
  readonly logLevel: LogLevel;
  /** The rules of every call. */
  readonly rules: CallRules;
  /** The options as they were read, for `withOptions`: the address and key that are in force, and no defaults. */
  readonly given: ClientOptions<unknown, unknown, unknown>;
}

/**
 * Checks the options of a client and fills in defaults and environment variables.
 *
 * @throws {ConfigurationError} when an option is invalid
 */
export function readSettings(options: unknown): Settings {
  const read = readClientOptions(options, 'new ExamClient takes one object: { baseUrl, apiKey }');
  assertPlatform(read.fetch === undefined);
  const address = read.baseUrl === undefined ? readEnvironment('EXAM_SERVICE_BASE_URL') : read.baseUrl;
  const key = read.apiKey === undefined ? readEnvironment('EXAM_SERVICE_API_KEY') : read.apiKey;
  assertPresent(address, key);
  const apiKey = checkKeyOption(key, read.dangerouslyAllowBrowser);
  const baseUrl = checkBaseUrl(address, read.allowInsecureHttp);
  const defaults: CallRules = {
    isKeyless: apiKey === null,
    timeout: 30_000,
    totalTimeout: false,
    maxRetries: 2,
    validation: 'strict',
    headers: userAgent(),
    fetchOptions: {},
    signal: undefined,
  };
  const logger = read.logger ?? defaultLogger();
  const logLevel = readLogLevel(read.logLevel, logger);
  return Object.freeze({
    ...read,
    baseUrl,
    apiKey,
    logger,
    logLevel,
    rules: Object.freeze(mergeOptions(defaults, read)),
    given: { ...read, baseUrl, apiKey, logLevel } as Settings['given'],
  });
}

function readClientOptions(options: unknown, expected: string): Checked<typeof clientTable> {
  expectObjects(expected, options);
  return readOptions('the options of the client', options, clientTable, '', synonyms);
}

/** What the client uses of the platform; React Native's older engines and old test set-ups lack some. */
const platformNames = ['URL', 'URLSearchParams', 'Headers', 'Response', 'AbortController', 'TextDecoder'];

/** @throws {ConfigurationError} that names what the platform lacks */
function assertPlatform(needsFetch: boolean): void {
  const names = needsFetch ? [...platformNames, 'fetch'] : platformNames;
  const missing = names.filter((name) => Reflect.get(globalThis, name) === undefined);
  if (missing.length === 0) return;
  throw new ConfigurationError(`This platform has no ${missing.join(', ')}: load a polyfill first.`);
}

/** @throws {ConfigurationError} that names everything that is missing at once */
function assertPresent(baseUrl: unknown, key: ApiKey | null | undefined): asserts key is ApiKey | null {
  const missing = [
    (baseUrl === undefined || baseUrl === '') &&
      'No base URL: pass `baseUrl`, or set EXAM_SERVICE_BASE_URL, such as https://host/api/v1.',
    key === undefined &&
      'No API key: pass `apiKey`, or set EXAM_SERVICE_API_KEY. Pass `apiKey: null` when a proxy adds the key.',
  ].filter(Boolean);
  if (missing.length > 0) throw new ConfigurationError(missing.join(' '));
}

function checkKeyOption(key: ApiKey | null, dangerouslyAllowBrowser: boolean): ApiKey | null {
  if (key === null) return null;
  if (isBrowserPage() && !dangerouslyAllowBrowser) {
    throw new ConfigurationError(
      'In a browser page, every visitor can read the API key. Call the service through a proxy with `apiKey: null`, ' +
        'or set `dangerouslyAllowBrowser: true` if only trusted users can open the page.',
    );
  }
  return typeof key === 'function' ? key : checkApiKey(key, '`apiKey`');
}

/** Browsers set their own user agent, and an extra header would trigger a CORS preflight. */
function userAgent(): Readonly<Record<string, string>> {
  const isServer = lookUp(({ versions }) => versions) || isWorker();
  return isServer && !isBrowserPage() ? { 'user-agent': `exam-service-sdk/${VERSION}` } : {};
}

/** Options of a client with others in their place: each replaces its counterpart, `undefined` changes nothing. */
export function overrideOptions(given: Settings['given'], options: object): Settings['given'] {
  const read = readClientOptions(options, 'withOptions takes one object: { timeout }, for example');
  const others = Object.entries(read).filter(([name]) => Reflect.get(options, name) !== undefined);
  const schemas = Object.entries(read.schemas).filter(([, schema]) => schema !== undefined);
  return {
    ...given,
    ...Object.fromEntries(others),
    // By name, as each is the type of its records.
    schemas: { ...given.schemas, ...Object.fromEntries(schemas) },
  };
}
