// Reads what an error response says: who sent it, the message and the field errors. The service documents no error body, so the
// common forms are read.

import { isObject } from '../../util/json.ts';
import { tryOrUndefined } from '../../util/try-or-undefined.ts';
import type { ErrorDetails } from '../errors/api-error.ts';
import type { Redact } from '../redact.ts';

/**
 * Reads an error response. The service responds in JSON; anything else is a gateway's: a page of nginx, an ingress's "default backend",
 * a bot challenge, an empty body.
 */
export function readErrorDetails(
  text: string,
  isWhole: boolean,
  headers: Headers,
  redact: Redact,
): ErrorDetails {
  const body = parseJson(text) ?? findJsonBehindText(text);
  // A body that was cut off cannot be parsed, so its content type decides.
  const isJson = isWhole
    ? typeof body === 'object' && body !== null
    : /\bjson\b/i.test(String(headers.get('content-type')));
  if (isJson) return { origin: 'service', page: '', ...readErrorBody(body) };
  const page = describePage(text, isWhole, headers, redact);
  return { origin: 'gateway', page, message: null, fieldErrors: {} };
}

/** Reads the parsed body of an error. */
export function readErrorBody(body: unknown): Pick<ErrorDetails, 'message' | 'fieldErrors'> {
  const { errors, error, message, data } = isObject(body) ? body : {};
  const inner = isObject(data) ? data['errors'] : undefined;
  return {
    message: findText(body, ['message', 'detail', 'title']) ?? findText(error ?? errors, ['message']),
    fieldErrors: readFieldErrors(errors ?? inner ?? [body, error, message, data].find(isBag)),
  };
}

/** The JSON behind text that a framework printed before it, such as a PHP warning; `undefined` if there is none. */
export function findJsonBehindText(text: string): unknown {
  // A warning quotes file names and numbers, but no object that begins with a string.
  const [json = ''] = /(?:\{\s*"|\[\s*[{\]])[\s\S]*/.exec(text) ?? [];
  return parseJson(json);
}

/** `undefined` for text that is not JSON. The platform's error is dropped: its message quotes the body. */
export function parseJson(text: string): unknown {
  return tryOrUndefined(() => JSON.parse(text));
}

/** The first string under one of the keys, or the value itself if it is a string. */
function findText(value: unknown, keys: readonly string[]): string | null {
  const candidates = isObject(value) ? keys.map((key) => value[key]) : [value];
  const text = candidates.find((candidate) => typeof candidate === 'string' && candidate.trim() !== '');
  return typeof text === 'string' ? text.trim() : null;
}

/** A validator nests no deeper than the body that it validates. */
const DEEPEST_FIELD = 4;

/** Messages by field: as a map, as nested maps, or as a list of messages or of records with a field and a message. */
function readFieldErrors(errors: unknown): Record<string, string[]> {
  // Not an object: a field may be called `constructor`.
  const fields = new Map<string, string[]>();
  const add = (field: string, message: unknown): void => {
    if (typeof message !== 'string') return;
    const messages = fields.get(field) ?? [];
    messages.push(message);
    fields.set(field, messages);
  };
  const read = (value: unknown, field: string, depth: number): void => {
    const inner = (name: string) => (field === '' ? name : `${field}.${name}`);
    if (Array.isArray(value)) {
      for (const each of value) {
        const { field: name, message } = Object(each);
        if (typeof name === 'string') add(inner(name), message);
        else add(field, each);
      }
    } else if (isObject(value) && depth < DEEPEST_FIELD) {
      for (const [name, each] of Object.entries(value)) read(each, inner(name), depth + 1);
    } else add(field, value);
  };
  if (typeof errors !== 'string') read(errors, '', 0);
  return Object.fromEntries(fields);
}

/** Some validators send their messages alone: a list of strings, or such a list for every field. */
function isBag(value: unknown): boolean {
  return isObject(value) ? Object.values(value).every(isTexts) : isTexts(value);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === 'string');
}

/** The head of a page, with its title, stands in its first characters. */
const LONGEST_HEAD = 16 * 1024;
const LONGEST_QUOTE = 80;

/** Says what a gateway sent: `: a page titled "404 Not Found" (text/html)`. */
function describePage(text: string, isWhole: boolean, headers: Headers, redact: Redact): string {
  const type = headers.get('content-type');
  // Redacted before it is cut, since half a secret would not be recognised.
  const head = redact(text, LONGEST_HEAD);
  const title = squeeze(/<title[^>]*>([^<]*)<\/title/i.exec(head)?.[1] ?? '');
  const words = squeeze(head.replace(/<(script|style)\b[\s\S]*?<\/\1>|<[^>]*>/gi, ' '));
  let what = 'an empty body';
  if (title !== '') what = `a page titled "${title}"`;
  // It may end within a secret.
  else if (!isWhole) what = 'a body that was cut off';
  else if (words !== '') what = `"${words}"`;
  else if (text !== '') what = 'a body without text';
  return `: ${what}${type === null ? '' : ` (${redact(type, LONGEST_QUOTE)})`}`;
}

/** On one line, and not too long. */
function squeeze(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE)}…` : line;
}
