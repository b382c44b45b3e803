import { isError } from '../../util/errors.ts';
import type { Issue } from '../../util/standard-schema.ts';
import type { Redact } from './redact.ts';

/** `issues` with the secrets hidden: a schema's message may repeat what it was given. */
export function redactIssues(issues: readonly Issue[], redact: Redact): Issue[] {
  return issues.map(({ path, message, ...more }) => ({
    ...more,
    path: redact.name(path),
    message: redact.text(message),
  }));
}

/** `headers` without cookies, and with the secrets hidden: a service may echo what it was sent. */
export function redactHeaders(headers: Headers, redact: Redact): Headers {
  const copy = new Headers();
  headers.forEach((value, name) => {
    if (name !== 'set-cookie') copy.append(name, redact.text(value));
  });
  return copy;
}

const causeDetails = ['code', 'errno', 'syscall', 'address', 'hostname', 'port'] as const;

/** A cause of a cause of a cause: deeper ones explain nothing. */
const DEEPEST_CAUSE = 4;

/**
 * A cause that is safe to print. A plain error is kept as it is; one that carries more (an HTTP library's
 * error often holds the request with its headers) is reduced to its name, message and system codes.
 */
export function safeCause(cause: unknown, redact: Redact, depth = 0): unknown {
  if (typeof cause === 'string') return redact.text(cause);
  if (!isError(cause)) return cause === null || typeof cause !== 'object' ? cause : undefined;
  if (isPlainError(cause, redact)) return cause;
  const copy = new Error(redact.text(cause.message));
  copy.name = cause.name;
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
  const isPlain = (value: unknown) => isError(value) && isPlainError(value, redact, depth + 1);
  return Reflect.ownKeys(error).every((key) => {
    const value: unknown = Reflect.get(error, key);
    if (typeof value === 'string') return redact.text(value) === value;
    if (Array.isArray(value)) return value.every(isPlain);
    return value === null || (typeof value !== 'object' && typeof value !== 'function') || isPlain(value);
  });
}
