import ky, { type KyInstance } from 'ky';
import { isStandardSchema } from '../util/standard-schema.ts';
import { type ApiKey, checkApiKey } from './attempt/auth.ts';
import type { Fetch } from './attempt/fetch.ts';
import { Gate, Pause } from './attempt/gate.ts';
import { ConfigurationError } from './errors/configuration-error.ts';
import { hookNames } from './hooks.ts';
import { logLevels, Observer } from './observer.ts';
import type { ClientOptions } from './options.ts';
import type { RecordSchemas } from './record-schemas.ts';
import { type CallRules, copy, readFields, resolveRules } from './request/call-options.ts';
import {
  assertKnown,
  checkChoice,
  checkCount,
  checkDuration,
  checkFunction,
  checkObject,
  refuse,
} from './request/checks.ts';
import { checkBaseUrl } from './request/url.ts';
import { VERSION } from './version.ts';

/** A client's options, checked and with defaults filled in. */
export interface Config {
  /** The options as passed in, for `withOptions`. */
  readonly given: ClientOptions;
  readonly baseUrl: string;
  readonly apiKey: ApiKey | null;
  readonly maxRetryAfter: number;
  readonly maxConcurrency: number;
  readonly schemas: RecordSchemas;
  /** The defaults of every call. */
  readonly rules: CallRules;
  /** Makes attempts. Retries, deadlines and errors follow the rules of the operation, which ky does not know. */
  readonly http: KyInstance;
  /** `undefined` for the global one. */
  readonly fetch: Fetch | undefined;
  readonly observer: Observer;
  /** Limits concurrency for all attempts. */
  readonly gate: Gate;
  readonly pause: Pause;
  /** Keys sent recently, to be redacted wherever they are echoed. */
  readonly usedKeys: Set<string>;
}

const defaultRules = {
  timeout: 30_000,
  totalTimeout: false,
  maxRetries: 2,
  validation: 'strict',
  headers: {},
  fetchOptions: {},
} as const;

/** Every client option. */
const clientNames = Object.keys({
  baseUrl: true,
  apiKey: true,
  timeout: true,
  totalTimeout: true,
  maxRetries: true,
  maxRetryAfter: true,
  maxConcurrency: true,
  validation: true,
  schemas: true,
  headers: true,
  fetch: true,
  fetchOptions: true,
  hooks: true,
  logger: true,
  logLevel: true,
  allowInsecureHttp: true,
  dangerouslyAllowBrowser: true,
} satisfies Record<keyof ClientOptions, true>);

const schemaNames = Object.keys({
  participant: true,
  exam: true,
  examResult: true,
} satisfies Record<keyof RecordSchemas, true>);

const loggerMethods = ['debug', 'info', 'warn', 'error'] as const;

/**
 * Fills in defaults and environment variables.
 *
 * @throws {ConfigurationError} when an option is invalid
 */
export function resolveConfig(options: ClientOptions, relative?: Config): Config {
  assertKnown('the options of the client', checkObject('options', options), clientNames);
  const {
    baseUrl = readEnvironment('EXAM_SERVICE_BASE_URL'),
    apiKey: key = readEnvironment('EXAM_SERVICE_API_KEY'),
    dangerouslyAllowBrowser = false,
    allowInsecureHttp = false,
    maxRetryAfter = 60_000,
    maxConcurrency = Number.POSITIVE_INFINITY,
    hooks = [],
    logger = console,
    logLevel = 'warn',
    schemas = {},
    fetch,
  } = options;
  checkChoice('logLevel', logLevel, logLevels);
  checkFunction('fetch', fetch);
  const hookSets = [hooks].flat();
  for (const set of hookSets) {
    assertKnown('`hooks`', checkObject('hooks', set), hookNames);
    for (const [name, hook] of Object.entries(set)) checkFunction(`hooks.${name}`, hook);
  }
  if (loggerMethods.some((method) => typeof logger?.[method] !== 'function')) {
    throw new ConfigurationError(`\`logger\` must have the methods ${loggerMethods.join(', ')}.`);
  }
  assertKnown('`schemas`', checkObject('schemas', schemas), schemaNames);
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema !== undefined && !isStandardSchema(schema)) {
      refuse(`schemas.${name}`, 'a Standard Schema, such as a Zod or Valibot schema');
    }
  }
  if (maxConcurrency !== Number.POSITIVE_INFINITY) checkCount('maxConcurrency', maxConcurrency);
  checkDuration('maxRetryAfter', maxRetryAfter, 0);
  assertPresent(baseUrl, key);
  const apiKey = checkKeyOption(key, dangerouslyAllowBrowser);
  const address = checkBaseUrl(baseUrl, allowInsecureHttp);
  // The service limits requests by key, so clients of one key share their limits.
  const isSame = relative !== undefined && relative.baseUrl === address && relative.apiKey === apiKey;
  const shared = isSame ? relative : undefined;
  const headers = userAgent();
  return {
    baseUrl: address,
    apiKey,
    maxRetryAfter,
    maxConcurrency,
    schemas,
    rules: resolveRules({ ...defaultRules, headers, isKeyless: apiKey === null }, options),
    http: ky.create({ prefix: address, retry: 0, timeout: false, throwHttpErrors: false }),
    fetch,
    observer: new Observer(hookSets, logger, logLevel),
    gate: (shared?.maxConcurrency === maxConcurrency && shared.gate) || new Gate(maxConcurrency),
    pause: shared?.pause ?? new Pause(),
    given: {
      ...readFields(options, clientNames),
      hooks: hookSets,
      headers: copy(options.headers),
      fetchOptions: copy(options.fetchOptions),
    },
    usedKeys: shared?.usedKeys ?? new Set(typeof apiKey === 'string' ? [apiKey] : []),
  };
}

/** @throws {ConfigurationError} that names everything that is missing, so that nobody has to try twice */
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
  const { process, navigator } = globalThis as { process?: { versions?: object }; navigator?: Navigator };
  const isServer = process?.versions !== undefined || navigator?.userAgent === 'Cloudflare-Workers';
  return isServer && !isBrowserPage() ? { 'user-agent': `exam-service-sdk/${VERSION}` } : {};
}

function isBrowserPage(): boolean {
  return typeof window !== 'undefined' && typeof window.document !== 'undefined';
}

/** A variable of the process environment, where the platform has one. */
function readEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name]?.trim() || undefined;
}
