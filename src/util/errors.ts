/** Whether `value` is an error, also one of another realm: a test runner or a frame has classes of its own. */
export function isError(value: unknown): value is Error {
  if (value instanceof Error) return true;
  if (typeof value !== 'object' || value === null) return false;
  // Some classes change what an object is called, such as the errors of node-fetch.
  const { message, stack } = value as { readonly message?: unknown; readonly stack?: unknown };
  return (
    /^\[object (Error|DOMException)\]$/.test(Object.prototype.toString.call(value)) ||
    (typeof message === 'string' && typeof stack === 'string')
  );
}

/** The message of an error, or what was thrown in its place as a string. */
export function messageOf(error: unknown): string {
  return isError(error) ? error.message : String(error);
}

/** Whether `error` has this code of the platform, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return isError(error) && Reflect.get(error, 'code') === code;
}
