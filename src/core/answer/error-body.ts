import { isObject } from '../../util/json.ts';
import type { ErrorDetails } from '../errors/api-error.ts';

/** Reads an error response. The service does not document its error bodies, so every common form is read. */
export function readErrorBody(text: string): ErrorDetails {
  const body = parse(text);
  const { errors, error, message, data } = isObject(body) ? body : {};
  return {
    message: findText(body, ['message', 'detail', 'title']) ?? findText(error ?? errors, ['message']),
    fieldErrors: readFieldErrors(errors ?? [body, error, message, data].find(isBag)),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // HTML, an empty body or one cut off at the limit: the status has to do.
    return undefined;
  }
}

/** The first string under one of the keys, or the value itself if it is a string. */
function findText(value: unknown, keys: readonly string[]): string | null {
  const candidates = isObject(value) ? keys.map((key) => value[key]) : [value];
  const text = candidates.find((candidate) => typeof candidate === 'string' && candidate.trim() !== '');
  return typeof text === 'string' ? text.trim() : null;
}

function readFieldErrors(errors: unknown): Record<string, string[]> {
  if (Array.isArray(errors)) {
    const messages = errors.filter((message) => typeof message === 'string');
    return messages.length === 0 ? {} : { '': messages };
  }
  if (!isObject(errors)) return {};
  const fields = Object.entries(errors).map(([field, value]): [string, string[]] => {
    const messages = Array.isArray(value) ? value : [value];
    return [field, messages.filter((message) => typeof message === 'string')];
  });
  return Object.fromEntries(fields.filter(([, messages]) => messages.length > 0));
}

/** Some validators send their messages alone: a list of strings, or such a list for every field. */
function isBag(value: unknown): boolean {
  if (isObject(value)) return Object.values(value).every((list) => Array.isArray(list) && isTexts(list));
  return Array.isArray(value) && isTexts(value);
}

function isTexts(values: readonly unknown[]): boolean {
  return values.length > 0 && values.every((value) => typeof value === 'string');
}
