import type { Outcome } from './errors/base.ts';
import type { Operation, RetryClass } from './operation.ts';
import type { HttpMethod } from './request/http-method.ts';

/** What hooks and log can tell of every call, one that was refused before it could be sent included. */
export class Observed {
  readonly descriptor: Operation;
  readonly operation: string;
  readonly method: HttpMethod;
  readonly retry: RetryClass;
  readonly #startedAt = performance.now();
  attempts = 0;
  outcome: Outcome = 'not_sent';
  /** HTTP status that the last attempt was answered with; `null` when it got no response. */
  status: number | null = null;
  #id: string | undefined;

  constructor(descriptor: Operation) {
    this.descriptor = descriptor;
    this.operation = descriptor.id;
    this.method = descriptor.method;
    this.retry = descriptor.retry;
  }

  /** How long ago the call was made, in milliseconds. */
  get age(): number {
    return performance.now() - this.#startedAt;
  }

  /** Made when a hook is first told of the call. Not a UUID: a page that came by http cannot make one. */
  get id(): string {
    this.#id ??= crypto.getRandomValues(new Uint32Array(4)).join('-');
    return this.#id;
  }
}
