// Reads the options of a command: each is a flag, or a value of some kind.

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { suggest } from '../util/suggest.ts';
import { UsageError } from './errors.ts';

/** An option of a command: what its help says, and what it gives. */
export interface Option<Value> {
  /** Placeholder for its value in the help; absent for a flag. */
  readonly value?: string;
  readonly help: string;
  readonly short?: string;
  /**
   * @param texts The values as written; none without the option.
   * @throws {UsageError} if one is invalid
   */
  read(texts: readonly string[], name: string): Value;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

/** What the options of a command give, by their names. */
export type ValuesOf<Given extends Options> = {
  readonly [Name in keyof Given]: ReturnType<Given[Name]['read']>;
};

/** Something that is so if the option is there. */
export function flag(help: string, short?: string): Option<boolean> {
  return { help, ...(short && { short }), read: (texts) => texts.length > 0 };
}

/** A value that `parse` checks; of one that is repeated, the last. */
export function value<Value>(
  placeholder: string,
  help: string,
  parse: (text: string, name: string) => Value,
): Option<Value | undefined> {
  return {
    value: placeholder,
    help,
    read(texts, name) {
      const text = texts.at(-1);
      return text === undefined ? undefined : parse(text, name);
    },
  };
}

export function text(placeholder: string, help: string): Option<string | undefined> {
  return value(placeholder, help, (given) => given);
}

/** A whole number, also below zero where `min` is. */
export function count(
  placeholder: string,
  help: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {},
): Option<number | undefined> {
  return value(placeholder, help, (given, name) => {
    const number = Number(given);
    if (/^-?\d+$/.test(given) && number >= min && number <= max) return number;
    const range = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`;
    throw new UsageError(`${name} needs a whole number ${range}, not ${given}.`);
  });
}

export const MAX_PORT = 65_535;

export function oneOf<const Word extends string>(
  placeholder: string,
  help: string,
  words: readonly Word[],
): Option<Word | undefined> {
  return value(placeholder, help, (given, name) => {
    const word = words.find((known) => known === given);
    if (word !== undefined) return word;
    throw new UsageError(
      `${name} is one of ${words.join(', ')}, not ${given}.${hint(suggest(given, words))}`,
    );
  });
}

/** The address of a server, as it is written in URLs that are requested. */
export function address(
  placeholder: string,
  help: string,
  { withUser = false }: { withUser?: boolean } = {},
): Option<string | undefined> {
  return value(placeholder, help, (given, name) => {
    const url = URL.canParse(given) ? new URL(given) : null;
    const isAllowed = url && /^https?:$/.test(url.protocol) && (withUser || !(url.username || url.password));
    if (isAllowed) return url.href;
    const user = withUser ? '' : ' without a user name';
    throw new UsageError(`${name} needs an http or https URL${user}.`);
  });
}

/** All the values of an option that can be repeated. */
export function repeatable<Value>(option: Option<Value>): Option<readonly Exclude<Value, undefined>[]> {
  const isGiven = (one: Value): one is Exclude<Value, undefined> => one !== undefined;
  const read = (texts: readonly string[], name: string) =>
    texts.map((given) => option.read([given], name)).filter(isGiven);
  return { ...option, read };
}

/** Every command has this one. */
export const helpOption = { help: flag('Shows this help', 'h') };

export const jsonOption = {
  once: { json: flag('JSON instead of text') },
  /** For a command that ends only when it is stopped. */
  ongoing: { json: flag('One JSON object per line instead of text') },
};

/** @throws {UsageError} without a value */
export function required<Value>(given: Value | undefined, names: string): Value {
  if (given === undefined) throw new UsageError(`${names} is missing.`);
  return given;
}

function hint(meant: string | null): string {
  return meant === null ? '' : ` Did you mean ${meant}?`;
}

/**
 * Parses a command line.
 *
 * @param names Names of the positional arguments, in order.
 * @throws {UsageError} for an unknown option, a missing, empty, invalid or superfluous value, and an unexpected argument
 */
export function readOptions<Given extends Options, Name extends string = never>(
  args: readonly string[],
  options: Given,
  names: readonly Name[] = [],
): ValuesOf<Given> & Partial<Record<Name, string>> {
  const all: Options = { ...options, ...helpOption };
  const texts = new Map<string, string[]>();
  const positional: [name: string, text: string][] = [];
  for (const token of tokensOf(joined(args, all), all)) {
    if (token.kind === 'positional') {
      const name = names[positional.length];
      if (name === undefined) throw new UsageError(`Unexpected argument ${token.value}.`);
      positional.push([name, token.value]);
    }
    if (token.kind !== 'option') continue;
    const { name, rawName, value = '', inlineValue } = token;
    const option = Object.hasOwn(all, name) ? all[name] : undefined;
    if (option === undefined) {
      const meant = suggest(name, Object.keys(all));
      throw new UsageError(`Unknown option ${rawName}.${hint(meant && `--${meant}`)}`);
    }
    if (option.value === undefined && token.value !== undefined)
      throw new UsageError(`${rawName} takes no value.`);
    if (option.value !== undefined && (token.value === undefined || (!inlineValue && /^-./.test(value))))
      throw new UsageError(`${rawName} needs a value: ${option.value}.`);
    // As of a variable that a script has not set.
    if (option.value !== undefined && value.trim() === '') throw new UsageError(`${rawName} is empty.`);
    texts.set(name, [...(texts.get(name) ?? []), value]);
  }
  const values = Object.entries(options).map(([name, option]) => [
    name,
    option.read(texts.get(name) ?? [], `--${name}`),
  ]);
  return Object.fromEntries([...values, ...positional]);
}

function tokensOf(args: string[], options: Options) {
  const config = Object.entries(options).map(([name, { value, short }]) => [
    name,
    { type: value === undefined ? 'boolean' : 'string', ...(short && { short }) },
  ]);
  const known: ParseArgsConfig['options'] = Object.fromEntries(config);
  return parseArgs({ args, options: known, strict: false, tokens: true, allowPositionals: true }).tokens;
}

/** `--utc-offset -300` as `--utc-offset=-300`: no option begins with a digit, so that a number can only be a value. */
function joined(args: readonly string[], options: Options): string[] {
  const joint: string[] = [];
  for (const arg of args) {
    const last = joint.at(-1) ?? '';
    const takesValue = last.startsWith('--') && options[last.slice(2)]?.value !== undefined;
    if (takesValue && /^-\d/.test(arg)) joint[joint.length - 1] = `${last}=${arg}`;
    else joint.push(arg);
  }
  return joint;
}
