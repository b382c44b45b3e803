// Keeps secrets out of everything that is printed: the keys and passwords that a call sends are replaced, as they are,
// JSON-escaped and percent-encoded.

const REPLACEMENT = '[redacted]';

/** Anything shorter would also match inside ordinary words, and hiding it would protect nothing. */
const SHORTEST_SECRET = 3;
/** The same for a key: `test` would change the data of every `participant@example.test`. */
const SHORTEST_KEY = 8;

/** Enough of a message to act on, too little to fill a log. In characters. */
export const LONGEST_MESSAGE = 2_000;
/** Enough of the service's message to be quoted in that of an error. In characters. */
export const LONGEST_SENTENCE = 500;
/** Enough of the name of a field. In characters. */
export const LONGEST_NAME = 200;

/** Replaces the secrets of a call in a text, and removes what is beyond `limit` characters. */
export type Redact = (text: string, limit?: number) => string;

/** The secrets are only asked for when there is text to redact. */
export function createRedact(secretsOf: () => readonly string[]): Redact {
  let find: ((text: string, at: number) => number) | undefined;
  return (text, limit = Number.POSITIVE_INFINITY) => {
    find ??= createFind(secretsOf());
    let result = '';
    let from = 0;
    let at = 0;
    while (at < text.length && result.length + at - from <= limit) {
      const length = find(text, at);
      if (length > 0) result += text.slice(from, at) + REPLACEMENT;
      at += length || 1;
      if (length > 0) from = at;
    }
    result += text.slice(from, at);
    return result.length > limit ? `${result.slice(0, limit - 1)}…` : result;
  };
}

/** Gives the length of the longest secret at a place of a text. Looks for all together, since an import has thousands. */
function createFind(secrets: readonly string[]): (text: string, at: number) => number {
  const forms = new Set(secrets.flatMap(formsOf).filter(({ length }) => length >= SHORTEST_SECRET));
  const lengthsByStart = new Map<string, Set<number>>();
  for (const form of [...forms].sort((a, b) => b.length - a.length)) {
    const start = form.slice(0, SHORTEST_SECRET);
    lengthsByStart.set(start, (lengthsByStart.get(start) ?? new Set()).add(form.length));
  }
  return (text, at) => {
    const lengths = lengthsByStart.get(text.slice(at, at + SHORTEST_SECRET)) ?? [];
    for (const length of lengths) if (forms.has(text.slice(at, at + length))) return length;
    return 0;
  };
}

function formsOf(secret: string): string[] {
  // A lone surrogate cannot be encoded.
  const url = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\uFFFD'));
  const json = JSON.stringify(secret).slice(1, -1);
  // A query encodes more, and writes a space as a plus.
  const query = String(new URLSearchParams([['', secret]])).slice(1);
  // PHP escapes slashes as well.
  return [secret, json, json.replaceAll('/', '\\/'), url, query];
}

/** Every string and number below one of the `fields` of a JSON text, as strings. */
export function secretsIn(json: string | undefined, fields: readonly string[]): string[] {
  const found: string[] = [];
  if (json === undefined || fields.length === 0) return found;
  JSON.parse(json, (key, value) => {
    if (fields.includes(key)) found.push(...leavesOf(value));
    return value;
  });
  return found;
}

/** Every string and number in a value, as strings. */
export function leavesOf(value: unknown, seen = new Set()): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  // It may hold itself.
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  return Object.values(value).flatMap((each) => leavesOf(each, seen));
}

/** Those of the keys that are looked for. */
export const longKeys = (keys: Iterable<string>) => [...keys].filter(({ length }) => length >= SHORTEST_KEY);

/** A body as the service sent it, without keys. A body that was cut off also loses the beginning of a key at its end. */
export function withoutKeys(body: string, keys: Iterable<string>, isTruncated = false): string {
  return [...new Set(longKeys(keys).flatMap(formsOf))]
    .sort((a, b) => b.length - a.length)
    .reduce((text, key) => withoutKey(text, key, isTruncated), body);
}

function withoutKey(text: string, key: string, isTruncated: boolean): string {
  const rest = text.replaceAll(key, REPLACEMENT);
  for (let length = key.length; isTruncated && length >= SHORTEST_SECRET; length -= 1) {
    if (rest.endsWith(key.slice(0, length))) return rest.slice(0, -length) + REPLACEMENT;
  }
  return rest;
}

/** `headers` without cookies and redacted: a service may echo what it received. */
export function redactHeaders(headers: Pick<Headers, 'forEach'>, redact: Redact): Headers {
  const copy = new Headers();
  headers.forEach((value, name) => {
    if (name !== 'set-cookie') copy.append(name, redact(value));
  });
  return copy;
}
