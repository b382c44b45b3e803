// The rows of an import: as the caller has them, as they are sent, and how one becomes the other.

/** One row of an import: an item of `participants` in `POST /participants/import`. */
export interface ParticipantImport {
  /**
   * Unique, and the login name. If it is known to the service, that participant is updated instead of a new one
   * created.
   */
  readonly email: string;
  /** Full name. */
  readonly name: string;
  /** Login password. */
  readonly password: string;
}

/**
 * Turns a row of the source into a row of the service; `null` leaves it out. `index` is the row's position in the
 * source, from 0.
 */
export type RowMapper<Row> = (row: Row, index: number) => ParticipantImport | null;

/** A row that is ready to be sent, with its position in the source. */
export interface NumberedRow {
  readonly index: number;
  readonly row: ParticipantImport;
}
