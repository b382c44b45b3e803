// Reads what a page sends, field by field: a documented name with a value of its type, or nothing at all.

import { isObject } from '../util/json.ts';

/** Reads a value; `undefined` if it is not of the type. */
export type Read<T> = (value: unknown) => T | undefined;

/** Documented fields by name. */
export type Fields = Readonly<Record<string, Read<unknown>>>;

/** What documented fields hold. */
export type ValuesOf<Of> = { readonly [Name in keyof Of]?: Of[Name] extends Read<infer T> ? T : never };

/** Checked values by name. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * An id, or the number of a page, as a number or in digits. In one notation only: the service might read "7e0", "07" or
 * " 7" in another way than `authorize` does.
 */
export const integer: Read<number> = (value) => {
  const number = typeof value !== 'object' && /^[1-9]\d*$/.test(String(value)) ? Number(value) : 0.5;
  return Number.isSafeInteger(number) ? number : undefined;
};

export const text: Read<string> = (value) => (typeof value === 'string' ? value : undefined);

export const textOrNull: Read<string | null> = (value) => (value === null ? null : text(value));

export const flag: Read<boolean> = (value) => yes(value) ?? no(value);

export const yes: Read<true> = (value) => (value === true ? value : undefined);

export const no: Read<false> = (value) => (value === false ? value : undefined);

/** A list of what `read` reads. */
function listOf<T>(read: Read<T>): Read<readonly T[]> {
  return (value) => {
    const items = Array.isArray(value) ? value.map(read) : [undefined];
    return items.includes(undefined) ? undefined : (items as T[]);
  };
}

export const texts = listOf(text);

/** An object with some of these fields. */
export function record<const Of extends Fields>(fields: Of): Read<ValuesOf<Of>> {
  return (value) => {
    const values = readFields(value, fields);
    return typeof values === 'string' ? undefined : values;
  };
}

/** The rows of an import. */
export const rows = listOf(record({ email: text, name: text, password: text }));

/** Reads documented fields from an object, or says what is wrong with it, without quoting it. */
export function readFields<const Of extends Fields>(given: unknown, fields: Of): ValuesOf<Of> | string {
  if (!isObject(given)) return 'must be an object';
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(fields, name)) return `can only have: ${Object.keys(fields).join(', ') || 'nothing'}`;
    values[name] = fields[name]?.(value);
    if (values[name] === undefined) return `has an invalid \`${name}\``;
  }
  return values as ValuesOf<Of>;
}
