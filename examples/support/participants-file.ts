// Reads a CSV file of participants, with line numbers for messages.

import type { ParticipantImport } from 'exam-service-sdk';
import { openCsv } from './csv-file.ts';

/** A row of the file, with the line that it stands on. */
export interface Row {
  readonly line: number;
  readonly participant: ParticipantImport;
}

/** Reads a CSV file with the columns email and name, and password for who is new. */
export async function readParticipants(path: string): Promise<Row[]> {
  const file = await openCsv<ParticipantImport>(path, ['email', 'name']);
  const rows: Row[] = [];
  for await (const { line, fields } of file.rows()) rows.push({ line, participant: fields });
  return rows;
}
