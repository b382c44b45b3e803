/**
 * Shared through the global symbol registry, so that the guards hold when two copies of the package
 * (ESM beside CommonJS, two versions) meet in one process.
 */
const brand: unique symbol = Symbol.for('exam-service-sdk.error');

/**
 * Base of every error that this package throws. `name` and `code` are literal on each subclass.
 *
 * No error holds an API key or a password that was sent, and nothing that is printed of one a signing secret.
 */
export abstract class ExamServiceError extends Error {
  /** Name of the class, as a literal on each subclass. */
  abstract override readonly name: string;
  /** Machine-readable kind of the error, stable across releases. */
  abstract readonly code: string;

  static {
    Object.defineProperty(ExamServiceError.prototype, brand, { value: true });
  }
}

/** Whether `value` is an error of this package, also one from another copy of it. */
export function isExamServiceError(value: unknown): value is ExamServiceError {
  return value instanceof Error && brand in value;
}
