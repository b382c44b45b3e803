import type { RecordSchemas } from './answer/records.ts';
import { type ApiKey, checkApiKey, credentialHeaders, type HeaderRecord } from './attempt/auth.ts';
import { Gate } from './attempt/gate.ts';
import { longestDelay } from './attempt/time.ts';
import { ConfigurationError } from './errors/configuration-error.ts';
import { logLevels, Observer } from './observer.ts';
import type {
  CallDefaults,
  ClientOptions,
  Fetch,
  HeadersInput,
  ListOptions,
  ValidationMode,
} from './options.ts';
import { checkBounds, isCount } from './pages/page-promise.ts';
import { checkBaseUrl } from './request/url.ts';

/** Limits of a call, every one of them set. */
interface CallLimits {
  readonly timeout: number | false;
  readonly totalTimeout: number | false;
  readonly maxRetries: number;
  readonly validation: ValidationMode;
}

/** A client's options after checking, with every default filled in. */
export interface Config extends CallLimits {
  readonly baseUrl: string;
  readonly apiKey: ApiKey | null;
  readonly maxRetryAfter: number;
  readonly headers: HeaderRecord;
  readonly fetch: Fetch;
  readonly schemas: RecordSchemas;
  readonly observer: Observer;
  /** What every attempt passes. */
  readonly gate: Gate;
  /** The keys that were sent lately, to be hidden wherever they are echoed. */
  readonly usedKeys: Set<string>;
}

/** The limits of one call: its own options over the client's. */
export interface CallConfig extends CallLimits {
  readonly headers: HeaderRecord;
  readonly signal: AbortSignal | undefined;
}

const loggerMethods = ['debug', 'info', 'warn', 'error'] as const;

const validationModes: ReadonlyArray<string> = ['strict', 'report', 'off'];

/** Fills in defaults and environment variables and refuses what cannot work, before anything is sent. */
export function resolveConfig(options: ClientOptions): Config {
  const {
    baseUrl = readEnvironment('EXAM_SERVICE_BASE_URL'),
    allowInsecureHttp = false,
    maxRetryAfter = 60_000,
    maxConcurrency = Number.POSITIVE_INFINITY,
    hooks = {},
    logger = console,
    logLevel = 'warn',
    schemas = {},
  } = options;
  if (!logLevels.includes(logLevel)) {
    throw new ConfigurationError(`\`logLevel\` must be one of ${logLevels.join(', ')}.`);
  }
  if (options.fetch !== undefined && typeof options.fetch !== 'function') {
    throw new ConfigurationError('`fetch` must be a function.');
  }
  for (const [name, hook] of Object.entries(checkObject('hooks', hooks))) {
    if (hook !== undefined && typeof hook !== 'function') {
      throw new ConfigurationError(`\`hooks.${name}\` must be a function.`);
    }
  }
  if (loggerMethods.some((method) => typeof logger?.[method] !== 'function')) {
    throw new ConfigurationError(`\`logger\` must have the functions ${loggerMethods.join(', ')}.`);
  }
  for (const [name, schema] of Object.entries(checkObject('schemas', schemas))) {
    if (schema !== undefined && typeof schema?.['~standard']?.validate !== 'function') {
      throw new ConfigurationError(
        `\`schemas.${name}\` must be a Standard Schema, such as a Zod or Valibot schema.`,
      );
    }
  }
  if (maxConcurrency !== Number.POSITIVE_INFINITY && !isCount(maxConcurrency)) {
    throw new ConfigurationError('`maxConcurrency` must be a positive integer.');
  }
  return {
    baseUrl: checkBaseUrl(baseUrl, allowInsecureHttp),
    apiKey: resolveKeyOption(options),
    ...checkLimits(options, { timeout: 30_000, totalTimeout: false, maxRetries: 2, validation: 'strict' }),
    maxRetryAfter: checkDuration('maxRetryAfter', maxRetryAfter, 0),
    headers: checkHeaders(options.headers),
    fetch: resolveFetch(options.fetch),
    schemas,
    observer: new Observer(hooks, logger, logLevel),
    gate: new Gate(maxConcurrency, maxRetryAfter),
    usedKeys: new Set(),
  };
}

/** Checks the options of one call and lays them over the client's. */
export function resolveCall(config: Config, options: ListOptions): CallConfig {
  const { signal } = options;
  checkBounds(options);
  if (signal !== undefined && typeof signal?.addEventListener !== 'function') {
    throw new ConfigurationError('`signal` must be an AbortSignal.');
  }
  const headers = { ...config.headers, ...checkHeaders(options.headers) };
  return { ...checkLimits(options, config), headers, signal };
}

function checkObject<T>(name: string, value: T): T & object {
  if (typeof value !== 'object' || value === null) {
    throw new ConfigurationError(`\`${name}\` must be an object.`);
  }
  return value;
}

function checkLimits(options: CallDefaults, defaults: CallLimits): CallLimits {
  const { timeout, totalTimeout, maxRetries, validation } = options;
  if (maxRetries !== undefined && !(Number.isSafeInteger(maxRetries) && maxRetries >= 0)) {
    throw new ConfigurationError('`maxRetries` must be an integer of 0 or more.');
  }
  if (validation !== undefined && !validationModes.includes(validation)) {
    throw new ConfigurationError(`\`validation\` must be one of ${validationModes.join(', ')}.`);
  }
  return {
    timeout: timeout === undefined ? defaults.timeout : checkTimeout('timeout', timeout),
    totalTimeout:
      totalTimeout === undefined ? defaults.totalTimeout : checkTimeout('totalTimeout', totalTimeout),
    maxRetries: maxRetries ?? defaults.maxRetries,
    validation: validation ?? defaults.validation,
  };
}

function checkTimeout(name: string, value: unknown): number | false {
  return value === false ? false : checkDuration(name, value, 1);
}

function checkDuration(name: string, value: unknown, least: number): number {
  if (typeof value !== 'number' || !(value >= least && value <= longestDelay)) {
    throw new ConfigurationError(
      `\`${name}\` must be a number of milliseconds from ${least} to ${longestDelay}.`,
    );
  }
  return value;
}

function checkHeaders(input: HeadersInput | undefined): HeaderRecord {
  if (input === undefined) return {};
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

function resolveFetch(fetch: Fetch | undefined): Fetch {
  // Looked up at each call, so that a fetch which is replaced later (a test's mock, a tracer) is used.
  if (fetch === undefined) return (input, init) => globalThis.fetch(input, init);
  // Never as a method: the fetch of a browser or a worker refuses every `this` but its own.
  return (input, init) => fetch(input, init);
}

function resolveKeyOption({ apiKey, dangerouslyAllowBrowser = false }: ClientOptions): ApiKey | null {
  const key = apiKey === undefined ? readEnvironment('EXAM_SERVICE_API_KEY') : apiKey;
  if (key === null) return null;
  if (key === undefined) {
    throw new ConfigurationError(
      'No API key: pass `apiKey`, or set EXAM_SERVICE_API_KEY. Pass `apiKey: null` when a proxy adds the key.',
    );
  }
  if (isBrowserPage() && !dangerouslyAllowBrowser) {
    throw new ConfigurationError(
      'An API key in a browser page can be read by every visitor. Call the service through a server of yours ' +
        'with `apiKey: null`, or set `dangerouslyAllowBrowser: true` if only people who may know the key open the page.',
    );
  }
  return typeof key === 'function' ? key : checkApiKey(key, '`apiKey`');
}

function isBrowserPage(): boolean {
  return typeof window !== 'undefined' && typeof window.document !== 'undefined';
}

/** A variable of the process environment, where the platform has one. */
function readEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name]?.trim() || undefined;
}
