// Keeps secrets out of everything that is printed. What is printed is redacted literally: the keys and passwords of the
// call are replaced where they stand as they are, or escaped as JSON, URLs and HTML escape them. What may hold anything,
// the body of an error, is never printed.

import { escapeSlashes, escapeUnicode } from '../util/php-json.ts';

const REPLACEMENT = '[redacted]';

/** Anything shorter would also match inside ordinary words, and hiding it would protect nothing. */
const SHORTEST_SECRET = 3;

/** A provider may return a new key for every request; keys older than these are not expected to be echoed. */
const REMEMBERED_KEYS = 16;

/** Hides the secrets of a call in text from the service or the platform. */
export interface Redact {
  /** Removes keys and passwords, and what is beyond `limit` characters. A path such as `participants.0.password` stays whole. */
  text(text: string, limit?: number): string;
  /** The same in a name or path; if it looks like one, only keys are removed, since a password may equal a word of it. */
  name(name: string): string;
  /** Removes only the keys, as they are; a text that `isCut` off may end within one. */
  key(text: string, isCut?: boolean): string;
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
const indexedPath = /^[a-z_]\w*(\.[a-z_]\w*)*(\.\d+)+(\.\w+)*$/i;

function* findPaths(text: string): Generator<readonly [start: number, end: number], void> {
  for (const { index, 0: path } of text.matchAll(/\w+(\.\w+)*/g))
    if (indexedPath.test(path)) yield [index, index + path.length];
}

/** Enough of a message to act on, too little to fill a log. In characters. */
export const LONGEST_MESSAGE = 2_000;
const LONGEST_NAME = 200;

/** Creates the redaction of keys and passwords. The passwords are only asked for when there is text to redact. */
export function createRedact(keys: ReadonlySet<string>, passwordsOf: () => readonly string[]): Redact {
  let find: Find | undefined;
  const redactText = (text: string, limit = Infinity): string => {
    find ??= createFind([...keys, ...passwordsOf()]);
    const paths = findPaths(text);
    let [pathStart, pathEnd] = [0, 0];
    let result = '';
    let from = 0;
    let at = 0;
    while (at < text.length && result.length + at - from <= limit) {
      const found = find(text, at);
      const start = at;
      at += found.length || 1;
      if (found === '') continue;
      while (pathEnd < at) [pathStart, pathEnd] = paths.next().value ?? [Infinity, Infinity];
      const isWithin = pathStart <= start && pathEnd - pathStart > found.length;
      // A password may equal a word of a path; a key never does.
      if (isWithin && !keys.has(found)) continue;
      result += text.slice(from, start) + REPLACEMENT;
      from = at;
    }
    return cut(result + text.slice(from, at), limit);
  };
  /** Without the keys, as they are. */
  const withoutKeys = (text: string, isCut = false) =>
    longestFirst(keys).reduce((rest, key) => withoutKey(rest, key, isCut), text);
  return {
    text: redactText,
    name: (name) =>
      /^\w+(\.\w+)*$/.test(name) ? cut(withoutKeys(name), LONGEST_NAME) : redactText(name, LONGEST_NAME),
    key: withoutKeys,
  };
}

/** Without a key, and without a beginning of it at the end of a text that was cut off. */
function withoutKey(text: string, key: string, isCut: boolean): string {
  const rest = text.replaceAll(key, REPLACEMENT);
  for (let length = key.length; isCut && length >= SHORTEST_SECRET; length -= 1) {
    if (rest.endsWith(key.slice(0, length))) return rest.slice(0, -length) + REPLACEMENT;
  }
  return rest;
}

/** Those that are looked for, in an order in which a secret inside a longer one does not leave the rest of it visible. */
function longestFirst(secrets: ReadonlySet<string>): string[] {
  return [...secrets].filter(({ length }) => length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
}

/** The longest secret that stands in a text at this place; empty if there is none. */
type Find = (text: string, at: number) => string;

/** Looks for all at once, however many secrets there are and however similar: an import has thousands. */
function createFind(secrets: readonly string[]): Find {
  const forms = new Set(secrets.flatMap(formsOf));
  /** By how they begin. */
  const lengths = new Map<string, Set<number>>();
  for (const form of longestFirst(forms)) {
    const beginning = form.slice(0, SHORTEST_SECRET);
    lengths.set(beginning, (lengths.get(beginning) ?? new Set()).add(form.length));
  }
  return (text, at) => {
    for (const length of lengths.get(text.slice(at, at + SHORTEST_SECRET)) ?? []) {
      const found = text.slice(at, at + length);
      if (forms.has(found)) return found;
    }
    return '';
  };
}

/** A secret as it is, as a service trims it, and as JSON (JavaScript's and PHP's), URLs, forms and HTML escape it. */
function formsOf(secret: string): string[] {
  if (secret.trim() !== secret) return [...formsOf(secret.trim()), secret];
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeURIComponent(secret.replace(/[\uD800-\uDFFF]/gu, '\uFFFD'));
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [
    secret,
    ...[json, escapeUnicode(json)]
      .flatMap((form) => [form, escapeSlashes(form)])
      .flatMap((form) => [form, form.replace(/\\u..../g, (code) => `\\u${code.slice(2).toUpperCase()}`)]),
    // JavaScript escapes less than PHP and Python, and than a form.
    ...[url, url.replace(/[!'()*]/g, toPercent), url.replace(/[!'()~]/g, toPercent)]
      .flatMap((form) => [form, form.replaceAll('%20', '+')])
      .flatMap((form) => [form, form.replace(/%../g, (code) => code.toLowerCase())]),
    // JavaScript, PHP, Django and Go write quotes in their own ways.
    ...["'", '&#039;', '&#x27;', '&#39;']
      .map((quote) => html.replaceAll("'", quote))
      .flatMap((form) => ['&quot;', '&#34;'].map((quote) => form.replaceAll('"', quote))),
  ];
}

function toPercent(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
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
