// Reads what a page sends, field by field: a documented name with a value of its type, or nothing at all.

import { type Check, optionOf, throwInvalid } from '../core/check.ts';
import { ConfigurationError } from '../core/errors/base.ts';
import { isObject } from '../util/json.ts';

/** Documented fields by name. */
export type Fields = Readonly<Record<string, Check>>;

/** What documented fields hold. */
export type ValuesOf<Of> = {
  readonly [Name in keyof Of]?: (Of[Name] extends Check<infer T> ? T : never) | undefined;
};

/** Checked values by name. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * An id, or the number of a page, as a number or in digits. In one notation only: the service might read "7e0", "07" or
 * " 7" in another way than `authorize` does.
 */
export const anId: Check<number> = (value, name) => {
  const number = typeof value !== 'object' && /^[1-9]\d*$/.test(String(value)) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) ? number : throwInvalid(name, 'a positive integer');
};

const isString = (value: unknown) => typeof value === 'string';

export const aString = optionOf<string>('a string', isString);

export const textOrNull = optionOf<string | null>(
  'a string or null',
  (value) => value === null || isString(value),
);

export const yes = optionOf<true>('true', (value) => value === true);

export const no = optionOf<false>('false', (value) => value === false);

/** A list of what `check` takes. */
export function listOf<T>(check: Check<T>): Check<readonly T[]> {
  return (value, name) =>
    Array.isArray(value)
      ? value.map((item, index) => check(item, `${name}[${index}]`))
      : throwInvalid(name, 'a list');
}

/** An object with some of these fields. */
export function record<const Of extends Fields>(fields: Of): Check<ValuesOf<Of>> {
  return (value, name) => readFields(name, value, fields);
}

export const texts = listOf(aString);

/** The rows of an import. */
export const rows = listOf(record({ email: aString, name: aString, password: aString }));

/** An unknown name is quoted only if it looks like one: it may be anything. */
const NAME = /^[a-z_]\w{0,40}$/i;

/**
 * Reads an object's own fields.
 *
 * @throws {ConfigurationError} for an unknown name or an invalid value, without quoting the value
 */
export function readFields<const Of extends Fields>(what: string, given: unknown, fields: Of): ValuesOf<Of> {
  if (!isObject(given)) return throwInvalid(what, 'an object');
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (check === undefined) {
      const unknown = NAME.test(name) ? `no \`${name}\`` : 'no such name';
      const known = Object.keys(fields).join(', ') || 'nothing';
      throw new ConfigurationError(`\`${what}\` has ${unknown}: it takes ${known}.`);
    }
    values[name] = check(value, `${what}.${name}`);
  }
  return values as ValuesOf<Of>;
}
