// Reads thrown values, which may be anything.

import { tagOf } from './json.ts';

/** Whether `value` is an error, also from another realm: a test runner or a frame has its own classes. */
export function isError(value: unknown): value is Error {
  if (value instanceof Error) return true;
  if (typeof value !== 'object' || value === null) return false;
  // Some classes override their type tag, such as the errors of node-fetch.
  const { message, stack } = value as { readonly message?: unknown; readonly stack?: unknown };
  return (
    /^(Error|DOMException)$/.test(tagOf(value)) || (typeof message === 'string' && typeof stack === 'string')
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

const systemDetails = ['code', 'errno', 'syscall', 'address', 'hostname', 'port'] as const;

/** Deeper causes explain nothing. */
const DEEPEST_CAUSE = 4;

/**
 * A copy of a thrown value that is safe to print: name, message, stack and system codes of an error and of those below it, and
 * texts, all through `hide`. An HTTP library's error often holds the request with its headers, and any object may hold anything.
 */
export function copyError(thrown: unknown, hide = (text: string) => text, depth = 0): unknown {
  if (typeof thrown === 'string') return hide(thrown);
  if (!isError(thrown)) return Object(thrown) === thrown ? undefined : thrown;
  const copy = new Error(hide(String(thrown.message)));
  for (const name of ['name', 'stack'] as const) {
    const value = hide(String(thrown[name] ?? ''));
    Object.defineProperty(copy, name, { value, configurable: true, writable: true });
  }
  const copyBelow = (below: unknown) => copyError(below, hide, depth + 1);
  for (const key of systemDetails) {
    const value: unknown = Reflect.get(thrown, key);
    if (/string|number/.test(typeof value)) Reflect.set(copy, key, copyBelow(value));
  }
  if (depth >= DEEPEST_CAUSE) return copy;
  const { errors } = thrown as { readonly errors?: unknown };
  if (Array.isArray(errors)) Reflect.set(copy, 'errors', errors.map(copyBelow));
  if (thrown.cause !== undefined) copy.cause = copyBelow(thrown.cause);
  return copy;
}
