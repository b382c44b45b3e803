// Reads CSV files as people save them: with commas, semicolons or tabs, and any line ends. A wrong encoding is an error
// and never a garbled name.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { parse as parseText } from 'csv-parse/sync';

const SEPARATORS = [',', ';', '\t'];
const format = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count_less: true,
  skip_empty_lines: true,
  // Excel leaves rows of separators where cells were emptied.
  skip_records_with_empty_values: true,
};

/** A row of a CSV file. */
export interface CsvRow<Fields> {
  /** The line of the file that the row ends on, for messages. */
  readonly line: number;
  /** The cells by column; those that a short line lacks are empty. */
  readonly fields: Fields;
}

/** A CSV file that is known to be text and to have the columns that are needed. */
export interface CsvFile<Fields> {
  /** The rows, one at a time, however long the file is. `onBytes` is called with how many more bytes were read. */
  rows(onBytes?: (count: number) => void): AsyncGenerator<CsvRow<Fields>>;
}

/**
 * Opens a CSV file whose first line names its columns. The whole file is read once before its rows are used, so that nothing is
 * sent of a file in another encoding, or of one whose cells may stand in the wrong columns.
 *
 * @throws {Error} that says how to save the file, which columns and separators it needs, or which line is at fault
 */
export async function openCsv<Fields>(
  path: string,
  columns: readonly (keyof Fields & string)[],
): Promise<CsvFile<Fields>> {
  // What is not there is an error of the reading below.
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === false) {
    throw new Error(`${path} is a pipe, which can be read only once. Save it as a file first.`);
  }
  let start = '';
  for await (const text of readText(path)) {
    start += text;
    if (/[^\r\n][\r\n]/.test(start)) break;
  }
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
  const names = namesIn(start, delimiter).filter((name) => name !== '');
  const empty = Object.fromEntries(names.map((name) => [name, '']));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${path} has two columns ${twice}: rename or remove one of them.`);

  const file: CsvFile<Fields> = {
    async *rows(onBytes) {
      const parser = parse({ ...format, delimiter, columns: true, group_columns_by_name: true, info: true });
      // The loop below throws what goes wrong.
      pipeline(Readable.from(readText(path, onBytes)), parser, () => {});
      try {
        for await (const { record, info } of parser) {
          // A column without a name and without cells is none: Excel writes those on the right that were emptied.
          const { '': nameless = [], ...fields } = record;
          if ([nameless].flat().some((cell) => cell !== '')) {
            throw new Error(
              `Line ${info.lines} of ${path} has a cell in a column without a name: name or remove it.`,
            );
          }
          yield { line: info.lines, fields: { ...empty, ...fields } };
        }
      } catch (error) {
        if (!(error instanceof CsvError)) throw error;
        // The parser's own words may show a part of a password.
        const problem =
          error.code === 'CSV_RECORD_INCONSISTENT_COLUMNS'
            ? 'more cells than there are columns. Put quotes around a cell that contains the separator.'
            : 'quotes that do not match. A cell with a quote is written "Ana ""Annie"" Doe".';
        throw new Error(`Line ${error['lines']} of ${path} has ${problem}`);
      }
    },
  };
  for await (const _row of file.rows());
  return file;
}

/** What the first line names, if `delimiter` separates it. */
function namesIn(text: string, delimiter: string): string[] {
  return parseText(text, { ...format, delimiter, to: 1, relax_quotes: true }).flat();
}

/**
 * The text of a file, a piece at a time: UTF-16 where its first bytes say so, otherwise UTF-8.
 *
 * @param onBytes called with how many more bytes were read
 * @throws {Error} that says how to save the file, where its bytes are neither
 */
export async function* readText(
  path: string,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<string> {
  let decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes: Uint8Array, stream: boolean) => {
    try {
      return decoder.decode(bytes, { stream });
    } catch {
      throw new Error(
        `${path} is not valid ${decoder.encoding.toUpperCase()}, so names in it would be garbled. Save it as UTF-8: in Excel ` +
          'as "CSV UTF-8 (Comma delimited)", in LibreOffice with the character set "Unicode (UTF-8)".',
      );
    }
  };
  let isFirst = true;
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    if (isFirst) decoder = new TextDecoder(encodingOf(bytes), { fatal: true });
    isFirst = false;
    onBytes(bytes.length);
    yield decode(bytes, true);
  }
  // Fails where the last character is cut.
  yield decode(new Uint8Array(), false);
}

/** Byte order marks as in the Unicode Standard, 23.8; the decoder removes them. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return 'utf-8';
}
