// Reads the list of results in passes, compares them to see what changed, and writes what the last one read as CSV.

import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { ExamResult } from 'exam-service-sdk';
import { type Separator, toCsvHeader, toCsvLine } from './program.ts';

/** What a pass over the list has read: a digest of each result, by its id. */
export type Pass = Map<string | number, string>;

/** What became of a list from one pass to the next. */
export interface Change {
  readonly came: number;
  readonly went: number;
  /** Results that are there as before, with other data, such as a new score. */
  readonly changed: number;
}

/** The results have no field, or none that is unique, by which they can be distinguished. */
export class IdError extends Error {}

/** The list of results shows no documented field. The events call the id `exam_result_id`; other lists have an `id`. */
export function idOf(result: ExamResult, field?: string): string | number {
  const id = field === undefined ? (result['exam_result_id'] ?? result['id']) : result[field];
  // A list or a record would be unlike any other.
  if (typeof id === 'string' || typeof id === 'number') return id;
  const fields = Object.keys(result).join(', ');
  throw new IdError(
    `A result has no ${field ?? 'exam_result_id and no id'} that is a string or a number. Say with --id which of its fields ` +
      `is unique: ${fields}`,
  );
}

/** Why results that differ cannot be exported by `id`: one of them would be missing. */
export function notUnique(id: string | number, field = 'exam_result_id or id'): IdError {
  return new IdError(
    `Several results have the ${field} ${id}, so some would be missing. Say with --id which of their fields is unique; if ` +
      'that one is, run this again when no result changes.',
  );
}

/** A digest of a result, as the line that the file of the pass has of it. */
export function digestOf(line: string): string {
  return hash('sha256', line, 'base64');
}

/** Reads again what a pass has written. */
export async function readPass(path: string, field?: string): Promise<Pass> {
  const pass: Pass = new Map();
  for await (const { line, value } of readNdjson(path))
    pass.set(idOf(value as ExamResult, field), digestOf(line));
  return pass;
}

export function compare(before: Pass, now: Pass): Change {
  let came = 0;
  let changed = 0;
  for (const [id, digest] of now) {
    if (!before.has(id)) came += 1;
    else if (before.get(id) !== digest) changed += 1;
  }
  return { came, went: before.size - (now.size - came), changed };
}

export function describe({ came, went, changed }: Change): string {
  if (came + went + changed === 0) return 'nothing changed';
  return `${came} came, ${went} went, ${changed} changed`;
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
