// Reads thrown values, which may be anything.

/** Whether `value` is an error, also from another realm: a test runner or a frame has its own classes. */
export function isError(value: unknown): value is Error {
  if (value instanceof Error) return true;
  if (typeof value !== 'object' || value === null) return false;
  // Some classes override their type tag, such as the errors of node-fetch.
  const { message, stack } = value as { readonly message?: unknown; readonly stack?: unknown };
  return (
    /^\[object (Error|DOMException)\]$/.test(Object.prototype.toString.call(value)) ||
    (typeof message === 'string' && typeof stack === 'string')
  );
}

/** The message of an error, or of any other thrown value. */
export function messageOf(error: unknown): string {
  return isError(error) ? error.message : String(error);
}

/** Whether `error` has this platform code, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return isError(error) && Reflect.get(error, 'code') === code;
}

/** The message of the innermost cause: platforms say only "fetch failed", and what happened is inside. */
export function innermostMessage(error: unknown): string {
  let innermost = error;
  for (let depth = 0; depth < 5 && isError(innermost) && isError(innermost.cause); depth += 1) {
    innermost = innermost.cause;
  }
  if (!isError(innermost)) return String(innermost);
  const code: unknown = Reflect.get(innermost, 'code');
  // That of TLS ends with a colon and a line break.
  return innermost.message.replace(/[:\s]+$/, '') || (typeof code === 'string' ? code : innermost.name);
}
