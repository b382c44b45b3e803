// Reads error responses. The service does not document their bodies, so every common form is read.

import { isObject, type JsonObject } from '../../util/json.ts';
import type { ErrorDetails } from '../errors/api-error.ts';

/** Reads the message and the messages by field of an error body. */
export function readErrorBody(text: string): ErrorDetails {
  const body = parseBehindText(text);
  const { errors, error, message, data } = isObject(body) ? body : {};
  const inner = isObject(data) ? data['errors'] : undefined;
  return {
    message: findText(body, ['message', 'detail', 'title']) ?? findText(error ?? errors, ['message']),
    fieldErrors: readFieldErrors(errors ?? inner ?? [body, error, message, data].find(isBag)),
  };
}

/** Parses JSON, also behind text. HTML, an empty body or one cut off at the limit is `undefined`: the status has to do. */
function parseBehindText(text: string): unknown {
  return parse(text) ?? findJsonBehindText(text);
}

/** The JSON behind text that a framework printed before it, such as a PHP warning; `undefined` if there is none. */
export function findJsonBehindText(text: string): unknown {
  // A warning quotes file names and numbers, no object that begins with a string.
  const start = text.search(/\{\s*"|\[\s*(\{|\])/);
  return start > 0 ? parse(text.slice(start)) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
  const fields: Record<string, string[]> = {};
  const add = (field: string, message: unknown): void => {
    if (typeof message === 'string') fields[field] = [...(fields[field] ?? []), message];
  };
  const read = (value: unknown, field: string, depth: number): void => {
    const inner = (name: string) => (field === '' ? name : `${field}.${name}`);
    if (Array.isArray(value)) {
      for (const each of value) {
        const { field: name, message } = asRecord(each);
        if (typeof name === 'string') add(inner(name), message);
        else add(field, each);
      }
    } else if (isObject(value) && depth < DEEPEST_FIELD) {
      for (const [name, each] of Object.entries(value)) read(each, inner(name), depth + 1);
    } else add(field, value);
  };
  if (typeof errors !== 'string') read(errors, '', 0);
  return fields;
}

function asRecord(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Some validators send their messages alone: a list of strings, or such a list for every field. */
function isBag(value: unknown): boolean {
  if (isObject(value)) return Object.values(value).every((list) => Array.isArray(list) && isTexts(list));
  return Array.isArray(value) && isTexts(value);
}

function isTexts(values: readonly unknown[]): boolean {
  return values.length > 0 && values.every((value) => typeof value === 'string');
}
