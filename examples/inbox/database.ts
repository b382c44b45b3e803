/** The database: PostgreSQL where `DATABASE_URL` names one, otherwise PGlite in the folder `INBOX_DIR`. */
import { mkdir } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { fromPglite, PgBoss } from 'pg-boss';
import { lockFolder } from './folder-lock.ts';

const { DATABASE_URL, INBOX_DIR = 'out/inbox', JOB_SECONDS = '60' } = process.env;

export const QUEUE = 'exam-events';
/** Where jobs end that failed too often. */
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
}

const tables = `
  CREATE TABLE IF NOT EXISTS inbox (
    event_key text PRIMARY KEY,
    event jsonb NOT NULL,
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
    is_tie boolean NOT NULL DEFAULT false
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

/** Opens the database and starts the queue. Only one process at a time can open PGlite's folder. */
export async function openDatabase(): Promise<Database> {
  return DATABASE_URL ? openPostgres(DATABASE_URL) : openPglite();
}

async function openPostgres(connectionString: string): Promise<Database> {
  const pool = new pg.Pool({ connectionString });
  pool.on('error', (error) => console.error('PostgreSQL:', error));
  const boss = await startQueue(new PgBoss({ connectionString, ...intervals }));
  // Two processes that start at once would trip over each other's `CREATE TABLE`.
  await pool.query(`BEGIN; SELECT pg_advisory_xact_lock(20260301); ${tables} COMMIT;`);
  return {
    boss,
    query: (text, values) => pool.query(text, values) as never,
    async transaction(work) {
      const client = await pool.connect();
      let failure: Error | undefined;
      try {
        await client.query('BEGIN');
        const result = await work({ query: (text, values) => client.query(text, values) as never });
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch((reason: Error) => {
          failure = reason;
        });
        throw error;
      } finally {
        // A connection that cannot roll back is not given to anybody else.
        client.release(failure);
      }
    },
    async [Symbol.asyncDispose]() {
      await boss.stop();
      await pool.end();
    },
  };
}

async function openPglite(): Promise<Database> {
  await mkdir(INBOX_DIR, { recursive: true });
  const unlock = await lockFolder(INBOX_DIR);
  const pglite = await PGlite.create(INBOX_DIR);
  const boss = await startQueue(new PgBoss({ db: fromPglite(pglite), backend: 'pglite', ...intervals }));
  await pglite.exec(tables);
  return {
    boss,
    query: (text, values) => pglite.query(text, values),
    transaction: (work) =>
      pglite.transaction((tx) => work({ query: (text, values) => tx.query(text, values) })),
    async [Symbol.asyncDispose]() {
      await boss.stop();
      await pglite.close();
      await unlock();
    },
  };
}

const jobSeconds = Number(JOB_SECONDS);

/** How soon the queue notices that a worker died over a job. */
const intervals = {
  superviseIntervalSeconds: Math.max(1, jobSeconds / 4),
  monitorIntervalSeconds: Math.max(1, jobSeconds / 4),
};

async function startQueue(boss: PgBoss): Promise<PgBoss> {
  boss.on('error', (error) => console.error('Queue:', error));
  await boss.start();
  await boss.createQueue(DEAD_LETTERS);
  const options = {
    expireInSeconds: jobSeconds,
    // After 1 s, 2 s, 4 s and so on, at most 10 minutes: two hours in all.
    retryLimit: 20,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 600,
    deadLetter: DEAD_LETTERS,
  };
  for (const queue of [QUEUE, REREADS]) await boss.createQueue(queue, options);
  return boss;
}
