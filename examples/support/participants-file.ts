// Reads a CSV file of participants row by row, with line numbers for messages.

import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { ParticipantImport } from 'exam-service-sdk';

/** A row of the file, with the line that it stands on. */
export interface Row {
  readonly line: number;
  readonly participant: ParticipantImport;
}

/** Reads a CSV file with the columns email, name and password. */
export async function readParticipants(file: URL): Promise<Row[]> {
  const records = parse(await readFile(file), {
    columns: true,
    info: true,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
  }) as unknown as Array<{ record: ParticipantImport; info: { lines: number } }>;
  return records.map(({ record, info }) => ({ line: info.lines, participant: record }));
}
