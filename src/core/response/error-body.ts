// Reads the message and the field errors of an error body. The service documents none, so the common forms are read.

import { isObject } from '../../util/json.ts';
import { tryOrUndefined } from '../../util/try-or-undefined.ts';
import type { ErrorDetails } from '../errors/api-error.ts';

/** Reads an error body. HTML, an empty body or one cut off at the limit says nothing. */
export function readErrorBody(text: string): Pick<ErrorDetails, 'message' | 'fieldErrors'> {
  const body = parseJson(text) ?? findJsonBehindText(text);
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
