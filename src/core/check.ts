// One way of reading options: a table holds every option of a type, each with its check and its default.

import { isCount, LONGEST_TIMER_MS } from '../util/numbers.ts';
import { findUnknownName } from '../util/suggest.ts';
import { ConfigurationError } from './errors/base.ts';

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
 * @param what what is read, for the message about an unknown name: `the options of importAll`
 * @param prefix what messages put before the name of an option that is part of another, such as `hooks.`
 * @param synonyms options by the names that others have for the same
 * @throws {ConfigurationError} for an unknown name or an invalid value
 */
export function readOptions<const Table extends Readonly<Record<string, Check>>>(
  what: string,
  given: unknown,
  table: Table,
  prefix = '',
  synonyms?: Readonly<Record<string, string>>,
): Checked<Table> {
  const options = anObject(given, 'options');
  const known = Object.keys(table);
  const unknown = findUnknownName(options, known, synonyms);
  if (unknown !== null) {
    const advice = unknown.endsWith('?)') ? '' : ` It takes ${known.join(', ')}.`;
    throw new ConfigurationError(`Unknown name in ${what}: ${unknown}.${advice}`);
  }
  const read: Record<string, unknown> = {};
  for (const name of known) read[name] = table[name]?.(Reflect.get(options, name), prefix + name);
  return read as Checked<Table>;
}

/**
 * Checks arguments that must be objects.
 *
 * @param shown the call as it is meant: `createWebhookHandler takes one object: { secret, on }`
 * @throws {ConfigurationError} that shows it, unless each is an object
 */
export function expectObjects(shown: string, ...given: readonly unknown[]): void {
  if (given.every((one) => typeof one === 'object' && one !== null)) return;
  throw new ConfigurationError(`${shown}.`);
}

/** Throws, saying what an option must be. */
export function throwInvalid(name: string, expected: string, advice = ''): never {
  throw new ConfigurationError(`\`${name}\` must be ${expected}.${advice}`);
}

/** What is wrong with a text that begins and ends with the same quotation mark, as an env file leaves it; `undefined` for any other. */
export function quotesProblem(value: unknown): string | undefined {
  return typeof value === 'string' && /^(["'`]).*\1$/s.test(value)
    ? 'is in quotes: remove them (Docker keeps those of an env file).'
    : undefined;
}

// Checks. They are functions of the value and the name, so that a table reads like the documentation of its type.

/** Takes the values for which `accepts` is true. For any other, the error says what is `expected`, with advice. */
// @__NO_SIDE_EFFECTS__
export function optionOf<T>(
  expected: string,
  accepts: (value: unknown) => boolean,
  advice?: (value: unknown) => string,
): Check<T> {
  return (value, name) => (accepts(value) ? (value as T) : throwInvalid(name, expected, advice?.(value)));
}

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

export const anObject = optionOf<object>('an object', (value) => typeof value === 'object' && value !== null);

export const aFunction: <T>(value: unknown, name: string) => T = optionOf<never>(
  'a function',
  (value) => typeof value === 'function',
);

export const aBoolean = optionOf<boolean>('true or false', (value) => typeof value === 'boolean');

/** An AbortSignal, also of another realm or a polyfill. */
export const aSignal = optionOf<AbortSignal>(
  'an AbortSignal',
  (value) => typeof Object(value).addEventListener === 'function',
);

export const aText = optionOf<string>(
  'a non-empty string',
  (value) => typeof value === 'string' && value !== '',
);

// @__NO_SIDE_EFFECTS__
export function oneOf<const T extends string>(choices: readonly T[]): Check<T> {
  return optionOf(`one of ${choices.join(', ')}`, (value) => choices.includes(value as T));
}

/** A finite number of at least `least`. */
// @__NO_SIDE_EFFECTS__
export function aNumber(least: number): Check<number> {
  return optionOf(
    `a finite number of at least ${least}`,
    (value) => Number.isFinite(value) && (value as number) >= least,
  );
}

/** An integer of at least `least`. */
// @__NO_SIDE_EFFECTS__
export function aCount(least = 1): Check<number> {
  const expected = least > 0 ? 'a positive integer' : 'an integer of 0 or more';
  return optionOf(expected, (value) => isCount(value, least), numberAdvice);
}

/** A number of milliseconds that a timer can hold. */
// @__NO_SIDE_EFFECTS__
export function aDuration(least: number): Check<number> {
  return optionOf(
    `a number of milliseconds from ${least} to ${LONGEST_TIMER_MS}`,
    (value) => typeof value === 'number' && value >= least && value <= LONGEST_TIMER_MS,
    (value) => (value === 0 ? ' For no limit, pass false.' : numberAdvice(value)),
  );
}

/** Values of the environment and of forms are strings. */
function numberAdvice(value: unknown): string {
  const isNumeric = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
  return isNumeric ? ' It is a string: convert it with Number().' : '';
}
