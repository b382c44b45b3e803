// Informs the caller's hooks and logger of what happens during a call.

import { describeIssues, type Issue } from '../util/standard-schema.ts';
import { withDeadline } from './attempt/deadline.ts';
import { type ExamServiceError, isExamServiceError } from './errors/base.ts';
import { type RequestContext, verdict } from './errors/request-error.ts';
import type { CallEvent, Hooks } from './hooks.ts';
import type { Operation } from './operation.ts';
import { redactHeaders } from './redact/safe.ts';

/** Receives log lines; `console` will do. */
export interface Logger {
  /** Receives every request, its answer, and failed calls. */
  debug(message: string): void;
  /** Receives retries. */
  info(message: string): void;
  /** Receives answers of another shape, deprecated operations and failing hooks. */
  warn(message: string): void;
  /** Not used so far: a failed call rejects, and its caller decides how serious that is. */
  error(message: string): void;
}

/** The least severe level that is logged. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'off';

const severity: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3, off: 4 };

/** The names of the log levels. */
export const logLevels: readonly string[] = Object.keys(severity);

/** The fields that one hook gets besides the common ones. */
type Details<Name extends keyof Hooks> = Omit<Parameters<NonNullable<Hooks[Name]>>[0], keyof CallEvent>;

/** Informs hooks and logger, and keeps their failures away from the call. */
export class Observer {
  readonly #hooks: readonly Hooks[];
  readonly #logger: Logger;
  readonly #threshold: number;
  readonly #isDebugging: boolean;
  readonly #deprecated = new Set<string>();

  constructor(hooks: readonly Hooks[], logger: Logger, level: LogLevel) {
    this.#hooks = hooks;
    this.#logger = logger;
    this.#threshold = severity[level];
    this.#isDebugging = level === 'debug';
  }

  start(call: ObservedCall): void {
    this.#tell('onStart', call, { baseUrl: call.config.baseUrl });
  }

  /**
   * Lets hooks change `headers` through a copy: they may keep what they are shown, and must never see the credential.
   * They get half of the milliseconds `left`, so that a hanging hook does not turn an answer into a timeout.
   */
  async request(call: ObservedCall, headers: Headers, signal: AbortSignal, left: number): Promise<void> {
    if (this.#isDebugging) this.#log('debug', `${describe(call)} sent`);
    if (!this.#listens('onRequest')) return;
    const shown = new Headers(headers);
    const { auth } = call.descriptor;
    const tell = () => this.#tell('onRequest', call, { ...attemptOf(call), auth, headers: shown });
    await withDeadline(signal, left / 2, () => {}, tell).catch(
      () => signal.aborted || this.#warn('onRequest', 'takes too long'),
    );
    for (const name of [...headers.keys()]) if (!shown.has(name)) headers.delete(name);
    for (const [name, value] of shown) headers.set(name, value);
  }

  response(call: ObservedCall, response: Response, durationMs: number): void {
    const { status, headers } = response;
    const shown = () => redactHeaders(headers, call.redact);
    if (this.#listens('onResponse')) {
      this.#tell('onResponse', call, { ...attemptOf(call), status, headers: shown(), durationMs });
    }
    if (this.#isDebugging) {
      this.#log('debug', `${describe(call)} answered ${status} in ${Math.round(durationMs)} ms`);
    }
    if (headers.has('deprecation') || headers.has('sunset')) this.#deprecation(call, shown());
  }

  retry(call: ObservedCall, error: ExamServiceError, delayMs: number): void {
    this.#tell('onRetry', call, { ...attemptOf(call), error, delayMs });
    this.#log('info', `${error.message} Retrying in ${delayMs} ms.`);
  }

  schemaDrift(call: ObservedCall, issues: readonly Issue[]): void {
    this.#tell('onSchemaDrift', call, { issues });
    const described = describeIssues(issues);
    this.#log('warn', `${call.operation}: the answer has an unexpected shape: ${described}`);
  }

  /** The error reaches the caller, who decides how serious it is; here it is only traced. */
  end(call: ObservedCall, failure?: { readonly error: unknown }): void {
    const { error } = failure ?? { error: null };
    if (isExamServiceError(error)) this.#log('debug', error.message);
    if (!this.#listens('onEnd')) return;
    const { attempts, status, age } = call;
    // An abort has no verdict of its own.
    const { outcome, retryable } = isExamServiceError(error) ? error : verdict(call, call.outcome);
    this.#tell('onEnd', call, {
      outcome: failure ? outcome : 'success',
      error,
      retryable: failure !== undefined && retryable,
      attempts,
      status,
      durationMs: age,
    });
  }

  #deprecation(call: ObservedCall, headers: Headers): void {
    const { operation } = call;
    const deprecation = headers.get('deprecation');
    const sunset = headers.get('sunset');
    this.#tell('onDeprecation', call, { deprecation, sunset, link: headers.get('link') });
    if (this.#deprecated.has(operation)) return;
    this.#deprecated.add(operation);
    this.#log(
      'warn',
      `${operation}: the service has deprecated this operation${sunset ? `; it ends ${sunset}` : ''}`,
    );
  }

  #listens(name: keyof Hooks): boolean {
    return this.#hooks.some((hooks) => hooks[name]);
  }

  /** Calls the hook of every set at once, without waiting in between; resolves when all are done, and never rejects. */
  async #tell<Name extends keyof Hooks>(
    name: Name,
    call: ObservedCall,
    details: Details<Name>,
  ): Promise<void> {
    if (!this.#listens(name)) return;
    const { id: callId, operation, method, descriptor } = call;
    const event = { callId, operation, method, route: descriptor.path, ...details };
    const tell = async (hooks: Hooks) => {
      try {
        await hooks[name]?.(event as never);
      } catch {
        this.#warn(name, 'failed');
      }
    };
    await Promise.all(this.#hooks.map(tell));
  }

  #warn(name: string, what: string): void {
    this.#log('warn', `the hook ${name} ${what}; the call continues`);
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

/** What the observer needs to know about a call. */
interface ObservedCall extends RequestContext {
  readonly id: string;
  readonly config: { readonly baseUrl: string };
  readonly descriptor: Operation;
  readonly url: string;
  readonly status: number | null;
  /** Milliseconds since it was made. */
  readonly age: number;
}

function attemptOf({ url, attempts }: ObservedCall) {
  return { url, attempt: attempts };
}

function describe({ operation, method, url, attempts }: ObservedCall): string {
  return `${operation}: ${method} ${new URL(url).pathname}${attempts > 1 ? ` (attempt ${attempts})` : ''}`;
}
