// The base class of all errors of the package, and what each says about its request.

/**
 * Shared through the global symbol registry, so that guards and `instanceof` work when two copies of the package (ESM
 * beside CommonJS, two versions) meet in one process. Its value is the list of kinds that an error belongs to.
 */
const brand: unique symbol = Symbol.for('exam-service-sdk.error');

/**
 * Whether the request took effect.
 *
 * - `not_sent`: nothing was sent
 * - `rejected`: the service rejected the request, and nothing changed
 * - `unknown`: the request may have taken effect
 * - `done`: the request took effect, but its response could not be read
 */
export type Outcome = 'not_sent' | 'rejected' | 'unknown' | 'done';

/** What became of a failed request, and whether to send it again; for queues and people alike. */
export interface Verdict {
  /** Whether the request took effect. */
  readonly outcome: Outcome;
  /** Whether repeating the call later may help and does no harm. */
  readonly retryable: boolean;
}

/** A class of errors; those of this package have a kind, a user's own subclass has none. */
interface ErrorClass {
  readonly kind?: string;
}

/**
 * Base class of every error that this package throws. `name` and `code` are literals on each subclass. `instanceof`
 * also recognises errors of another copy of this package.
 *
 * Messages, log lines and printed errors contain no keys and no imported passwords.
 */
export abstract class ExamServiceError extends Error implements Verdict {
  /** @internal */
  static readonly kind: string = 'exam_service';

  /** Name of the class, a literal on each subclass. */
  abstract override readonly name: string;
  /** Machine-readable kind of the error, stable across releases. */
  abstract readonly code: string;
  /**
   * Whether the request took effect: `not_sent`, `rejected` (the service said no, nothing changed), `unknown` (it may have) or
   * `done` (it did, and its response could not be read).
   */
  readonly outcome: Outcome;
  /** Whether repeating the call later may help and does no harm; a queue can decide by it. */
  readonly retryable: boolean;

  /**
   * Whether `value` is an error of this class, also of another copy of this package. A getter, since Babel may compile anything else to
   * an assignment, which does not replace what functions inherit.
   */
  static override get [Symbol.hasInstance](): (value: unknown) => boolean {
    return isInstance;
  }

  /** Without a verdict: nothing was sent, and repeating the call does not help. */
  protected constructor(
    message: string,
    verdict: Verdict = { outcome: 'not_sent', retryable: false },
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
    this.outcome = verdict.outcome;
    this.retryable = verdict.retryable;
  }

  /** @internal */
  get [brand](): readonly string[] {
    const kinds: string[] = [];
    for (let type: ErrorClass = this.constructor as ErrorClass; type.kind; type = Object.getPrototypeOf(type))
      kinds.push(type.kind);
    return kinds;
  }
}

/** `this` is the class on the right of `instanceof`. */
function isInstance(this: ErrorClass, value: unknown): boolean {
  // The ordinary check first: a class compiled to ES5 runs it for each object under construction.
  if (Function.prototype[Symbol.hasInstance].call(this as never, value)) return true;
  return Object.hasOwn(this, 'kind') && isExamServiceError(value) && value[brand].includes(String(this.kind));
}

/** What errors say without their advice. Kept outside of them: consoles and loggers print fields, even hidden ones. */
export const reasons = new WeakMap<object, string>();

/** Whether `value` is an error of this package, also from another copy of it or another realm. */
export function isExamServiceError(value: unknown): value is ExamServiceError {
  return brand in Object(value) && 'stack' in (value as object);
}

/**
 * The package is set up wrongly: a missing key or base URL, plain http to a public host, a key in a browser page, an
 * option of the wrong type. Thrown before anything is sent; the message says what to change.
 */
export class ConfigurationError extends ExamServiceError {
  /** @internal */
  static override readonly kind: string = 'configuration';
  override readonly name = 'ConfigurationError';
  override readonly code = 'configuration';

  constructor(message: string, options?: { readonly cause?: unknown });
  /** @internal */
  constructor(message: string, options?: { readonly cause?: unknown }, verdict?: Verdict);
  constructor(message: string, options?: { readonly cause?: unknown }, verdict?: Verdict) {
    super(message, verdict, options);
  }
}
