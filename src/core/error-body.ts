import type { ErrorDetails } from './errors/api-error.ts';
import { isObject, type JsonObject } from './json.ts';

/** Reads what an error response says. The interface document shows no error body, so every common form is read. */
export function readErrorBody(text: string): ErrorDetails {
  const body = parse(text);
  if (!isObject(body)) return { message: null, fieldErrors: {} };
  const errors = body['errors'] ?? body['error'];
  return {
    message: findText(body, ['message', 'detail', 'title', 'error']) ?? findText(errors, ['message']),
    fieldErrors: errors === undefined ? readBareBag(body) : readFieldErrors(errors),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // HTML, an empty body or one cut at the limit: the status says what is known.
    return undefined;
  }
}

function findText(value: unknown, keys: ReadonlyArray<string>): string | null {
  if (!isObject(value)) return null;
  for (const key of keys) {
    const text = value[key];
    if (typeof text === 'string' && text.trim() !== '') return text.trim();
  }
  return null;
}

function readFieldErrors(errors: unknown): Record<string, string[]> {
  if (Array.isArray(errors)) {
    const messages = errors.filter((message) => typeof message === 'string');
    return messages.length === 0 ? {} : { '': messages };
  }
  if (!isObject(errors)) return {};
  const fields: Record<string, string[]> = {};
  for (const [field, value] of Object.entries(errors)) {
    const messages = (Array.isArray(value) ? value : [value]).filter(
      (message) => typeof message === 'string',
    );
    if (messages.length > 0) fields[field] = messages;
  }
  return fields;
}

/** A validator's messages may be the whole body: every value is a list of texts. */
function readBareBag(body: JsonObject): Record<string, string[]> {
  const isBag = Object.values(body).every(
    (value) => Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string'),
  );
  return isBag ? readFieldErrors(body) : {};
}
