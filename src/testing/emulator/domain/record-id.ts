// The ids of records as a path or a field names them.

/** The id that a database reads from a text, such as `01`, `1.0` or `1 ` for 1; NaN where it is not a number. */
export function idOf(key: number | string): number {
  return typeof key === 'number' || /^\s*[+-]?\d+(\.0*)?\s*$/.test(key) ? Number(key) : Number.NaN;
}
