// The base class of errors about a request that was sent or tried.

import type { RetryClass } from '../operation.ts';
import type { Redact } from '../redact/redact.ts';
import type { HttpMethod } from '../request/http-method.ts';
import { ExamServiceError, type Outcome, type Verdict } from './base.ts';

/** The request that an error is about, as far as it may be shown. */
export interface RequestContext {
  /** The operation that was called, such as `exams.list`. */
  readonly operation: string;
  readonly method: HttpMethod;
  /** Path below the base URL, without the query. */
  readonly path: string;
  /** Attempts made so far, this one included. */
  readonly attempts: number;
  readonly retry: RetryClass;
  /** What became of the request so far. */
  readonly outcome: Outcome;
  /** Whether an earlier attempt, whose answer was lost, may have taken effect. */
  readonly mayBeDone: boolean;
  /** Redacts the keys and passwords of this call in a string. */
  readonly redact: Redact;
}

/** Base class for errors of a request that was sent or tried. */
export abstract class RequestError extends ExamServiceError {
  /** The operation that was called, such as `exams.list`. */
  readonly operation: string;
  /** How often the request was tried. */
  readonly attempts: number;

  /** `message` must not contain a secret: redact text from elsewhere before adding it. */
  constructor(
    context: RequestContext,
    message: string,
    verdict: Verdict,
    options?: { readonly cause?: unknown },
  ) {
    const { operation, method, path, attempts } = context;
    const tries = attempts > 1 ? ` (after ${attempts} attempts)` : '';
    super(`${operation}: ${method} ${path} ${message}${tries}`, verdict, options);
    this.operation = operation;
    this.attempts = attempts;
  }
}

/** The verdict for an outcome that leaves open what happened: retry if repeating does no harm. */
export function verdict({ retry }: RequestContext, outcome: Outcome): Verdict {
  const mayBeDone = outcome === 'unknown' || outcome === 'done';
  return { outcome, retryable: !mayBeDone || retry === 'idempotent' };
}
