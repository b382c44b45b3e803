// A call on its way through the client: its request, its rules and its number of attempts.

import type { Config } from './config.ts';
import type { ExamServiceError, Outcome } from './errors/base.ts';
import type { RequestContext } from './errors/request-error.ts';
import type { Operation, RetryClass } from './operation.ts';
import { createRedact, type Redact } from './redact/redact.ts';
import { collectPasswords, rememberKey } from './redact/secrets.ts';
import type { CallConfig } from './request/call-options.ts';
import type { HttpMethod } from './request/http-method.ts';
import { fillPath, toQueryString } from './request/url.ts';

/** The checked parts of a request. */
export interface RequestParts {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** JSON; `undefined` for no body. */
  readonly body: string | undefined;
}

/** One call: what it sends, under which rules, and how often it was tried. Errors and hooks read from it. */
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
  /** HTTP status of the last attempt; `null` when it got no response. */
  status: number | null = null;
  outcome: Outcome;
  mayBeDone: boolean;
  /** The response outside 2xx whose body is being read. */
  failing: Response | undefined;
  readonly #madeAt = performance.now();
  readonly #keys: string[] = [];
  #id: string | undefined;
  #redact: { readonly keys: string; readonly redact: Redact } | undefined;

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

  /** Created when a hook first needs it. Not a UUID: a page served over http cannot create one. */
  get id(): string {
    this.#id ??= crypto.getRandomValues(new Uint32Array(4)).join('-');
    return this.#id;
  }

  /** Milliseconds since the call was made. */
  get age(): number {
    return performance.now() - this.#madeAt;
  }

  /** Milliseconds that `totalTimeout` leaves for the call. */
  get timeLeft(): number {
    return (this.options.totalTimeout || Number.POSITIVE_INFINITY) - this.age;
  }

  /** Records how an attempt ended; if it may have taken effect, the outcome of all later ones is in doubt too. */
  note(failure: ExamServiceError): void {
    this.mayBeDone ||= failure.outcome === 'unknown' || failure.outcome === 'done';
    this.outcome = this.mayBeDone ? 'unknown' : failure.outcome;
  }

  /** Records a key that is about to be sent, to redact it in this call and later ones. */
  hide(key: string): void {
    this.#keys.push(key);
    rememberKey(this.config.usedKeys, key);
  }

  /** Redacts the keys and passwords that were sent. Made when first needed, and again when there is another key. */
  get redact(): Redact {
    const sent = [...this.config.usedKeys, ...this.#keys];
    // No key holds a line break.
    const keys = sent.join('\n');
    if (this.#redact?.keys !== keys) {
      const passwords = collectPasswords(JSON.parse(this.parts.body ?? 'null'));
      this.#redact = { keys, redact: createRedact([...sent, ...passwords]) };
    }
    return this.#redact.redact;
  }
}
