// JSON values of unknown shape, and how text becomes one.

import { tryOrUndefined } from './try-or-undefined.ts';

/** A JSON object with unknown fields. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether `value` is an object and not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether `value` is an object that inherits no more than all objects do, also one from another realm. */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The kind of an object, also of one from another realm. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

/**
 * The items of a list, also of one with gaps in its indexes, which PHP writes as an object with numeric keys; otherwise
 * `null`.
 */
export function toList(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return null;
  return /^\d+(,\d+)*$/.test(Object.keys(value).join()) ? Object.values(value) : null;
}

/** The JSON of a body, or behind text that a framework printed before it; `undefined` if there is none. */
export function findJson(text: string): unknown {
  return parseJson(text) ?? findJsonBehindText(text);
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
