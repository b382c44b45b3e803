import type { Issue } from '../util/standard-schema.ts';

const REPLACEMENT = '[redacted]';

/** Anything shorter would also be found inside ordinary words, and hiding it would protect nothing. */
const SHORTEST_SECRET = 3;

/** Replaces every occurrence of each known secret in a text. */
export type Redact = (text: string) => string;

/** Makes a function that hides `secrets` (keys, passwords) in whatever text the service or the platform gave. */
export function createRedact(secrets: readonly string[]): Redact {
  const forms = findForms(secrets);
  return (text) => {
    let result = text;
    for (const form of forms) if (result.includes(form)) result = result.replaceAll(form, REPLACEMENT);
    return result;
  };
}

/** The longest first, so that a secret inside a longer one does not leave the rest of it standing. */
function findForms(secrets: Iterable<string>): string[] {
  const forms = [...secrets].filter(({ length }) => length >= SHORTEST_SECRET).flatMap(formsOf);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** A secret as it is and as JSON holds it, where some services escape slashes or all beyond ASCII. */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const forms = [json, json.replaceAll('/', '\\/')];
  return [secret, ...forms, ...forms.map(toAscii)];
}

function toAscii(text: string): string {
  return text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A provider may give a new key for every request; older ones than these are not expected back. */
const REMEMBERED_KEYS = 16;

/** Keeps the last keys that were sent, because a service may speak of one after its successor is in use. */
export function rememberKey(keys: Set<string>, key: string): void {
  keys.add(key);
  for (const oldest of keys) if (keys.size > REMEMBERED_KEYS) keys.delete(oldest);
}

/** Every string below a key named `password`, as in an import or an update of a participant. */
export function collectPasswords(value: unknown, found: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, child] of Object.entries(value)) {
    if (key === 'password' && typeof child === 'string') found.push(child);
    else collectPasswords(child, found);
  }
  return found;
}

/** `issues` with the secrets hidden: a schema's message, and even a key, may repeat what it was given. */
export function redactIssues(issues: readonly Issue[], redact: Redact): Issue[] {
  return issues.map(({ path, message }) => ({ path: redact(path), message: redact(message) }));
}

/** `headers` with the secrets hidden: a service may echo what it was sent. */
export function redactHeaders(headers: Headers, redact: Redact): Headers {
  if ([...headers.values()].every((value) => redact(value) === value)) return headers;
  const copy = new Headers();
  for (const [name, value] of headers) copy.append(name, redact(value));
  return copy;
}

const causeDetails = ['code', 'errno', 'syscall', 'address', 'hostname', 'port'] as const;

/**
 * A cause that is safe to print. A plain error is kept as it is; one that carries more (an HTTP library's
 * error often holds the request with its headers) is reduced to its name, message and system codes.
 */
export function safeCause(cause: unknown, redact: Redact, depth = 0): unknown {
  if (typeof cause === 'string') return redact(cause);
  if (!(cause instanceof Error)) return cause === null || typeof cause !== 'object' ? cause : undefined;
  if (isPlainError(cause, redact)) return cause;
  const copy = new Error(redact(cause.message));
  copy.name = cause.name;
  copy.stack = redact(cause.stack ?? '');
  for (const key of causeDetails) {
    const value: unknown = Reflect.get(cause, key);
    if (typeof value === 'string') Object.assign(copy, { [key]: redact(value) });
    if (typeof value === 'number') Object.assign(copy, { [key]: value });
  }
  if (cause.cause !== undefined && depth < 4) copy.cause = safeCause(cause.cause, redact, depth + 1);
  return copy;
}

function isPlainError(error: Error, redact: Redact, depth = 0): boolean {
  if (depth > 4) return false;
  return Reflect.ownKeys(error).every((key) => {
    const value: unknown = Reflect.get(error, key);
    if (typeof value === 'string') return redact(value) === value;
    if (value instanceof Error) return isPlainError(value, redact, depth + 1);
    if (Array.isArray(value))
      return value.every((item) => item instanceof Error && isPlainError(item, redact, depth + 1));
    return value === null || (typeof value !== 'object' && typeof value !== 'function');
  });
}
