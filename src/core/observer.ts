import { describeIssues, type Issue } from '../util/standard-schema.ts';
import type { AuthScheme } from './attempt/auth.ts';
import type { ExamServiceError } from './errors/base.ts';
import type { Redact } from './redact/redact.ts';
import { redactHeaders } from './redact/safe.ts';
import type { HttpMethod } from './request/http-method.ts';

/** Where log lines go; `console` fits. */
export interface Logger {
  /** Takes lines about every request, its answer, and calls that failed. */
  debug(message: string): void;
  /** Takes lines about retries. */
  info(message: string): void;
  /** Takes lines about answers of another shape, deprecated operations and hooks that fail. */
  warn(message: string): void;
  /** Takes nothing so far: a failed call rejects, and its caller decides how grave that is. */
  error(message: string): void;
}

/** The least severe level that is logged. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'off';

/** What every hook is told of the request. */
export interface RequestEvent {
  /** The operation, such as `exams.list`. */
  readonly operation: string;
  /** HTTP method of the request. */
  readonly method: HttpMethod;
  /** The full address, with the query. */
  readonly url: string;
  /** Which attempt this is; 1 is the first. */
  readonly attempt: number;
}

/** A request is about to be sent. */
export interface OnRequestEvent extends RequestEvent {
  /** Which header will carry the key. */
  readonly auth: AuthScheme;
  /** The headers, before the credential is added; a hook may add some, such as `traceparent`. */
  readonly headers: Headers;
}

/** A response has come. */
export interface OnResponseEvent extends RequestEvent {
  /** HTTP status of the response. */
  readonly status: number;
  /** Headers of the response. */
  readonly headers: Headers;
  /** From sending the request to its response's headers, in milliseconds. */
  readonly durationMs: number;
}

/** An attempt failed and another will follow. */
export interface OnRetryEvent extends RequestEvent {
  /** Why the attempt failed. */
  readonly error: ExamServiceError;
  /** Wait before the next attempt, in milliseconds. */
  readonly delayMs: number;
}

/** With `validation: 'report'`: an answer did not have the expected shape. */
export interface OnSchemaDriftEvent {
  /** The operation, such as `exams.list`. */
  readonly operation: string;
  /** What differs, by path; no values. */
  readonly issues: readonly Issue[];
}

/** The service announced the end of an operation. */
export interface OnDeprecationEvent {
  /** The operation, such as `exams.list`. */
  readonly operation: string;
  /** The `Deprecation` header, as sent; `null` when only `Sunset` was sent. */
  readonly deprecation: string | null;
  /** The `Sunset` header, as sent: when the operation ends. */
  readonly sunset: string | null;
  /** The `Link` header, as sent: where to read about it. */
  readonly link: string | null;
}

/** Functions that are told what happens. They are not waited for, and what they throw changes nothing. */
export interface Hooks {
  /** Before every attempt. */
  readonly onRequest?: ((event: OnRequestEvent) => unknown) | undefined;
  /** After every response, whatever its status. */
  readonly onResponse?: ((event: OnResponseEvent) => unknown) | undefined;
  /** Before the wait that precedes another attempt. */
  readonly onRetry?: ((event: OnRetryEvent) => unknown) | undefined;
  /** With `validation: 'report'`, for every answer of another shape. */
  readonly onSchemaDrift?: ((event: OnSchemaDriftEvent) => unknown) | undefined;
  /** For every response with a `Deprecation` or `Sunset` header. */
  readonly onDeprecation?: ((event: OnDeprecationEvent) => unknown) | undefined;
}

const severity: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3, off: 4 };

/** Every hook. */
export const hookNames: readonly string[] = Object.keys({
  onRequest: true,
  onResponse: true,
  onRetry: true,
  onSchemaDrift: true,
  onDeprecation: true,
} satisfies Record<keyof Hooks, true>);

/** The names of the log levels. */
export const logLevels: readonly string[] = Object.keys(severity);

/** Tells hooks and logger what happens, and keeps their own failures away from the call. */
export class Observer {
  readonly #hooks: Hooks;
  readonly #logger: Logger;
  readonly #threshold: number;
  readonly #isDebugging: boolean;
  readonly #deprecated = new Set<string>();

  constructor(hooks: Hooks, logger: Logger, level: LogLevel) {
    this.#hooks = hooks;
    this.#logger = logger;
    this.#threshold = severity[level];
    this.#isDebugging = level === 'debug';
  }

  /** Lets the hook change `headers`, by way of a copy: it may keep what it was shown, which must never get the credential. */
  request(call: ObservedCall, auth: AuthScheme, headers: Headers): void {
    if (this.#isDebugging) this.#log('debug', `${describe(call)} sent`);
    if (this.#hooks.onRequest === undefined) return;
    const shown = new Headers(headers);
    this.#call('onRequest', { ...eventOf(call), auth, headers: shown });
    for (const name of [...headers.keys()]) if (!shown.has(name)) headers.delete(name);
    for (const [name, value] of shown) headers.set(name, value);
  }

  response(call: ObservedCall, response: Response, durationMs: number): void {
    const { status } = response;
    if (this.#hooks.onResponse !== undefined) {
      const headers = redactHeaders(response.headers, call.redact);
      this.#call('onResponse', { ...eventOf(call), status, headers, durationMs });
    }
    if (this.#isDebugging) {
      this.#log('debug', `${describe(call)} answered ${status} in ${Math.round(durationMs)} ms`);
    }
    if (response.headers.has('deprecation') || response.headers.has('sunset')) {
      this.#deprecation(call.operation, redactHeaders(response.headers, call.redact));
    }
  }

  retry(call: ObservedCall, error: ExamServiceError, delayMs: number): void {
    this.#call('onRetry', { ...eventOf(call), error, delayMs });
    this.#log('info', `${error.message} Trying again in ${delayMs} ms.`);
  }

  schemaDrift(event: OnSchemaDriftEvent): void {
    this.#call('onSchemaDrift', event);
    const described = describeIssues(event.issues);
    this.#log('warn', `${event.operation}: the answer has another shape than expected: ${described}`);
  }

  /** The error reaches the caller, who decides how grave it is; here it is only traced. */
  failure(error: ExamServiceError): void {
    this.#log('debug', error.message);
  }

  #deprecation(operation: string, headers: Headers): void {
    const deprecation = headers.get('deprecation');
    const sunset = headers.get('sunset');
    this.#call('onDeprecation', { operation, deprecation, sunset, link: headers.get('link') });
    if (this.#deprecated.has(operation)) return;
    this.#deprecated.add(operation);
    this.#log(
      'warn',
      `${operation}: the service has deprecated this operation${sunset ? `; it ends ${sunset}` : ''}`,
    );
  }

  // Both run up to their first wait at once; nobody waits for the rest, which never rejects.
  async #call<Name extends keyof Hooks>(
    name: Name,
    event: Parameters<NonNullable<Hooks[Name]>>[0],
  ): Promise<void> {
    try {
      await this.#hooks[name]?.(event as never);
    } catch {
      this.#log('warn', `the hook ${name} failed; the call goes on`);
    }
  }

  async #log(level: Exclude<LogLevel, 'off'>, message: string): Promise<void> {
    if (severity[level] < this.#threshold) return;
    try {
      await this.#logger[level](`exam-service-sdk: ${message}`);
    } catch {
      // There is nowhere left to report to, and logging must not break a call.
    }
  }
}

/** What the observer has to know of a call. */
interface ObservedCall {
  readonly operation: string;
  readonly method: HttpMethod;
  readonly url: string;
  readonly attempts: number;
  readonly redact: Redact;
}

function eventOf({ operation, method, url, attempts }: ObservedCall): RequestEvent {
  return { operation, method, url, attempt: attempts };
}

function describe({ operation, method, url, attempts }: ObservedCall): string {
  return `${operation}: ${method} ${new URL(url).pathname}${attempts > 1 ? ` (attempt ${attempts})` : ''}`;
}
