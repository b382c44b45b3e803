import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import {
  type ExamClient,
  type ParticipantImport,
  RequestValidationError,
  UnprocessableEntityError,
} from 'exam-service-sdk';

/** A row of the file, with the line that it stands on. */
export interface Row {
  readonly line: number;
  readonly participant: ParticipantImport;
}

/** A row that was not imported. */
export interface RejectedRow {
  readonly line: number;
  readonly reason: string;
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

/**
 * Imports one batch. The service takes a batch whole or not at all, so rows that are refused, by the client
 * before sending or by the service, are left out and the rest is sent again.
 */
export async function importBatch(client: ExamClient, batch: ReadonlyArray<Row>): Promise<RejectedRow[]> {
  const rejected: RejectedRow[] = [];
  let rest = batch;
  while (rest.length > 0) {
    try {
      await client.participants.import(rest.map(({ participant }) => participant));
      return rejected;
    } catch (error) {
      const reasons = reasonsByIndex(error);
      if (reasons.size === 0) throw error;
      rejected.push(
        ...rest.flatMap(({ line }, index) =>
          reasons.has(index) ? [{ line, reason: reasons.get(index) ?? '' }] : [],
        ),
      );
      rest = rest.filter((_, index) => !reasons.has(index));
    }
  }
  return rejected;
}

/** Both kinds of refusal name their fields the same way: `participants.3.email`. */
function reasonsByIndex(error: unknown): Map<number, string> {
  const reasons = new Map<number, string>();
  const note = (path: string, message: string) => {
    const [, index, field = ''] = path.match(/^participants\.(\d+)(?:\.(\w+))?/) ?? [];
    if (index !== undefined && !reasons.has(Number(index)))
      reasons.set(Number(index), `${field}: ${message}`);
  };
  if (error instanceof RequestValidationError) {
    for (const { path, message } of error.issues) note(path, message);
  }
  if (error instanceof UnprocessableEntityError) {
    for (const [path, messages] of Object.entries(error.fieldErrors))
      note(path, messages.join(' ').replace(`The ${path} `, ''));
  }
  return reasons;
}
