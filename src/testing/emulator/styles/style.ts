import type { FieldErrors } from '../domain/refusal.ts';
import { inMicroseconds, withOffset } from '../domain/timestamps.ts';
import type { ListPage, RecordKind } from './pages.ts';

/** How one family of services writes what the service's API does not document. */
export interface Style {
  list(page: ListPage): unknown;
  /** What the headers of a list say of its pages. */
  headers?(page: ListPage): Readonly<Record<string, string>>;
  record(row: object, kind: RecordKind): unknown;
  /** The answer to a command. */
  acknowledgement(message: string, data?: unknown): unknown;
  link(url: string): unknown;
  refusal(message: string, errors: FieldErrors | undefined): unknown;
  /** Whether rows are models as the database has them (`id`, dates in UTC) or written for the reader. */
  readonly models: boolean;
}

/**
 * Writes the dates of rows: a bare model shows UTC with microseconds, a row written for the reader an offset.
 */
export function timestamps(style: Style, utcOffset: number): (moment: number) => string {
  return style.models ? inMicroseconds : (moment) => withOffset(moment, utcOffset);
}
