// What can stand in a query.

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

/** What such a value must be. */
export const queryValue = 'a string, a number, true or false, or a list of these';
