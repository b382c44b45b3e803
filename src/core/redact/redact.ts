// Removes keys and passwords from text that errors, logs and hooks show.

import { formsOf } from './forms.ts';
import { locate, readingsOf } from './readings.ts';

const REPLACEMENT = '[redacted]';

/** Anything shorter would also match inside ordinary words, and hiding it would protect nothing. */
const SHORTEST_SECRET = 3;

/** Hides the secrets of a call in text from the service or the platform. */
export interface Redact {
  /** In a value: a message, an address, a header. A path such as `participants.0.password` stays whole. */
  text(text: string): string;
  /** In a name, which is left alone unless it does not look like one. */
  name(name: string): string;
  /** In a body: if it is JSON, only in its strings, neither in keys nor in numbers. */
  body(text: string): string;
}

/** A field of a list, as validators name it: one of its keys may equal a password. */
const indexedPath = /^[a-z_]\w*(\.\d+)+(\.[a-z_]\w*)*$/i;

/** Creates the redaction of `secrets`, keys and passwords alike. */
export function createRedact(secrets: readonly string[]): Redact {
  const find = createFinder(secrets);
  const redactText = (text: string, isEnd = false): string => {
    const spans: Span[] = [];
    for (const reading of readingsOf(text)) {
      for (const [start, end] of find(reading.text, isEnd)) spans.push(locate(reading, start, end));
    }
    let result = '';
    let from = 0;
    for (const [start, end] of spans.sort((a, b) => a[0] - b[0])) {
      if (end <= from || isPartOfPath(text, start, end)) continue;
      if (start >= from) result += text.slice(from, start) + REPLACEMENT;
      from = end;
    }
    return result + text.slice(from);
  };
  const redactName = (name: string) => (/^\w+(\.\w+)*$/.test(name) ? name : redactText(name));
  return {
    text: (text) => redactText(text),
    name: redactName,
    body: (text) => redactJson(text, redactText, redactName) ?? redactText(text, true),
  };
}

type Span = readonly [start: number, end: number];

/**
 * Finds secrets in one pass, however many there are and however similar: an import has thousands. At the end of a
 * string that may be cut off, the beginning of a secret counts too.
 */
function createFinder(secrets: readonly string[]): (text: string, isEnd: boolean) => Generator<Span> {
  const byBeginning = new Map<string, Set<string>>();
  for (const secret of new Set(secrets)) {
    if (secret.length < SHORTEST_SECRET) continue;
    for (const form of formsOf(secret)) {
      const beginning = form.slice(0, SHORTEST_SECRET);
      byBeginning.set(beginning, (byBeginning.get(beginning) ?? new Set()).add(form));
    }
  }
  const buckets = new Map(
    [...byBeginning].map(([beginning, forms]) => {
      const lengths = new Set([...forms].map((form) => form.length));
      // Longest first, so that a secret inside a longer one does not leave the rest of it visible.
      return [beginning, { forms, lengths: [...lengths].sort((a, b) => b - a) }];
    }),
  );
  const findLength = (text: string, start: number, ends: readonly number[]): number | undefined => {
    const bucket = buckets.get(text.slice(start, start + SHORTEST_SECRET));
    if (bucket === undefined) return undefined;
    const { forms, lengths } = bucket;
    const isCutOff = ends.some((end) => {
      if (end - start > Number(lengths[0])) return false;
      const rest = text.slice(start, end);
      return [...forms].some((form) => form.startsWith(rest));
    });
    // First, since a whole secret may be the beginning of a longer one.
    if (isCutOff) return text.length - start;
    return lengths.find((length) => forms.has(text.slice(start, start + length)));
  };
  return function* (text, isEnd) {
    const ends = isEnd ? endsOf(text) : [];
    for (let start = 0; start <= text.length - SHORTEST_SECRET; ) {
      const length = findLength(text, start, ends);
      if (length !== undefined) yield [start, start + length];
      start += length ?? 1;
    }
  };
}

/** A character whose notation is cut off, such as `\\u00`, or what was decoded from it. */
const halfCharacter = /(?:\\(?:u[\da-f]{0,3})?|&#?\w{0,7}|%[\da-f]?|\uFFFD){1,2}$/i;

/** Where a text that may be cut off ends: with and without the character that was cut. */
function endsOf(text: string): readonly number[] {
  const half = halfCharacter.exec(text.slice(-20))?.[0] ?? '';
  return [text.length, text.length - half.length];
}

function isPartOfPath(text: string, start: number, end: number): boolean {
  const before = /[\w.]*$/.exec(text.slice(0, start).slice(-100))?.[0] ?? '';
  const after = /^\w*(\.\w+)*/.exec(text.slice(end, end + 100))?.[0] ?? '';
  return before + after !== '' && indexedPath.test(before + text.slice(start, end) + after);
}

/** What stands between the strings of JSON. */
const betweenStrings = /[\s{}[\],:]+|true|false|null|-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/gi;

/** What is left of that at the end of JSON that is cut off: the beginning of a string or of a name. */
const cutOff = /^(?:".*|tr?u?|fa?l?s?|nu?l?)$/s;

/** Goes through the strings of JSON, which may be cut off anywhere; `null` for a text that is none. */
function redactJson(
  text: string,
  redact: (text: string, isEnd?: boolean) => string,
  name: (text: string) => string,
): string | null {
  if (!/^\s*[[{"]/.test(text)) return null;
  let result = '';
  let from = 0;
  for (const { 0: token, 1: json = '', 2: quote, 3: colon = '', index } of text.matchAll(
    /("(?:[^"\\]|\\.)*("?))(\s*:)?/gs,
  )) {
    // Matched all the same: a search for a later quote would read the rest again for each that it holds.
    if (quote === '') break;
    const between = text.slice(from, index);
    if (between.replace(betweenStrings, '') !== '') return null;
    const value = parse(json);
    const safe = colon === '' ? redact(value) : name(value);
    result += between + (safe === value ? token : JSON.stringify(safe) + colon);
    from = index + token.length;
  }
  const rest = text.slice(from);
  const left = rest.replace(betweenStrings, '');
  if (left === '') return result + rest;
  return cutOff.test(left) ? result + redact(rest, true) : null;
}

function parse(json: string): string {
  try {
    return JSON.parse(json);
  } catch {
    return json.slice(1, -1);
  }
}
