// Makes messages, headers and causes of errors safe to print: redacted and short.

import { isError } from '../../util/errors.ts';
import type { Redact } from './redact.ts';

/** Enough of a message to act on, too little to fill a log. In characters. */
const LONGEST_MESSAGE = 2_000;
const LONGEST_NAME = 200;

/** A message of the service or of a schema, redacted and short enough to log. */
export function safeMessage(message: string, redact: Redact): string {
  return cut(redact.text(message), LONGEST_MESSAGE);
}

/** The same for the name or path of a field. */
export function safeName(name: string, redact: Redact): string {
  return cut(redact.name(name), LONGEST_NAME);
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** `headers` without cookies and redacted: a service may echo what it received. */
export function redactHeaders(headers: Headers, redact: Redact): Headers {
  const copy = new Headers();
  headers.forEach((value, name) => {
    if (name !== 'set-cookie') copy.append(name, redact.text(value));
  });
  return copy;
}

const causeDetails = ['code', 'errno', 'syscall', 'address', 'hostname', 'port'] as const;

/** Methods by which an object controls how it is printed. */
const printers = ['toJSON', Symbol.for('nodejs.util.inspect.custom')];

/** Deeper causes explain nothing. */
const DEEPEST_CAUSE = 4;

/**
 * A cause that is safe to print. A plain error is kept as is; one with more properties (an HTTP library's error often
 * holds the request with its headers) is reduced to its name, message and system codes.
 */
export function safeCause(cause: unknown, redact: Redact, depth = 0): unknown {
  if (typeof cause === 'string') return redact.text(cause);
  if (!isError(cause)) return cause === null || typeof cause !== 'object' ? cause : undefined;
  if (isPlainError(cause, redact)) return cause;
  const copy = new Error(redact.text(cause.message));
  copy.name = redact.text(cause.name);
  copy.stack = redact.text(cause.stack ?? '');
  for (const key of causeDetails) {
    const value: unknown = Reflect.get(cause, key);
    if (typeof value === 'string') Object.assign(copy, { [key]: redact.text(value) });
    if (typeof value === 'number') Object.assign(copy, { [key]: value });
  }
  if (cause.cause !== undefined && depth < DEEPEST_CAUSE) {
    copy.cause = safeCause(cause.cause, redact, depth + 1);
  }
  return copy;
}

function isPlainError(error: Error, redact: Redact, depth = 0): boolean {
  if (depth > DEEPEST_CAUSE) return false;
  // A class that controls its own printing may show anything.
  if (printers.some((name) => name in error)) return false;
  const isPlain = (value: unknown) => isError(value) && isPlainError(value, redact, depth + 1);
  // The message of a DOMException is inherited.
  return [...Reflect.ownKeys(error), 'name', 'message'].every((key) => {
    const value: unknown = Reflect.get(error, key);
    if (typeof value === 'string') return redact.text(value) === value;
    if (Array.isArray(value)) return value.every(isPlain);
    return value === null || (typeof value !== 'object' && typeof value !== 'function') || isPlain(value);
  });
}
