// How far a call has come. One loop owns and changes it; errors and hooks are given facts.

import type { ExamServiceError, Outcome, Verdict } from './errors/base.ts';
import { conclude, type RequestFacts } from './errors/request-error.ts';
import type { Plan } from './plan.ts';
import { collectSecrets, createRedact, type Redact, rememberKey } from './secrets.ts';

/** How far a call has come. */
export class Progress {
  /** When `totalTimeout` ends the call, by the clock of `performance.now()`. */
  readonly endsAt: number;
  /** Requests sent, or begun. */
  attempts = 0;
  /** Attempts that failed; a refused one (429) that is waited for is none. */
  failures = 0;
  /** HTTP status of the last attempt; `null` when it got no response. */
  status: number | null = null;
  /** How long the gate held back the last attempt, in milliseconds. */
  heldBackMs = 0;
  /** When the last request left, by the same clock. */
  sentAt = 0;
  readonly #plan: Plan;
  readonly #startedAt = performance.now();
  /** Keys that calls of the client have sent lately. */
  readonly #usedKeys: Set<string>;
  readonly #ownKeys = new Set<string>();
  #redaction: { readonly keys: string; readonly redact: Redact } | undefined;
  #before: RequestFacts['before'];
  #isSent = false;
  /** What became of the request so far. */
  #outcome: Outcome = 'not_sent';

  constructor(plan: Plan, usedKeys: Set<string>) {
    this.#plan = plan;
    this.#usedKeys = usedKeys;
    this.#before = plan.operation.after ?? 'nothing';
    this.endsAt = this.#startedAt + (plan.rules.totalTimeout || Number.POSITIVE_INFINITY);
  }

  /** Milliseconds since the call was made. */
  get age(): number {
    return performance.now() - this.#startedAt;
  }

  /** Another attempt begins. */
  begin(heldBackMs: number): void {
    this.heldBackMs = heldBackMs;
    this.attempts += 1;
    this.status = null;
    this.#isSent = false;
  }

  /** Its request leaves now. */
  leave(): void {
    this.#isSent = true;
    this.#outcome = 'unknown';
    this.sentAt = performance.now();
  }

  /** It has failed: what it may have done stays possible whatever later attempts say. */
  fail({ outcome }: ExamServiceError): void {
    this.#outcome = outcome;
    const isInDoubt = outcome === 'unknown' || outcome === 'done';
    if (isInDoubt && this.#before === 'nothing') this.#before = 'unknown';
  }

  /** Remembers a key that is about to be sent, to redact it in this call and later ones. */
  addKey(key: string): void {
    this.#ownKeys.add(key);
    if (!this.#usedKeys.has(key)) rememberKey(this.#usedKeys, key);
  }

  /** Removes the keys and passwords of this call from text. Made when it is first needed, and again for another key. */
  get redact(): Redact {
    const all = new Set([...this.#usedKeys, ...this.#ownKeys]);
    // No key holds a line break.
    const keys = [...all].join('\n');
    if (this.#redaction?.keys !== keys) {
      const { body, operation } = this.#plan;
      const redact = createRedact(all, () => collectSecrets(body, operation.secretFields ?? []));
      this.#redaction = { keys, redact };
    }
    return this.#redaction.redact;
  }

  /** What errors are told. */
  get facts(): RequestFacts {
    const { operation, path } = this.#plan;
    const { redact } = this;
    return {
      operation: operation.id,
      method: operation.method,
      path,
      attempts: this.attempts,
      isRepeatable: operation.retry === 'idempotent',
      before: this.#before,
      isSent: this.#isSent,
      redact,
    };
  }

  /** The verdict on the call if it ends now, without an answer. */
  get verdict(): Verdict {
    return conclude(this.facts, this.#outcome);
  }
}
