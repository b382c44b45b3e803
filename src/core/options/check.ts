// One way of reading options: a table holds every option of a type, each with its check and its default.

import { isCount, LONGEST_TIMER_MS } from '../../util/numbers.ts';
import { findUnknownName } from '../../util/suggest.ts';
import { ConfigurationError } from '../errors/base.ts';

/** Reads one option: returns its value, or throws a ConfigurationError that says what it must be. */
export type Check<T = unknown> = (value: unknown, name: string) => T;

/** Every option of a type. Write `{ … } satisfies OptionTable<Options>`, so that none is forgotten. */
export type OptionTable<Options> = { readonly [Name in keyof Options]-?: Check };

/** What a table reads. */
export type Checked<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Check<infer T> ? T : never;
};

/**
 * Reads options once, also those that an instance of a class inherits, so that changing them later has no effect.
 *
 * @param where what is read, for the message about an unknown name: `the options of importAll`
 * @throws {ConfigurationError} for an unknown name or an invalid value
 */
export function readOptions<const Table extends Readonly<Record<string, Check>>>(
  where: string,
  given: unknown,
  table: Table,
): Checked<Table> {
  const options = anObject(given, 'options');
  const known = Object.keys(table);
  const unknown = findUnknownName(options, known);
  if (unknown !== null) {
    const advice = unknown.endsWith('?)') ? '' : ` It takes ${known.join(', ')}.`;
    throw new ConfigurationError(`Unknown name in ${where}: ${unknown}.${advice}`);
  }
  const read: Record<string, unknown> = {};
  for (const name of known) read[name] = table[name]?.(Reflect.get(options, name), name);
  return read as Checked<Table>;
}

/** Throws, saying what an option must be. */
export function refuse(name: string, expected: string, advice = ''): never {
  throw new ConfigurationError(`\`${name}\` must be ${expected}.${advice}`);
}

// Checks. They are functions of the value and the name, so that a table reads like the documentation of its type.

/** Lets `undefined` pass. */
// @__NO_SIDE_EFFECTS__
export function optional<T>(check: Check<T>): Check<T | undefined> {
  return withDefault(check, undefined);
}

/** Takes `fallback` for `undefined`. */
// @__NO_SIDE_EFFECTS__
export function withDefault<T, const Fallback>(check: Check<T>, fallback: Fallback): Check<T | Fallback> {
  return (value, name) => (value === undefined ? fallback : check(value, name));
}

/** Lets `false` pass, which switches a limit off. */
// @__NO_SIDE_EFFECTS__
export function orFalse<T>(check: Check<T>): Check<T | false> {
  return (value, name) => (value === false ? false : check(value, name));
}

/** Takes anything: what it must be is checked elsewhere, or does not matter. */
export const anything = <T>(value: unknown): T => value as T;

export function anObject(value: unknown, name: string): object {
  if (typeof value !== 'object' || value === null) refuse(name, 'an object');
  return value;
}

export function aFunction<T>(value: unknown, name: string): T {
  if (typeof value !== 'function') refuse(name, 'a function');
  return value as T;
}

export function aBoolean(value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') refuse(name, 'true or false');
  return value;
}

/** An AbortSignal, also of another realm or a polyfill. */
export function aSignal(value: unknown, name: string): AbortSignal {
  if (typeof (value as AbortSignal | null)?.addEventListener !== 'function') refuse(name, 'an AbortSignal');
  return value as AbortSignal;
}

// @__NO_SIDE_EFFECTS__
export function oneOf<const T extends string>(choices: readonly T[]): Check<T> {
  return (value, name) => {
    if (!choices.includes(value as T)) refuse(name, `one of ${choices.join(', ')}`);
    return value as T;
  };
}

/** A finite number of at least `least`. */
// @__NO_SIDE_EFFECTS__
export function aNumber(least: number): Check<number> {
  return (value, name) => {
    if (Number.isFinite(value) && Number(value) >= least) return Number(value);
    refuse(name, `a finite number of at least ${least}`);
  };
}

export function aText(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') refuse(name, 'a non-empty string');
  return value;
}

/** An integer of at least `least`. */
// @__NO_SIDE_EFFECTS__
export function aCount(least = 1): Check<number> {
  return (value, name) => {
    const expected = least > 0 ? 'a positive integer' : 'an integer of 0 or more';
    if (!isCount(value, least)) refuse(name, expected, numberAdvice(value));
    return value;
  };
}

/** A number of milliseconds that a timer can hold. */
// @__NO_SIDE_EFFECTS__
export function aDuration(least: number): Check<number> {
  return (value, name) => {
    if (typeof value !== 'number' || !(value >= least && value <= LONGEST_TIMER_MS)) {
      const advice = value === 0 ? ' For no limit, pass false.' : numberAdvice(value);
      refuse(name, `a number of milliseconds from ${least} to ${LONGEST_TIMER_MS}`, advice);
    }
    return value;
  };
}

/** Values of the environment and of forms are strings. */
export function numberAdvice(value: unknown): string {
  const isNumeric = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
  return isNumeric ? ' It is a string: convert it with Number().' : '';
}
