/** What the parts of the inbox share: the database, its tables and the names of the queues. */
import type { PgBoss } from 'pg-boss';

export const QUEUE = 'exam-events';
/** Jobs that failed too often end up here. */
export const DEAD_LETTERS = 'exam-events-dead';
/** Jobs that ask the service what is right, where two events contradict each other. */
export const REREADS = 'exam-results-reread';

/** Runs SQL, alone or within a transaction. */
export interface Sql {
  query<Row = unknown>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

export interface Database extends Sql, AsyncDisposable {
  readonly boss: PgBoss;
  /** Runs `work` in one transaction: all of it is kept, or nothing. */
  transaction<Result>(work: (tx: Sql) => Promise<Result>): Promise<Result>;
  /** Whether there is room for more events. */
  hasRoom(): Promise<boolean>;
}

/** `handled_at` and `problem` are the truth about an event; its job is only how a worker comes to know of it. */
export const tables = `
  CREATE TABLE IF NOT EXISTS inbox (
    event_key text PRIMARY KEY,
    event jsonb NOT NULL,
    -- What was delivered, where the event is not as documented: its JSON rounds numbers beyond 2^53.
    raw_body bytea,
    received_at timestamptz NOT NULL DEFAULT now(),
    handled_at timestamptz,
    problem text
  );
  CREATE INDEX IF NOT EXISTS inbox_unhandled ON inbox (event_key) WHERE handled_at IS NULL AND problem IS NULL;
  CREATE TABLE IF NOT EXISTS exam_results (
    exam_result_id bigint PRIMARY KEY,
    participant_id bigint NOT NULL,
    exam_id bigint NOT NULL,
    score numeric,
    as_of timestamptz NOT NULL,
    is_tie boolean NOT NULL DEFAULT false,
    -- How many rereads have begun, and up to which of them a response no longer counts.
    rereads integer NOT NULL DEFAULT 0,
    reread_answered integer NOT NULL DEFAULT 0
  );
  CREATE INDEX IF NOT EXISTS exam_results_tied ON exam_results (exam_result_id) WHERE is_tie;
  CREATE TABLE IF NOT EXISTS certificate_orders (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_key text NOT NULL,
    exam_result_id bigint NOT NULL
  );
`;

/** Puts what `boss` does into a transaction. */
export const jobIn = (tx: Sql) => ({
  db: { executeSql: (text: string, values?: unknown[]) => tx.query(text, values) },
});

/** An error in one line, for logs: printed whole, a lost connection takes hundreds. pg-boss also passes on plain objects. */
export function reasonOf(error: unknown): string {
  const { message, code } = Object(error) as { message?: unknown; code?: unknown };
  // An error that stands for several addresses has no message.
  return String(message || code || error);
}
