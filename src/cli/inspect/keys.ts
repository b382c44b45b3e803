// Distinguishes keys that are field names from keys that are data, which must not end up in a schema or a report.

import type { ObjectShape } from './shape.ts';

/** What no field is called: a number, an id, a date, an address. Such a key is data, and may be personal. */
const valuePatterns = [
  /^\d+$/,
  /@/,
  /:\/\//,
  /\d{4}-\d\d-\d\d/,
  /[0-9a-f]{8}-[0-9a-f]{4}-/i,
  /\d{6}/,
  /\p{Cc}/u,
  /^.{65}/su,
];

/** So many keys of one form are no coincidence. */
const MANY = 3;

export function looksLikeValue(name: string): boolean {
  return valuePatterns.some((pattern) => pattern.test(name));
}

/**
 * Whether the keys of an object are data, such as names or ids, and not names of fields: one of them looks like a value,
 * or their values are alike and the keys are what no programmer would write, or most were seen in one record only. Where
 * both could be, they count as data: a schema without names of fields still fits, and one with names of people is a leak.
 *
 * @param isAlike Whether their values are of one type.
 */
export function hasDataKeys({ count, fields }: ObjectShape, isAlike: boolean): boolean {
  const names = [...fields.keys()];
  if (names.some(looksLikeValue)) return true;
  const seen = [...fields.values()];
  if (!isAlike) return false;
  const isInAll = seen.every((field) => field.count === count);
  if (names.every((name) => /[^\w$-]/.test(name)) && (names.length >= MANY || !isInAll)) return true;
  const once = seen.filter((field) => field.count === 1).length;
  // A single record does not show which keys come again.
  return count > 1 && names.length > 1 && once > names.length / 2;
}
