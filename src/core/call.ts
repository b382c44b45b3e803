import type { Config } from './config.ts';
import type { ExamServiceError, Outcome } from './errors/base.ts';
import type { RequestContext } from './errors/request-error.ts';
import type { Operation, RetryClass } from './operation.ts';
import { createRedact, type Redact } from './redact/redact.ts';
import { collectPasswords, rememberKey } from './redact/secrets.ts';
import type { CallConfig } from './request/call-options.ts';
import type { HttpMethod } from './request/http-method.ts';
import { fillPath, toQueryString } from './request/url.ts';

/** The parts of a request, checked. */
export interface RequestParts {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** JSON; `undefined` for no body. */
  readonly body: string | undefined;
}

/** One call on its way: what is sent, by which rules, and how often it was tried. Errors and hooks tell of it. */
export class Call implements RequestContext {
  readonly config: Config;
  readonly descriptor: Operation;
  readonly parts: RequestParts;
  readonly options: CallConfig;
  readonly operation: string;
  readonly method: HttpMethod;
  readonly path: string;
  /** Path and query below the base URL. */
  readonly target: string;
  /** The full address, with the query. */
  readonly url: string;
  readonly retry: RetryClass;
  attempts = 0;
  /** HTTP status that the last attempt was answered with; `null` when it got no response. */
  status: number | null = null;
  outcome: Outcome;
  mayBeDone: boolean;
  /** The answer outside 2xx whose body is being read. */
  failing: Response | undefined;
  readonly #madeAt = performance.now();
  readonly #keys: string[] = [];
  #id: string | undefined;

  constructor(config: Config, descriptor: Operation, parts: RequestParts, options: CallConfig) {
    this.config = config;
    this.descriptor = descriptor;
    this.parts = parts;
    this.options = options;
    this.operation = descriptor.id;
    this.method = descriptor.method;
    this.retry = descriptor.retry;
    this.mayBeDone = descriptor.isFollowUp === true;
    this.outcome = this.mayBeDone ? 'unknown' : 'not_sent';
    this.path = fillPath(descriptor.path, parts.path);
    this.target = this.path + toQueryString(parts.query);
    this.url = config.baseUrl + this.target;
  }

  /** The same call for another page of its list. */
  forPage(page: number, signal = this.options.signal): Call {
    const query = { ...this.parts.query, page };
    return new Call(this.config, this.descriptor, { ...this.parts, query }, { ...this.options, signal });
  }

  /** Made when a hook is first told of the call. Not a UUID: a page that came by http cannot make one. */
  get id(): string {
    this.#id ??= crypto.getRandomValues(new Uint32Array(4)).join('-');
    return this.#id;
  }

  /** How long ago the call was made, in milliseconds. */
  get age(): number {
    return performance.now() - this.#madeAt;
  }

  /** What `totalTimeout` leaves of the call's time, in milliseconds. */
  get timeLeft(): number {
    return (this.options.totalTimeout || Number.POSITIVE_INFINITY) - this.age;
  }

  /** Notes how an attempt ended; one that may have taken effect leaves all later ones in doubt. */
  note(failure: ExamServiceError): void {
    this.mayBeDone ||= failure.outcome === 'unknown' || failure.outcome === 'done';
    this.outcome = this.mayBeDone ? 'unknown' : failure.outcome;
  }

  /** Notes a key that is about to be sent, to be hidden here and in later calls wherever it is echoed. */
  hide(key: string): void {
    this.#keys.push(key);
    rememberKey(this.config.usedKeys, key);
  }

  /** Hides the keys and passwords that were sent; made only when there is a text to hide them in. */
  get redact(): Redact {
    const { body } = this.parts;
    const passwords = body === undefined ? [] : collectPasswords(JSON.parse(body));
    return createRedact([...this.config.usedKeys, ...this.#keys, ...passwords]);
  }
}
