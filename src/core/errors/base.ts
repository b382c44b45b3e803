// The base class of all errors of the package, and what each tells of its request.

import { isError } from '../../util/errors.ts';

/**
 * Shared through the global symbol registry, so that the guards work when two copies of the package (ESM beside
 * CommonJS, two versions) meet in one process.
 */
const brand: unique symbol = Symbol.for('exam-service-sdk.error');

/**
 * What became of the request when an error was thrown.
 *
 * - `not_sent`: nothing was sent
 * - `refused`: the service rejected the request, and nothing changed
 * - `unknown`: the request may have taken effect
 * - `done`: the request took effect, only its answer was not understood
 */
export type Outcome = 'not_sent' | 'refused' | 'unknown' | 'done';

/** What became of a failed request, and whether to send it again; for queues and people alike. */
export interface Verdict {
  /** What became of the request. */
  readonly outcome: Outcome;
  /** Whether repeating the call later may help and does no harm. */
  readonly retryable: boolean;
}

/**
 * Base class of every error that this package throws. `name` and `code` are literals on each subclass.
 *
 * Errors never contain keys, imported passwords or signing secrets.
 */
export abstract class ExamServiceError extends Error implements Verdict {
  /** Name of the class, a literal on each subclass. */
  abstract override readonly name: string;
  /** Machine-readable kind of the error, stable across releases. */
  abstract readonly code: string;
  /** What became of the request. */
  readonly outcome: Outcome;
  /** Whether repeating the call later may help and does no harm; a queue can decide by it. */
  readonly retryable: boolean;

  static {
    Object.defineProperty(ExamServiceError.prototype, brand, { value: true });
  }

  /** Without a verdict: nothing was sent, and repeating the call does not help. */
  constructor(message: string, verdict?: Verdict, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.outcome = verdict?.outcome ?? 'not_sent';
    this.retryable = verdict?.retryable ?? false;
  }
}

/** Whether `value` is an error of this package, also from another copy of it or another realm. */
export function isExamServiceError(value: unknown): value is ExamServiceError {
  return isError(value) && brand in value;
}
