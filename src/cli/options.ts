// Parses the options of a command and prints them in its help.

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { messageOf } from '../util/errors.ts';
import { suggest } from '../util/suggest.ts';
import { UsageError } from './errors.ts';

/** An option of a command. */
export interface OptionSpec {
  /** Placeholder for its value in the help; absent for a switch. */
  readonly value?: string;
  readonly help: string;
  readonly short?: string;
  /** Whether it can be repeated. */
  readonly multiple?: true;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** The values of options as written, by name; a switch that is set is `true`. */
export type OptionValues = ReadonlyMap<string, readonly string[]>;

/**
 * Parses a command line. Positional arguments become values under `names`, in order.
 *
 * @throws {UsageError} for an unknown option, a missing, empty or superfluous value, and an unexpected argument
 */
export function readOptions(
  args: readonly string[],
  specs: OptionSpecs,
  names: readonly string[] = [],
): OptionValues {
  const all: OptionSpecs = { ...specs, ...helpSpec };
  const config = {
    args: joined(args, all),
    options: Object.fromEntries(
      Object.entries(all).map(([name, { value, short }]) => [
        name,
        { type: value === undefined ? 'boolean' : 'string', multiple: true, ...(short && { short }) },
      ]),
    ),
    tokens: true,
    allowPositionals: true,
  } satisfies ParseArgsConfig;
  const known = Object.keys(all);
  const named: [name: string, values: readonly string[]][] = [];
  for (const token of parseArgs({ ...config, strict: false }).tokens) {
    if (token.kind === 'positional') {
      const name = names[named.length];
      if (name === undefined) throw new UsageError(`Unexpected argument ${token.value}.`);
      named.push([name, [token.value]]);
    }
    if (token.kind === 'option' && !known.includes(token.name)) {
      const meant = suggest(token.name, known);
      const hint = meant === null ? '' : ` Did you mean --${meant}?`;
      throw new UsageError(`Unknown option ${token.rawName}.${hint}`);
    }
  }
  const options = Object.entries(strictly(config)).map(([name, values]): [string, readonly string[]] => [
    name,
    values.map(String),
  ]);
  // As of a variable that a script has not set.
  const empty = options.find(([, values]) => values.some((value) => value.trim() === ''));
  if (empty !== undefined) throw new UsageError(`--${empty[0]} is empty.`);
  return new Map([...options, ...named]);
}

/** `--utc-offset -300` as `--utc-offset=-300`: no option begins with a digit, so that a number can only be a value. */
function joined(args: readonly string[], specs: OptionSpecs): string[] {
  const joint: string[] = [];
  for (const arg of args) {
    const last = joint.at(-1) ?? '';
    const takesValue = last.startsWith('--') && specs[last.slice(2)]?.value !== undefined;
    if (takesValue && /^-\d/.test(arg)) joint[joint.length - 1] = `${last}=${arg}`;
    else joint.push(arg);
  }
  return joint;
}

function strictly(config: ParseArgsConfig): Record<string, unknown[]> {
  try {
    return Object.fromEntries(
      Object.entries(parseArgs(config).values).map(([name, value]) => [name, [value].flat()]),
    );
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

/** Every command has this one. */
const helpSpec = { help: { short: 'h', help: 'Shows this help' } } satisfies OptionSpecs;

/** The words of `--json`, for a command that ends by itself and for one that goes on. */
export const jsonSpecs = {
  once: { json: { help: 'JSON instead of text' } },
  ongoing: { json: { help: 'One JSON object per line instead of text' } },
} satisfies Record<string, OptionSpecs>;

/** What the help of a command is made of. */
export interface HelpParts {
  /** The command line after the name of the program. */
  readonly usage: string;
  readonly about: string;
  readonly options: OptionSpecs;
  readonly examples: readonly string[];
}

/** Terminals are this wide, or wider. */
const WIDTH = 80;

/** The help of a command; nothing in it is wider than a terminal. */
export function helpOf({ usage, about, options, examples }: HelpParts): string {
  const title = examples.length === 1 ? 'Example' : 'Examples';
  return `Usage: exam-service-sdk ${usage}

${wrapped(about.split(' '), WIDTH).join('\n')}

Options:
${optionsHelp({ ...options, ...helpSpec })}

${title}:
${examples.map((example) => `  ${continued(example)}\n`).join('')}`;
}

/** The options with their descriptions. */
function optionsHelp(specs: OptionSpecs): string {
  return inColumns(
    Object.entries(specs).map(([name, { value, short, help }]) => [
      `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
      help,
    ]),
  );
}

/** Names, and what they mean in a column beside them. */
export function inColumns(rows: readonly (readonly [name: string, meaning: string])[]): string {
  const column = Math.max(...rows.map(([name]) => name.length)) + 4;
  const rest = `\n${' '.repeat(column)}`;
  return rows
    .map(
      ([name, meaning]) =>
        `  ${name}`.padEnd(column) + wrapped(meaning.split(' '), WIDTH - column).join(rest),
    )
    .join('\n');
}

/** Lines of words, none longer than `width` unless a word is. */
function wrapped(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** A command line over as many lines as it needs, each value beside its option. */
function continued(command: string): string {
  return wrapped(command.split(/ (?=--)/), WIDTH - 6).join(' \\\n    ');
}
