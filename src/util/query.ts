// What can stand in a query.

import { isPlainObject, tagOf } from './json.ts';

/** Half a character, as `slice` leaves of an emoji, and U+0000: not every JSON parser and database takes them. */
const broken = /[\p{Surrogate}\0]/u;

/** Whether any service can take a text: half a character costs the whole request (PHP's parser makes it a 400). */
export const isWellFormed = (value: unknown): boolean => !broken.test(String(value));

const isScalar = (value: unknown) =>
  (typeof value === 'string' && isWellFormed(value)) || typeof value === 'boolean' || Number.isFinite(value);

/** Whether a value can stand in a query: a list is repeated, `undefined` is left out. */
export function isQueryValue(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) ? value.every(isScalar) : isScalar(value));
}

/**
 * The parameters in a plain object or a `URLSearchParams`, of which one that stands there several times becomes a list. `undefined` for
 * anything else: instances and maps do not keep what they hold as own properties.
 */
export function parametersIn(given: unknown): Record<string, unknown> | undefined {
  if (tagOf(given) !== 'URLSearchParams') return isPlainObject(given) ? { ...given } : undefined;
  const pairs = given as URLSearchParams;
  return Object.fromEntries([...pairs.keys()].map((name) => [name, pairs.getAll(name)]));
}

/** What the whole must be. */
export const queryForm = 'a plain object or a URLSearchParams';

/** What such a value must be. */
export const queryValue = 'a string, a number, true or false, or a list of these';
