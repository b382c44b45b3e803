import type { Redact } from '../redact.ts';
import type { HttpMethod } from '../request/http-method.ts';
import { ExamServiceError } from './base.ts';

/** The request that an error is about, as far as it may be shown. */
export interface RequestContext {
  /** The operation that was called, such as `exams.list`. */
  readonly operation: string;
  readonly method: HttpMethod;
  /** Path below the base URL, without the query. */
  readonly path: string;
  /** Attempts made so far, this one included. */
  readonly attempts: number;
  /** Hides the key and the passwords of this call in a text. */
  readonly redact: Redact;
}

/** What the errors of a request that was sent (or tried) have in common. */
export abstract class RequestError extends ExamServiceError {
  /** The operation that was called, such as `exams.list`. */
  readonly operation: string;
  /** How often the request was tried. */
  readonly attempts: number;

  constructor(context: RequestContext, message: string, options?: { cause?: unknown }) {
    const tries = context.attempts > 1 ? ` (after ${context.attempts} attempts)` : '';
    super(
      `${context.operation}: ${context.method} ${context.path} ${context.redact(message)}${tries}`,
      options,
    );
    this.operation = context.operation;
    this.attempts = context.attempts;
  }
}
