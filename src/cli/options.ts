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
 * @throws {UsageError} for an unknown option, a missing or superfluous value, and an unexpected argument
 */
export function readOptions(
  args: readonly string[],
  specs: OptionSpecs,
  names: readonly string[] = [],
): OptionValues {
  const config = {
    args: [...args],
    options: Object.fromEntries(
      Object.entries(specs).map(([name, { value, short }]) => [
        name,
        { type: value === undefined ? 'boolean' : 'string', multiple: true, ...(short && { short }) },
      ]),
    ),
    tokens: true,
    allowPositionals: true,
  } satisfies ParseArgsConfig;
  const known = Object.keys(specs);
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
  return new Map([...options, ...named]);
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

/** The options with their descriptions, one per line, aligned. */
export function optionsHelp(specs: OptionSpecs): string {
  const lines = Object.entries(specs).map(([name, { value, short, help }]): [string, string] => [
    `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
    help,
  ]);
  const width = Math.max(...lines.map(([left]) => left.length));
  return lines.map(([left, help]) => `  ${left.padEnd(width)}  ${help}`).join('\n');
}
