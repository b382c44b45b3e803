// What a call has done so far, from which the outcome of each of its errors follows.

import type { Outcome } from './base.ts';

/** The outcomes of a call: of the request before it in an operation such as `ensure`, of its attempts, and of the one under way. */
export class CallHistory {
  /** Of all that is over. */
  #past: Outcome;
  /** As of now. */
  #present: Outcome = 'not_sent';

  /** Whether the call asks what the request before it did. Its own success says nothing of that, unless it can be read. */
  readonly #isQuestion: boolean;

  constructor(past: Outcome = 'not_sent', isRead = false) {
    this.#past = past;
    this.#isQuestion = past === 'unknown' && isRead;
  }

  /** The request of an attempt leaves. */
  sent(): void {
    this.#present = 'unknown';
  }

  /** An attempt ended so. If it may have taken effect, later ones cannot rule that out. */
  failed(outcome: Outcome): void {
    this.#present = outcome;
    if (this.#past !== 'done') this.#past = outcome === 'done' ? 'unknown' : outcome;
  }

  /** The outcome of the call, if its last attempt ends so: what an earlier one may have done stays possible. */
  conclude(outcome: Outcome = this.#present): Outcome {
    if (this.#past === 'done' || (outcome === 'done' && !this.#isQuestion)) return 'done';
    return this.#past === 'unknown' || outcome === 'not_sent' ? this.#past : outcome;
  }

  /** Whether the request before the call took effect; the call itself can then always be repeated. */
  get isFollowUp(): boolean {
    return this.#past === 'done';
  }

  /** Whether an earlier attempt may have taken effect. */
  get mayHaveActed(): boolean {
    return this.#past === 'unknown';
  }
}
