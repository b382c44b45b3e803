import { formsOf } from './forms.ts';

const REPLACEMENT = '[redacted]';

/** Anything shorter would also be found inside ordinary words, and hiding it would protect nothing. */
const SHORTEST_SECRET = 3;

/** Hides the secrets of a call in what the service or the platform gave. */
export interface Redact {
  /** In a string that is a value: a message, an address, a header. A path such as `participants.0.password` stays whole. */
  text(text: string): string;
  /** In a name, which is left alone unless it is no name at all. */
  name(name: string): string;
  /** In the text of a body: in JSON, in its strings, and neither in its keys nor in its numbers. */
  body(text: string): string;
}

/** A field of a list, as validators name it: one of its keys may be a password as well. */
const indexedPath = /^[a-z_]\w*(\.\d+)+(\.[a-z_]\w*)*$/i;

/** Makes what hides `secrets`, keys and passwords alike. */
export function createRedact(secrets: readonly string[]): Redact {
  const find = createFinder(secrets);
  const redactText = (text: string): string => {
    let result = '';
    let from = 0;
    for (const [start, end] of find(text)) {
      if (isPartOfPath(text, start, end)) continue;
      result += text.slice(from, start) + REPLACEMENT;
      from = end;
    }
    return from === 0 ? text : result + text.slice(from);
  };
  const redactName = (name: string) => (/^\w+(\.\w+)*$/.test(name) ? name : redactText(name));
  return {
    text: redactText,
    name: redactName,
    body: (text) => (/^\s*[[{"]/.test(text) ? redactJson(text, redactText, redactName) : redactText(text)),
  };
}

/** Finds where a text holds a secret, in one pass, however many secrets there are. */
function createFinder(
  secrets: readonly string[],
): (text: string) => Generator<readonly [start: number, end: number]> {
  const byBeginning = new Map<string, string[]>();
  for (const secret of new Set(secrets)) {
    if (secret.length < SHORTEST_SECRET) continue;
    for (const form of formsOf(secret)) {
      if (form.length < SHORTEST_SECRET) continue;
      const beginning = form.slice(0, SHORTEST_SECRET);
      const forms = byBeginning.get(beginning);
      if (forms === undefined) byBeginning.set(beginning, [form]);
      else forms.push(form);
    }
  }
  // The longest first, so that a secret inside a longer one does not leave the rest of it standing.
  for (const forms of byBeginning.values()) forms.sort((a, b) => b.length - a.length);
  return function* (text) {
    for (let start = 0; start <= text.length - SHORTEST_SECRET && byBeginning.size > 0; ) {
      const forms = byBeginning.get(text.slice(start, start + SHORTEST_SECRET));
      const form = forms?.find((candidate) => text.startsWith(candidate, start));
      if (form !== undefined) yield [start, start + form.length];
      start += form?.length ?? 1;
    }
  };
}

function isPartOfPath(text: string, start: number, end: number): boolean {
  const before = /[\w.]*$/.exec(text.slice(Math.max(0, start - 100), start))?.[0] ?? '';
  const after = /^\w*(\.\w+)*/.exec(text.slice(end, end + 100))?.[0] ?? '';
  return before + after !== '' && indexedPath.test(before + text.slice(start, end) + after);
}

/** Goes through the strings of JSON, which may be cut off anywhere. */
function redactJson(text: string, redact: (text: string) => string, name: (text: string) => string): string {
  let result = '';
  let from = 0;
  for (const { 0: token, 1: json = '', 2: colon = '', index } of text.matchAll(
    /("(?:[^"\\]|\\.)*")(\s*:)?/gs,
  )) {
    const value = parse(json);
    const safe = colon === '' ? redact(value) : name(value);
    result += text.slice(from, index) + (safe === value ? token : JSON.stringify(safe) + colon);
    from = index + token.length;
  }
  const rest = text.slice(from);
  return result + (rest.includes('"') ? redact(rest) : rest);
}

function parse(json: string): string {
  try {
    return JSON.parse(json);
  } catch {
    return json.slice(1, -1);
  }
}
