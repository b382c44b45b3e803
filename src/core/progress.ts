// How far a call has come. One loop owns and changes it; errors and hooks are given facts.

import type { ExamServiceError, Outcome, Verdict } from './errors/base.ts';
import { conclude, type RequestFacts } from './errors/request-error.ts';
import type { Plan } from './plan.ts';
import { collectSecrets, createRedact, type Redact, rememberKey } from './secrets.ts';

/** The secrets of one call: the keys that its client has used, and the passwords in its body. */
class CallSecrets {
  /** Keys that the client's calls have sent lately. */
  readonly #usedKeys: Set<string>;
  readonly #ownKeys = new Set<string>();
  readonly #plan: Plan;
  #made: { readonly keys: string; readonly redact: Redact } | undefined;

  constructor(plan: Plan, usedKeys: Set<string>) {
    this.#plan = plan;
    this.#usedKeys = usedKeys;
  }

  /** Remembers a key that is about to be sent, to redact it in this call and later ones. */
  addKey(key: string): void {
    this.#ownKeys.add(key);
    rememberKey(this.#usedKeys, key);
  }

  /** Made when it is first needed, and again when there is another key. */
  get redact(): Redact {
    const all = new Set([...this.#usedKeys, ...this.#ownKeys]);
    // No key holds a line break.
    const keys = [...all].join('\n');
    if (this.#made?.keys !== keys) {
      const { body, operation } = this.#plan;
      const redact = createRedact(all, () => collectSecrets(body, operation.secretFields ?? []));
      this.#made = { keys, redact };
    }
    return this.#made.redact;
  }
}

/** How far a call has come. */
export class Progress {
  readonly secrets: CallSecrets;
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
  readonly #plan: Plan;
  readonly #startedAt = performance.now();
  #before: RequestFacts['before'];
  #isSent = false;
  #sentAt = 0;
  /** What became of the request so far. */
  #outcome: Outcome = 'not_sent';

  constructor(plan: Plan, usedKeys: Set<string>) {
    this.#plan = plan;
    this.#before = plan.operation.after ?? 'nothing';
    this.endsAt = this.#startedAt + (plan.rules.totalTimeout || Number.POSITIVE_INFINITY);
    this.secrets = new CallSecrets(plan, usedKeys);
  }

  /** Milliseconds since the call was made. */
  get age(): number {
    return performance.now() - this.#startedAt;
  }

  /** Another attempt begins. */
  begin(): void {
    this.attempts += 1;
    this.status = null;
    this.#isSent = false;
  }

  /** Its request leaves now. */
  leave(): void {
    this.#isSent = true;
    this.#outcome = 'unknown';
    this.#sentAt = performance.now();
  }

  /** Its response has come; returns how long that took, in milliseconds. */
  arrive(status: number): number {
    this.status = status;
    return performance.now() - this.#sentAt;
  }

  /** It has failed: what it may have done stays possible whatever later attempts say. */
  fail({ outcome }: ExamServiceError): void {
    this.#outcome = outcome;
    const isInDoubt = outcome === 'unknown' || outcome === 'done';
    if (isInDoubt && this.#before === 'nothing') this.#before = 'unknown';
  }

  /** What errors are told. */
  get facts(): RequestFacts {
    const { operation, path } = this.#plan;
    const { secrets } = this;
    return {
      operation: operation.id,
      method: operation.method,
      path,
      attempts: this.attempts,
      isRepeatable: operation.retry === 'idempotent',
      before: this.#before,
      isSent: this.#isSent,
      get redact() {
        return secrets.redact;
      },
    };
  }

  /** The verdict on the call if it ends now, without an answer. */
  get verdict(): Verdict {
    return conclude(this.facts, this.#outcome);
  }

  /** The verdict on the call if its last attempt ended like this. */
  conclude(outcome: Outcome, retryable?: boolean): Verdict {
    return conclude(this.facts, outcome, retryable);
  }
}
