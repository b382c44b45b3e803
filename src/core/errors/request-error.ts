// The errors of a request that was not sent, or that got no response.

import { describeIssues, type Issue } from '../../util/standard-schema.ts';
import type { Operation, OperationName } from '../operation.ts';
import type { Redact } from '../redact.ts';
import { ExamServiceError, type Outcome, reasons, type Verdict } from './base.ts';
import type { CallHistory } from './call-history.ts';

/** What an error knows of its request. */
export interface RequestFacts {
  readonly operation: Operation;
  /** Path below the base URL, without the query. */
  readonly path: string;
  /** Requests sent so far, this one included. */
  readonly attempts: number;
  readonly history: CallHistory;
  /** Whether this attempt was sent. */
  readonly isSent: boolean;
  /** Removes the keys and passwords of this call from text. */
  readonly redact: Redact;
  /** Removes the keys of this call from a body, and a partial key from the end of a truncated one. */
  withoutKeys(body: string, isTruncated?: boolean): string;
}

/**
 * The verdict on a call whose last attempt ended with `outcome`, or on one that ends now.
 * Unless it is given, a call is retryable if nothing was done, or if doing it again changes nothing more.
 */
export function toVerdict(facts: RequestFacts, outcome?: Outcome, retryable?: boolean): Verdict {
  const { operation, history } = facts;
  const concluded = history.conclude(outcome);
  // The main request took effect, and the rest can always be requested again.
  if (history.isFollowUp) return { outcome: concluded, retryable: true };
  const isHarmless = concluded === 'not_sent' || concluded === 'rejected' || operation.retry === 'idempotent';
  return { outcome: concluded, retryable: retryable ?? isHarmless };
}

/** What an error holds besides its reason. */
export interface MessageParts {
  readonly cause?: unknown;
  /** What to do, as a sentence. A job leaves it out where the work so far shows that it is not needed. */
  readonly advice?: string;
}

/** Base class for errors of a request that was sent or tried. */
export abstract class RequestError extends ExamServiceError {
  /** @internal */
  static override readonly kind: string = 'request';
  /** The operation that was called, such as `exams.list`; within a job the one that it repeats. */
  readonly operation: OperationName;
  /** How many requests were sent. */
  readonly attempts: number;

  /** @internal Reason, advice and what follows them must not contain a secret: redact text from elsewhere first. */
  constructor(facts: RequestFacts, reason: string, verdict: Verdict, parts: MessageParts = {}, ending = '') {
    const { operation, path, attempts } = facts;
    const advice = parts.advice ? ` ${parts.advice}` : '';
    const tries = attempts > 1 ? ` (after ${attempts} attempts)` : '';
    const done = operation.done ? ` ${operation.done}` : '';
    const begin = `${operation.id}: ${operation.method} ${path} ${reason}`;
    const end = ending + tries + done;
    super(begin + advice + end, verdict, parts);
    reasons.set(this, begin + end);
    this.operation = operation.id;
    this.attempts = attempts;
  }
}

/** The parameters of a call break a documented rule. Nothing was sent; correct the named fields and call again. */
export class RequestValidationError extends ExamServiceError {
  /** @internal */
  static override readonly kind: string = 'request_validation';
  override readonly name = 'RequestValidationError';
  override readonly code = 'request_validation';
  /** The operation that was called, such as `participants.import`; `eventKeyOf` for that function of `/webhooks`. */
  readonly operation: OperationName | 'eventKeyOf';
  /** Every rejected field. */
  readonly issues: readonly Issue[];

  constructor(operation: OperationName | 'eventKeyOf', issues: readonly Issue[]);
  /** @internal */
  constructor(operation: OperationName | 'eventKeyOf', issues: readonly Issue[], end?: string);
  constructor(operation: OperationName | 'eventKeyOf', issues: readonly Issue[], end = 'Nothing was sent.') {
    super(`${operation}: ${describeIssues(issues.map(byRow))}. ${end}`);
    this.operation = operation;
    this.issues = issues;
  }
}

/** Rows are named by their number: `row 3: email is required`. */
function byRow({ path, message }: Issue): Issue {
  const [, row, column] = /^(?:participants\.)?(\d+)(?:\.(.+))?$/.exec(path) ?? [];
  if (row === undefined) return { path, message };
  return { path: column === undefined ? `row ${row}` : `row ${row}: ${column}`, message };
}

/**
 * No response arrived: the connection was refused, reset or closed, or the name was not resolved. In a browser, a
 * response without CORS headers looks the same. `cause` is the platform's error, reduced to its message and codes.
 */
export class ConnectionError extends RequestError {
  /** @internal */
  static override readonly kind: string = 'connection';
  override readonly name = 'ConnectionError';
  override readonly code = 'connection';
}

/** Which limit was exceeded: the time of one attempt, or the time of all attempts and waits together. */
export type TimeoutScope = 'attempt' | 'total';

/** The timeouts of attempts that were not sent, whatever earlier ones of their call may have done. */
const notSent = new WeakSet<TimeoutError>();

/** Whether the last attempt of a call was not sent in time. */
export const wasNotSent = (error: TimeoutError) => notSent.has(error);

/** The service did not respond in time, or the call could not be sent in time. `outcome` says which. */
export class TimeoutError extends RequestError {
  /** @internal */
  static override readonly kind: string = 'timeout';
  override readonly name = 'TimeoutError';
  override readonly code = 'timeout';
  /** Which limit was exceeded. */
  readonly scope: TimeoutScope;
  /** The limit, in milliseconds. */
  readonly timeoutMs: number;

  /** @internal */
  constructor(
    facts: RequestFacts,
    scope: TimeoutScope,
    timeoutMs: number,
    reason?: string,
    outcome: Outcome = facts.isSent ? 'unknown' : 'not_sent',
  ) {
    const limit = scope === 'attempt' ? 'timeout' : 'totalTimeout';
    const what = `got no complete response within ${timeoutMs} ms. Raise \`${limit}\` if the service needs longer.`;
    const unsent = `was not sent within ${timeoutMs} ms: \`apiKey\` or a hook \`onRequest\` had not ended.`;
    super(facts, reason ?? (facts.isSent ? what : unsent), toVerdict(facts, outcome));
    if (!facts.isSent) notSent.add(this);
    this.scope = scope;
    this.timeoutMs = timeoutMs;
  }
}
