// JSON values of unknown shape.

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
