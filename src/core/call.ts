import type { Config } from './config.ts';
import type { ExamServiceError } from './errors/base.ts';
import type { RequestContext } from './errors/request-error.ts';
import { Observed } from './observed.ts';
import type { Operation } from './operation.ts';
import { createRedact, type Redact } from './redact/redact.ts';
import { collectPasswords, rememberKey } from './redact/secrets.ts';
import type { CallConfig } from './request/call-options.ts';
import { fillPath, toQueryString } from './request/url.ts';

/** The parts of a request, checked. */
export interface RequestParts {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** JSON; `undefined` for no body. */
  readonly body: string | undefined;
}

/** One call on its way: what is sent, by which rules, and how often it was tried. Errors and hooks tell of it. */
export class Call extends Observed implements RequestContext {
  readonly config: Config;
  readonly parts: RequestParts;
  readonly options: CallConfig;
  readonly path: string;
  /** Path and query below the base URL. */
  readonly target: string;
  /** The full address, with the query. */
  readonly url: string;
  mayBeDone: boolean;
  /** The answer outside 2xx whose body is being read. */
  failing: Response | undefined;
  readonly #keys: string[] = [];

  constructor(config: Config, descriptor: Operation, parts: RequestParts, options: CallConfig) {
    super(descriptor);
    this.config = config;
    this.parts = parts;
    this.options = options;
    this.mayBeDone = descriptor.isFollowUp === true;
    if (this.mayBeDone) this.outcome = 'unknown';
    this.path = fillPath(descriptor.path, parts.path);
    this.target = this.path + toQueryString(parts.query);
    this.url = config.baseUrl + this.target;
  }

  /** The same call for another page of its list. */
  forPage(page: number, signal = this.options.signal): Call {
    const query = { ...this.parts.query, page };
    return new Call(this.config, this.descriptor, { ...this.parts, query }, { ...this.options, signal });
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
