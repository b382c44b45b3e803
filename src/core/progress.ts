// What changes during a call: its attempts, what they have done, and the keys sent. Errors are told from here.

import { createApiError, type RateLimitError } from './errors/api-error.ts';
import type { ExamServiceError, Outcome, Verdict } from './errors/base.ts';
import { conclude, type RequestFacts, TimeoutError } from './errors/request-error.ts';
import type { Operation } from './operation.ts';
import type { Plan } from './plan.ts';
import { collectSecrets, createRedact, type Redact, rememberKey } from './secrets.ts';

/** A call that has waited needs a tenth of its time: what is sent with less is cut off, and its outcome unknown. */
const LEAST_SHARE = 0.1;

/** How far a call has come. */
export class Progress implements RequestFacts {
  readonly plan: Plan;
  readonly operation: Operation;
  /** When `totalTimeout` ends the call, by the clock of `performance.now()`. */
  readonly endsAt: number;
  /** Milliseconds that must be left of that after waiting. */
  readonly leastLeft: number;
  before: RequestFacts['before'];
  /** Requests sent, or begun. */
  attempts = 0;
  /** Attempts that failed; a refused one (429) that is waited for is none. */
  failures = 0;
  /** HTTP status of the last attempt; `null` when it got no response. */
  status: number | null = null;
  /** How long the gate held back the last attempt, in milliseconds. */
  queuedMs = 0;
  /** When the last request left, by the same clock. */
  sentAt = 0;
  isSent = false;
  readonly #startedAt = performance.now();
  /** Keys that calls of the client have sent lately. */
  readonly #usedKeys: Set<string>;
  readonly #ownKeys = new Set<string>();
  #callId: string | undefined;
  #redaction: { readonly keys: string; readonly redact: Redact } | undefined;
  /** What became of the request so far. */
  #outcome: Outcome = 'not_sent';

  constructor(plan: Plan, usedKeys: Set<string>) {
    const { operation, rules } = plan;
    this.plan = plan;
    this.operation = operation;
    this.before = operation.after ?? 'not_sent';
    this.endsAt = this.#startedAt + (rules.totalTimeout || Number.POSITIVE_INFINITY);
    this.leastLeft = (rules.totalTimeout || 0) * LEAST_SHARE;
    this.#usedKeys = usedKeys;
  }

  /** Identifies the call to hooks, made when one first needs it. Not a UUID: a page served over http cannot create one. */
  get callId(): string {
    this.#callId ??= crypto.getRandomValues(new Uint32Array(4)).join('-');
    return this.#callId;
  }

  /** A key may stand in the path of a custom request. */
  get path(): string {
    return this.redact.key(this.plan.path);
  }

  /** Milliseconds since the call was made. */
  get age(): number {
    return performance.now() - this.#startedAt;
  }

  /** Another attempt begins. */
  begin(queuedMs: number): void {
    this.queuedMs = queuedMs;
    this.attempts += 1;
    this.status = null;
    this.isSent = false;
  }

  /** Its request leaves now. */
  leave(): void {
    this.isSent = true;
    this.#outcome = 'unknown';
    this.sentAt = performance.now();
  }

  /** It has failed: what it may have done stays possible whatever later attempts say. */
  fail({ outcome }: ExamServiceError): void {
    this.#outcome = outcome;
    if (this.before !== 'done') this.before = outcome === 'done' ? 'unknown' : outcome;
  }

  /**
   * The error when the time for the call is over while it waits, or will be after the `pause` of as many milliseconds. It ends
   * between two attempts, so what the last one did is known.
   */
  late(pause: number): TimeoutError {
    const total = this.plan.rules.totalTimeout || 0;
    const until = new Date(Date.now() + pause).toISOString();
    const reason =
      pause > 0
        ? `was not sent: the service has asked to wait until ${until} (${Math.ceil(pause)} ms), longer than ` +
          `\`totalTimeout\` (${total} ms) allows.`
        : `was not sent: it waited in line for its \`totalTimeout\` of ${total} ms. Raise it, or \`maxConcurrency\`.`;
    return new TimeoutError(
      this,
      'total',
      total,
      this.attempts === 0 ? reason : undefined,
      this.verdict.outcome,
    );
  }

  /** The error when the limit is not lifting: the last refusal of another call, as that of this one. */
  refused({ status, headers, body, serviceMessage, fieldErrors, origin }: RateLimitError): Error {
    const response = { request: this, status, statusText: '', headers, body };
    return createApiError(response, { origin, page: '', message: serviceMessage, fieldErrors });
  }

  /** Remembers a key that is about to be sent, to redact it in this call and later ones. */
  addKey(key: string): void {
    this.#ownKeys.add(key);
    rememberKey(this.#usedKeys, key);
  }

  /** Removes the keys and passwords of this call from text. Made when it is first needed, and again for another key. */
  get redact(): Redact {
    const all = new Set([...this.#usedKeys, ...this.#ownKeys]);
    // No key holds a line break.
    const keys = [...all].join('\n');
    if (this.#redaction?.keys !== keys) {
      const { secretFields = [] } = this.operation;
      const redact = createRedact(all, () => collectSecrets(this.plan.body, secretFields));
      this.#redaction = { keys, redact };
    }
    return this.#redaction.redact;
  }

  /** The verdict on the call if it ends now, without an answer. */
  get verdict(): Verdict {
    return conclude(this, this.#outcome);
  }
}
