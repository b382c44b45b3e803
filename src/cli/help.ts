// Writes the help of a command.

import { helpOption, type Options } from './command-options.ts';

/** What the help of a command is made of. */
export interface HelpParts {
  /** The command line after the name of the program. */
  readonly usage: string;
  readonly about: string;
  readonly options: Options;
  readonly examples: readonly string[];
}

/** Terminals are this wide, or wider. */
const WIDTH = 80;

/** The help of a command; nothing in it is wider than a terminal. */
export function helpOf({ usage, about, options, examples }: HelpParts): string {
  const rows = Object.entries({ ...options, ...helpOption }).map(
    ([name, { placeholder = '', short, help }]) => {
      const option = `${short === undefined ? '    ' : `-${short}, `}--${name} ${placeholder}`;
      return [option.trimEnd(), help] as const;
    },
  );
  return `Usage: exam-service-sdk ${usage}

${wrapped(about.split(' '), WIDTH).join('\n')}

Options:
${inColumns(rows)}

${examples.length === 1 ? 'Example' : 'Examples'}:
${examples.map((example) => `  ${continued(example)}\n`).join('')}`;
}

/** Two columns: names and what they mean. */
export function inColumns(rows: readonly (readonly [name: string, meaning: string])[]): string {
  const column = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows
    .map(([name, meaning]) => {
      const lines = wrapped(meaning.split(' '), WIDTH - column);
      return `  ${name}`.padEnd(column) + lines.join(`\n${' '.repeat(column)}`);
    })
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

/** A command line over as many lines as it needs, each option on one line with its value. */
function continued(command: string): string {
  return wrapped(command.split(/ (?=--)/), WIDTH - 6).join(' \\\n    ');
}
