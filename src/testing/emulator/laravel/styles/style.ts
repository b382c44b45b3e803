import type { FieldErrors } from '../../domain/rejection.ts';
import { inMicroseconds, withOffset } from '../../domain/timestamps.ts';
import type { ListPage } from './pages.ts';

/** How one family of services writes what is undocumented by the service. */
export interface Style {
  list(page: ListPage): unknown;
  record(row: object): unknown;
  /** The response to a command. */
  acknowledgement(message: string, data?: unknown): unknown;
  link(url: string): unknown;
  rejection(message: string, errors: FieldErrors | undefined): unknown;
  /** Whether rows are database models (`id`, dates in UTC) or formatted for the reader. */
  readonly models: boolean;
}

/** Writes the dates of rows: a bare model has UTC with microseconds, a formatted row an offset. */
export function timestamps(style: Style, utcOffset: number): (moment: number) => string {
  return style.models ? inMicroseconds : (moment) => withOffset(moment, utcOffset);
}
