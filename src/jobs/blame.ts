// The blame rule: a row on which the service crashes is set aside, sent once more alone after another request was accepted, and
// rejected only if it crashes again. A crash alone says nothing: in an outage every row crashes.

import type { ExamServiceError } from '../core/errors/base.ts';
import { JobFault } from './stopped.ts';

/** So many single rows crash in a row in an outage; the job stops then. */
const MOST_IN_A_ROW = 5;

/** Keeps the rows, or pairs, that were set aside. */
export class Blame {
  readonly #aside = new Map<number, { readonly error: ExamServiceError; readonly since: number }>();
  readonly #waiting = new Set<() => void>();
  #accepted = 0;
  #inARow = 0;
  readonly #item: string;

  /** @param item what the source holds, for messages */
  constructor(item: 'row' | 'pair') {
    this.#item = item;
  }

  /** A request was accepted, so the service is up. */
  accepted(): void {
    this.#accepted += 1;
    this.#inARow = 0;
    for (const resume of this.#waiting) resume();
    this.#waiting.clear();
  }

  /** A request got a response other than a crash, and was not accepted. */
  responded(): void {
    this.#inARow = 0;
  }

  /** @throws {JobFault} when too many have crashed in a row */
  setAside(index: number, error: ExamServiceError): void {
    this.#aside.set(index, { error, since: this.#accepted });
    this.#inARow += 1;
    if (this.#inARow >= MOST_IN_A_ROW) throw this.fault();
  }

  /** Calls `resume` when another request was accepted since the row was set aside. */
  otherAccepted(index: number, resume: () => void): void {
    if (this.#accepted > Number(this.#aside.get(index)?.since)) resume();
    else this.#waiting.add(resume);
  }

  settled(index: number): void {
    this.#aside.delete(index);
  }

  /** Why the job stops: nothing tells whether the first one set aside is at fault, or the service is down. */
  fault(): JobFault {
    const index = Math.min(...this.#aside.keys());
    const cause = this.#aside.get(index)?.error;
    const message =
      `${this.#item} ${index}: the service crashed on it and has accepted nothing since: ${cause?.message} ` +
      'If it crashes again, it may be at fault: leave it out of the source.';
    return new JobFault(message, { cause, retryable: true, past: { from: index, to: index + 1 } });
  }

  /** Whether nothing can go on before another request was accepted. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }
}
