import { isObject } from '../util/json.ts';

/**
 * Reads an unknown value as `T`, or adds its path to `wrong`. The webhook receiver uses this instead of zod, which
 * would double its bundle for a browser or a worker from 6.1 to 12.9 kB (after gzip).
 */
export type Reader<T> = (value: unknown, path: string, wrong: string[]) => T;

/** Accepts the values for which `accepts` returns true; these must be the values of `T`. */
// @__NO_SIDE_EFFECTS__
function expecting<T>(accepts: (value: unknown) => boolean): Reader<T> {
  return (value, path, wrong) => {
    if (!accepts(value)) wrong.push(path);
    return value as T;
  };
}

const decimal = /^-?\d+(\.\d+)?$/;

/** Reads a decimal that the service sends as a string (`"87.50"`) as a number; leaves anything else alone. */
export const readDecimal = (value: unknown): unknown =>
  typeof value === 'string' && decimal.test(value) ? Number(value) : value;

export const string = expecting<string>((value) => typeof value === 'string');

const exact = expecting<number>((value) => Number.isSafeInteger(value));
const finite = expecting<number>((value) => Number.isFinite(value));

/** An integer that a number can hold exactly, also as a string, as PHP writes it without a cast. */
export const integer: Reader<number> = (value, path, wrong) => exact(readDecimal(value), path, wrong);

/** A number, also as a string, as PHP writes decimals. */
export const number: Reader<number> = (value, path, wrong) => finite(readDecimal(value), path, wrong);

/** Reads null as null, and likewise a missing value and the `[]` that PHP writes for an empty map. */
// @__NO_SIDE_EFFECTS__
export function orNull<T>(read: Reader<T>): Reader<T | null> {
  return (value, path, wrong) => (isEmpty(value) ? null : read(value, path, wrong));
}

/** Reads the named fields of an object and keeps all others. */
// @__NO_SIDE_EFFECTS__
export function record<T extends object>(
  fields: { readonly [Name in keyof T]-?: Reader<T[Name]> },
): Reader<T> {
  const readers = Object.entries<Reader<unknown>>(fields);
  return (value, path, wrong) => {
    if (!isObject(value)) {
      wrong.push(path);
      return value as T;
    }
    const result: Record<string, unknown> = { ...value };
    for (const [name, read] of readers) {
      result[name] = read(result[name], path ? `${path}.${name}` : name, wrong);
    }
    return result as T;
  };
}

/** Whether a value is as good as null; PHP writes an empty map as `[]`. */
export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
