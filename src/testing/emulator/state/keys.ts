// How a database compares what records are found by.

/** The id that a database reads from a text, such as `01`, `1.0` or `1 ` for 1; NaN where it is not a number. */
export function idOf(key: number | string): number {
  return typeof key === 'number' || /^\s*[+-]?\d+(\.0*)?\s*$/.test(key) ? Number(key) : Number.NaN;
}

/**
 * What two emails of one participant have in common: they are compared as a database with a case-insensitive Unicode
 * collation does, in NFC and without case.
 */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
