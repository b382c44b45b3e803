// Keeps secrets out of everything that is printed. What is printed is redacted literally: the keys and passwords of the
// call are replaced where they stand as they are, or escaped as JSON, URLs and HTML escape them. What may hold anything,
// the body of an error, is never printed.

import { isError } from '../util/errors.ts';
import { escapeSlashes, escapeUnicode } from '../util/php-json.ts';

const REPLACEMENT = '[redacted]';

/** Anything shorter would also match inside ordinary words, and hiding it would protect nothing. */
const SHORTEST_SECRET = 3;

/** A provider may return a new key for every request; keys older than these are not expected to be echoed. */
const REMEMBERED_KEYS = 16;

/** Hides the secrets of a call in text from the service or the platform. */
export interface Redact {
  /** Removes keys and passwords. A path such as `participants.0.password` stays whole. */
  text(text: string): string;
  /** The same in a name; if it looks like one, only keys are removed, since a password may equal a word of it. */
  name(name: string): string;
  /** Removes only the keys, as they are. */
  key(text: string): string;
  /** The same in a text that was cut off, and so may end within a key. */
  cut(text: string): string;
}

/** Remembers the last keys that were sent, because a service may echo one after its successor is in use. */
export function rememberKey(keys: Set<string>, key: string): void {
  keys.add(key);
  for (const oldest of keys) if (keys.size > REMEMBERED_KEYS) keys.delete(oldest);
}

/** Every text and number below one of the `fields` of a JSON text, as text. */
export function collectSecrets(json: string | undefined, fields: readonly string[]): string[] {
  const found: string[] = [];
  if (json === undefined || fields.length === 0) return found;
  JSON.parse(json, (key, value) => {
    if (fields.includes(key)) found.push(...leavesOf(value));
    return value;
  });
  return found;
}

/** Every text and number in a value, as text. */
export function leavesOf(value: unknown, seen = new Set()): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  // It may hold itself.
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  return Object.values(value).flatMap((each) => leavesOf(each, seen));
}

/** Fields of a list, as validators name them: one of their keys may equal a password. */
const indexedPath = /^[a-z_]\w*(\.\d+)+(\.[a-z_]\w*)*$/i;

function* findPaths(text: string): Spans {
  for (const { index, 0: path } of text.matchAll(/\w+(\.\w+)*/g))
    if (indexedPath.test(path)) yield [index, index + path.length];
}

/** Creates the redaction of keys and passwords. The passwords are only asked for when there is text to redact. */
export function createRedact(keys: ReadonlySet<string>, passwordsOf: () => readonly string[]): Redact {
  let find: Finder | undefined;
  const redactText = (text: string): string => {
    find ??= createFinder([...keys, ...passwordsOf()]);
    const paths = findPaths(text);
    let [pathStart, pathEnd] = [0, 0];
    let result = '';
    let from = 0;
    for (const [start, end] of find(text)) {
      while (pathEnd < end) [pathStart, pathEnd] = paths.next().value ?? [Infinity, Infinity];
      const isWithin = pathStart <= start && pathEnd - pathStart > end - start;
      // A password may equal a word of a path; a key never does.
      if (isWithin && !keys.has(text.slice(start, end))) continue;
      result += text.slice(from, start) + REPLACEMENT;
      from = end;
    }
    return result + text.slice(from);
  };
  /** Without the keys, as they are; longest first, as above. */
  const withoutKeys = (text: string, after = (rest: string, _key: string) => rest) =>
    [...keys]
      .filter(isLong)
      .sort((a, b) => b.length - a.length)
      .reduce((rest, key) => after(rest.replaceAll(key, REPLACEMENT), key), text);
  return {
    text: redactText,
    name: (name) => (/^\w+(\.\w+)*$/.test(name) ? withoutKeys(name) : redactText(name)),
    key: (text) => withoutKeys(text),
    cut: (text) => withoutKeys(text, withoutHalf),
  };
}

/** Without a beginning of the key at the end of the text. */
function withoutHalf(text: string, key: string): string {
  for (let length = key.length - 1; length >= SHORTEST_SECRET; length -= 1) {
    if (text.endsWith(key.slice(0, length))) return text.slice(0, -length) + REPLACEMENT;
  }
  return text;
}

function isLong(secret: string): boolean {
  return secret.length >= SHORTEST_SECRET;
}

/** Finds secrets in a text. */
type Finder = (text: string) => Spans;

/** Where each of something begins and ends in a text, in order. */
type Spans = Generator<readonly [start: number, end: number], void>;

/** Searches in one pass, however many secrets there are and however similar: an import has thousands. */
function createFinder(secrets: readonly string[]): Finder {
  const byBeginning = new Map<string, string[]>();
  for (const form of new Set(secrets.flatMap(formsOf).filter(isLong))) {
    const beginning = form.slice(0, SHORTEST_SECRET);
    byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), form]);
  }
  const buckets = new Map(
    [...byBeginning].map(([beginning, forms]) => {
      const lengths = new Set(forms.map((form) => form.length));
      // Longest first, so that a secret inside a longer one does not leave the rest of it visible.
      return [beginning, { forms: new Set(forms), lengths: [...lengths].sort((a, b) => b - a) }];
    }),
  );
  return function* (text) {
    for (let start = 0; start <= text.length - SHORTEST_SECRET; ) {
      const bucket = buckets.get(text.slice(start, start + SHORTEST_SECRET));
      const length = bucket?.lengths.find((size) => bucket.forms.has(text.slice(start, start + size)));
      if (length !== undefined) yield [start, start + length];
      start += length ?? 1;
    }
  };
}

/** A secret as it is, as a service trims it, and as JSON (JavaScript's and PHP's), URLs, forms and HTML escape it. */
function formsOf(secret: string): string[] {
  if (secret.trim() !== secret) return [...formsOf(secret.trim()), secret];
  const json = JSON.stringify(secret).slice(1, -1);
  const php = escapeUnicode(json);
  const url = encodeURIComponent(secret.replace(/[\uD800-\uDFFF]/gu, '\uFFFD'));
  const html = secret.replace(/[&<>"]/g, (char) => htmlEntities[char] ?? char);
  return [
    ...[secret, json, escapeSlashes(json), php, escapeSlashes(php), toUpperHex(php, /\\u[\da-f]{4}/g)],
    ...[url, url.replaceAll('%20', '+'), url.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase())],
    ...[html, html.replaceAll("'", '&#039;'), html.replaceAll("'", '&#39;')],
  ];
}

const htmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function toUpperHex(text: string, codes: RegExp): string {
  return text.replace(codes, (code) => code.slice(0, 2) + code.slice(2).toUpperCase());
}

// What is printed: messages, names, headers and causes.

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
export function redactHeaders(headers: Pick<Headers, 'forEach'>, redact: Redact): Headers {
  const copy = new Headers();
  headers.forEach((value, name) => {
    if (name !== 'set-cookie') copy.append(name, redact.text(value));
  });
  return copy;
}

const causeDetails = ['code', 'errno', 'syscall', 'address', 'hostname', 'port'] as const;

/** Deeper causes explain nothing. */
const DEEPEST_CAUSE = 4;

/**
 * A copy of a cause that is safe to print: its name, message, stack and system codes, and those of its own causes. An
 * HTTP library's error often holds the request with its headers.
 */
export function safeCause(cause: unknown, redact: Redact, depth = 0): unknown {
  if (typeof cause === 'string') return redact.text(cause);
  if (!isError(cause)) return cause === null || typeof cause !== 'object' ? cause : undefined;
  const copy = new Error(redact.text(cause.message));
  for (const [name, value] of [
    ['name', redact.text(String(cause.name))],
    ['stack', redact.text(String(cause.stack ?? ''))],
  ]) {
    Object.defineProperty(copy, String(name), { value, configurable: true, writable: true });
  }
  for (const key of causeDetails) {
    const value: unknown = Reflect.get(cause, key);
    if (typeof value === 'string') Object.assign(copy, { [key]: redact.text(value) });
    if (typeof value === 'number') Object.assign(copy, { [key]: value });
  }
  if (depth >= DEEPEST_CAUSE) return copy;
  const { errors } = cause as { readonly errors?: unknown };
  if (Array.isArray(errors)) {
    Object.assign(copy, { errors: errors.map((error) => safeCause(error, redact, depth + 1)) });
  }
  if (cause.cause !== undefined) copy.cause = safeCause(cause.cause, redact, depth + 1);
  return copy;
}
