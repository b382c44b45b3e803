// Reads seed files as people save them: in UTF-8 or UTF-16; CSV with commas, semicolons or tabs, and any line ends.

import { readFile } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';

const SEPARATORS = [',', ';', '\t'];
const format = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count_less: true,
  skip_empty_lines: true,
  // Excel leaves rows that hold separators alone.
  skip_records_with_empty_values: true,
};

/** A row of a CSV file. */
export interface CsvRow {
  /** The line of the file that the row ends on, for messages. */
  readonly line: number;
  /** The cells by column; a short line lacks some. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * The text of a file: UTF-16 where its first bytes say so, otherwise UTF-8.
 *
 * @throws {Error} that says how to save the file, where its bytes are neither
 */
export async function readSeedFile(path: string): Promise<string> {
  const bytes = await readFile(path);
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new Error(
      `${path} is not valid ${encoding}, so names in it would be garbled. Save it as UTF-8: in Excel as "CSV UTF-8 ` +
        '(Comma delimited)", in LibreOffice with the character set "Unicode (UTF-8)".',
    );
  }
}

/** Byte order marks as in the Unicode Standard, 23.8; the decoder removes them. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'UTF-16LE';
  if (first === 0xfe && second === 0xff) return 'UTF-16BE';
  return 'UTF-8';
}

/**
 * The rows of a CSV file whose first line names its columns.
 *
 * @param needed The columns that it must have.
 * @throws {Error} that says which columns and separators it needs, or which line is at fault
 */
export function readRows(path: string, text: string, needed: readonly string[]): CsvRow[] {
  const headers = SEPARATORS.map((delimiter) => {
    const names = parse(text, { ...format, delimiter, to: 1, relax_quotes: true }).flat();
    return { delimiter, names, missing: needed.filter((column) => !names.includes(column)) };
  });
  const [header] = headers.sort((one, other) => one.missing.length - other.missing.length);
  if (header === undefined || header.missing.length > 0) {
    throw new Error(
      `${path} has no column ${header?.missing.join(', ')}. Its first line must name the columns ${needed.join(', ')}, ` +
        'separated by commas, semicolons or tabs.',
    );
  }
  const { delimiter, names } = header;
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${path} has two columns ${twice}: rename or remove one of them.`);
  return parseRows(path, text, delimiter).map(({ record, info: { lines } }) => {
    // A column without a name and without cells is none: Excel writes those on the right that were emptied.
    const { '': nameless = '', ...fields } = record;
    if ([nameless].flat().some((cell) => cell !== '')) {
      throw new Error(`Line ${lines} of ${path} has a cell in a column without a name: name or remove it.`);
    }
    return { line: lines, fields };
  });
}

interface Parsed {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number };
}

function parseRows(path: string, text: string, delimiter: string): Parsed[] {
  try {
    const options = { ...format, delimiter, group_columns_by_name: true, info: true };
    return parse<Parsed>(text, { ...options, columns: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The parser's own words may show a part of a password.
    const problem =
      error.code === 'CSV_RECORD_INCONSISTENT_COLUMNS'
        ? 'more cells than there are columns. Put quotes around a cell that contains the separator.'
        : 'quotes that do not match. A cell with a quote is written "Ana ""Annie"" Doe".';
    throw new Error(`Line ${error['lines']} of ${path} has ${problem}`);
  }
}
