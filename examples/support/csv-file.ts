// Reads CSV files as people save them: with commas, semicolons or tabs, and any line ends. The emulator reads its seeds with it, too.

import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { parse as parseText } from 'csv-parse/sync';
import { readText } from './text-file.ts';

const SEPARATORS = [',', ';', '\t'];
const format = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: true,
};

/** A row of a CSV file. */
export interface CsvRow<Fields> {
  /** The line of the file that the row ends on, for messages. */
  readonly line: number;
  /** The cells by column. A short line lacks fields, whatever the type says. */
  readonly fields: Fields;
}

/** A CSV file that is known to be text and to have the columns that are needed. */
export interface CsvFile<Fields> {
  /** The rows, one at a time, however long the file is. `onBytes` is told how many more bytes were read. */
  rows(onBytes?: (count: number) => void): AsyncGenerator<CsvRow<Fields>>;
}

/**
 * Opens a CSV file whose first line names its columns. The whole file is read once as text, so that nothing is sent of a file
 * in another encoding.
 *
 * @throws {Error} that says how to save the file, or which columns and separators it needs
 */
export async function openCsv<Fields>(
  path: string,
  columns: readonly (keyof Fields & string)[],
): Promise<CsvFile<Fields>> {
  let start = '';
  for await (const text of readText(path)) if (!/[^\r\n][\r\n]/.test(start)) start += text;
  const missing = SEPARATORS.map((separator) => {
    const names = namesIn(start, separator);
    return columns.filter((column) => !names.includes(column));
  });
  const delimiter = SEPARATORS[missing.findIndex((names) => names.length === 0)];
  if (delimiter === undefined) {
    const [names = []] = missing.sort((a, b) => a.length - b.length);
    throw new Error(
      `${path} has no column ${names.join(', ')}. Its first line must name the columns ${columns.join(', ')}, separated by ` +
        'commas, semicolons or tabs.',
    );
  }
  return {
    async *rows(onBytes) {
      const parser = parse({ ...format, delimiter, columns: true, info: true });
      // The loop below throws what goes wrong.
      pipeline(Readable.from(readText(path, onBytes)), parser, () => {});
      for await (const { record, info } of parser) yield { line: info.lines, fields: record };
    },
  };
}

/** What the first line names, if `delimiter` separates it. */
function namesIn(text: string, delimiter: string): string[] {
  return parseText(text, { ...format, delimiter, to: 1, relax_quotes: true }).flat();
}
