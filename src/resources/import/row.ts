/** One row of an import (interface document, Resources, Participant). */
export interface ParticipantImport {
  /** Unique, and the login name. A known one updates that participant instead of creating another. */
  readonly email: string;
  /** Full name. */
  readonly name: string;
  /** Login password. */
  readonly password: string;
}

/**
 * Turns a row of the source into a row of the service; `null` leaves it out. `index` is its place in the source, the
 * first row being 0.
 */
export type RowMapper<Row> = (row: Row, index: number) => ParticipantImport | null;

/** A row that is ready to be sent, with its place in the source. */
export interface NumberedRow {
  readonly index: number;
  readonly row: ParticipantImport;
}
