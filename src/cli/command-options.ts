// Reads the options of a command: each is a flag, or a value of some kind.

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { suggest } from '../util/suggest.ts';
import { UsageError } from './errors.ts';

/** An option of a command: what its help says, and what it gives. */
export interface Option<Value> {
  /** Placeholder for its value in the help; absent for a flag. */
  readonly placeholder?: string;
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
export type ValuesOf<Specs extends Options> = {
  readonly [Name in keyof Specs]: ReturnType<Specs[Name]['read']>;
};

/** Something that is so if the option is there. */
export function flagOption(help: string, short?: string): Option<boolean> {
  return { help, ...(short && { short }), read: (texts) => texts.length > 0 };
}

/** A value that `parse` checks; of one that is repeated, the last. */
export function value<Value>(
  placeholder: string,
  help: string,
  parse: (text: string, name: string) => Value,
): Option<Value | undefined> {
  return {
    placeholder,
    help,
    read(texts, name) {
      const text = texts.at(-1);
      return text === undefined ? undefined : parse(text, name);
    },
  };
}

export function textOption(placeholder: string, help: string): Option<string | undefined> {
  return value(placeholder, help, (input) => input);
}

/** A whole number, also below zero where `min` is. */
export function countOption(
  placeholder: string,
  help: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {},
): Option<number | undefined> {
  return value(placeholder, help, (input, name) => {
    const number = Number(input);
    if (/^-?\d+$/.test(input) && number >= min && number <= max) return number;
    const range = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`;
    throw new UsageError(`${name} needs a whole number ${range}, not ${input}.`);
  });
}

export function choiceOption<const Word extends string>(
  placeholder: string,
  help: string,
  words: readonly Word[],
): Option<Word | undefined> {
  return value(placeholder, help, (input, name) => {
    const word = words.find((known) => known === input);
    if (word !== undefined) return word;
    const meant = hint(suggest(input, words));
    throw new UsageError(`${name} must be one of ${words.join(', ')}, not ${input}.${meant}`);
  });
}

/** The address of a server, as it is written in URLs that are requested. */
export function address(placeholder: string, help: string): Option<string | undefined> {
  return value(placeholder, help, (input, name) => {
    const url = URL.canParse(input) ? new URL(input) : null;
    if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url.href;
    throw new UsageError(`${name} needs an http or https URL without a user name.`);
  });
}

/** All the values of an option that can be repeated. */
export function repeatable<Value>(option: Option<Value>): Option<readonly Exclude<Value, undefined>[]> {
  const isGiven = (one: Value): one is Exclude<Value, undefined> => one !== undefined;
  const read = (texts: readonly string[], name: string) =>
    texts.map((input) => option.read([input], name)).filter(isGiven);
  return { ...option, read };
}

/** Every command has this one. */
export const helpOption = { help: flagOption('Shows this help', 'h') };

export const jsonOption = {
  once: { json: flagOption('JSON instead of text') },
  /** For a command that ends only when it is stopped. */
  ongoing: { json: flagOption('One JSON object per line instead of text') },
};

/** @throws {UsageError} without a value */
export function required<Value>(input: Value | undefined, names: string): Value {
  if (input === undefined) throw new UsageError(`${names} is missing.`);
  return input;
}

/** Ends the message about an unknown word. */
export function hint(meant: string | null): string {
  return meant === null ? '' : ` Did you mean ${meant}?`;
}

/**
 * Parses a command line.
 *
 * @param names Names of the positional arguments, in order.
 * @throws {UsageError} for an unknown option, a missing, empty, invalid or superfluous value, and an unexpected argument
 */
export function readOptions<Specs extends Options, Name extends string = never>(
  args: readonly string[],
  options: Specs,
  names: readonly Name[] = [],
): ValuesOf<Specs> & Partial<Record<Name, string>> {
  const all: Options = { ...options, ...helpOption };
  const texts = new Map<string, string[]>();
  const positional: [name: string, text: string][] = [];
  for (const token of parseArguments(args, all)) {
    if (token.kind === 'positional') {
      const name = names[positional.length];
      if (name === undefined) throw new UsageError(`Unexpected argument ${token.value}.`);
      positional.push([name, token.value]);
    } else if (token.kind === 'option') {
      const { name, rawName } = token;
      const option = Object.hasOwn(all, name) ? all[name] : undefined;
      if (option === undefined) {
        const meant = suggest(name, Object.keys(all));
        throw new UsageError(`Unknown option ${rawName}.${hint(meant && `--${meant}`)}`);
      }
      texts.set(name, [...(texts.get(name) ?? []), textOf(token, option)]);
    }
  }
  const values = Object.entries(options).map(([name, option]) => [
    name,
    option.read(texts.get(name) ?? [], `--${name}`),
  ]);
  return Object.fromEntries([...values, ...positional]);
}

function parseArguments(args: readonly string[], options: Options) {
  const config = Object.entries(options).map(([name, { placeholder, short }]) => [
    name,
    { type: placeholder === undefined ? 'boolean' : 'string', ...(short && { short }) },
  ]);
  const known: ParseArgsConfig['options'] = Object.fromEntries(config);
  return parseArgs({ args: [...args], options: known, strict: false, tokens: true, allowPositionals: true })
    .tokens;
}

type OptionToken = Extract<ReturnType<typeof parseArguments>[number], { kind: 'option' }>;

/** What is written for an option; empty for a flag. */
function textOf({ rawName, value, inlineValue }: OptionToken, { placeholder }: Option<unknown>): string {
  if (placeholder === undefined) {
    if (value === undefined) return '';
    throw new UsageError(`${rawName} takes no value.`);
  }
  // What begins with a dash is the next option, unless it is a number or a dash alone.
  if (value === undefined || (!inlineValue && /^-[^\d]/.test(value)))
    throw new UsageError(`${rawName} needs a value: ${placeholder}.`);
  // As of a variable that a script has not set.
  if (value.trim() === '') throw new UsageError(`${rawName} is empty.`);
  return value;
}
