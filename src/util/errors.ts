// Reads thrown values, which may be anything.

/** Whether `value` is an error, also from another realm: a test runner or a frame has its own classes. */
export function isError(value: unknown): value is Error {
  const { message, stack } = Object(value);
  return value instanceof Error || (typeof message === 'string' && typeof stack === 'string');
}

/**
 * Captures the stack of an error again, where V8 can: one from further down, or from before the call, does not lead to the caller's
 * line.
 */
export function captureStack(error: object): void {
  const capture: ((error: object, hidden: typeof captureStack) => void) | undefined = Reflect.get(
    Error,
    'captureStackTrace',
  );
  // A stack keeps ten lines, none of which is for this function.
  capture?.(error, captureStack);
}

/** The message of an error, or of any other thrown value. */
export function messageOf(error: unknown): string {
  return isError(error) ? error.message : String(error);
}

/** Whether `error` has this platform code, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return isError(error) && Reflect.get(error, 'code') === code;
}

/** What the innermost cause of a copy says: platforms say only "fetch failed", and what happened is inside. */
export function innermostCause(error: unknown): { readonly message: string; readonly code: string } {
  let innermost = error;
  while (isError(innermost) && isError(innermost.cause)) innermost = innermost.cause;
  if (!isError(innermost)) return { message: String(innermost), code: '' };
  const code: unknown = Reflect.get(innermost, 'code');
  // Messages of TLS end with a colon and a line break, that of Bun is a question.
  return { message: innermost.message.replace(/[:.?\s]+$/, ''), code: typeof code === 'string' ? code : '' };
}

/** The same as one text. */
export function innermostMessage(error: unknown): string {
  const { message, code } = innermostCause(error);
  return message || code || (isError(error) ? error.name : '');
}

/** What is copied of an error and of its causes. */
const COPIED_FIELDS = 'name stack code errno syscall address hostname port errors cause'.split(' ');

/** More errors than these explain nothing. */
const MOST_ERRORS = 100;

/**
 * A copy of a thrown value that is safe to print: name, message, stack and system codes of an error and of those below it, and
 * texts, all through `hide`. An HTTP library's error often holds the request with its headers, and any object may hold anything.
 * Each error is copied once: an error may be its own cause.
 */
export function copyError(thrown: unknown, hide = (text: string) => text, copied = new Set()): unknown {
  if (typeof thrown === 'string') return hide(thrown);
  if (!isError(thrown)) return Object(thrown) === thrown ? undefined : thrown;
  if (copied.has(thrown) || copied.size === MOST_ERRORS) return undefined;
  copied.add(thrown);
  const copy = new Error(hide(String(thrown.message)));
  copy.stack = '';
  const copyBelow = (below: unknown) => copyError(below, hide, copied);
  for (const key of COPIED_FIELDS) {
    const given: unknown = Reflect.get(thrown, key);
    const value = Array.isArray(given) ? given.map(copyBelow) : copyBelow(given);
    if (value !== undefined) Reflect.set(copy, key, value);
  }
  return copy;
}
