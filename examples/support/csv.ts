// Writes CSV for spreadsheets, and turns NDJSON files of any length into it.

import { open } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';

/** What stands between two cells: with semicolons, numbers have decimal commas, as spreadsheets of much of Europe read both. */
export type Separator = ',' | ';';

/** Spreadsheets run a string that begins like a formula (`=`, `+`, `-`, `@`, tab, CR): it gets an apostrophe. Numbers stay numbers. */
const format = (separator: Separator) => ({
  escape_formulas: true,
  delimiter: separator,
  cast: {
    boolean: String,
    number: (value: number) => (separator === ';' ? String(value).replace('.', ',') : String(value)),
  },
});

/** The first line of a CSV file. It begins with the mark by which Excel knows UTF-8. */
export function toCsvHeader(columns: ReadonlyArray<string>, separator: Separator = ','): string {
  return stringify([columns], { ...format(separator), bom: true });
}

/** One line of a CSV file, with its line break. */
export function toCsvLine(values: ReadonlyArray<unknown>, separator: Separator = ','): string {
  return stringify([values], format(separator));
}

/** The fields of a record by their columns, those of nested records and lists too: `exam.name`, `answers.0`. */
export function toColumns(
  value: unknown,
  path: readonly string[] = [],
): Array<[column: string, cell: unknown]> {
  if (typeof value !== 'object' || value === null) return [[path.join('.'), value]];
  const fields = Object.entries(value);
  if (fields.length === 0) return [[path.join('.'), null]];
  return fields.flatMap(([name, field]) => toColumns(field, [...path, name]));
}

/** A value as one line of NDJSON. What reads lines ends one at a line separator too, which JSON leaves as it is. */
export function toNdjsonLine(value: unknown): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** The lines of a file of any length, one JSON value each. */
export async function* readNdjson(path: string): AsyncGenerator<{ line: string; value: unknown }> {
  const file = await open(path);
  for await (const line of file.readLines()) yield { line, value: JSON.parse(line) };
}

/** Writes NDJSON as CSV, with a column for each field that any of the records has. */
export async function writeCsv(ndjson: string, csv: string, separator: Separator = ','): Promise<void> {
  const columns = new Set<string>();
  for await (const { value } of readNdjson(ndjson)) {
    for (const [column] of toColumns(value)) columns.add(column);
  }
  const file = await open(csv, 'w');
  try {
    await file.write(toCsvHeader([...columns], separator));
    for await (const { value } of readNdjson(ndjson)) {
      const cells = new Map(toColumns(value));
      const line = Array.from(columns, (column) => cells.get(column));
      await file.write(toCsvLine(line, separator));
    }
  } finally {
    await file.close();
  }
}
