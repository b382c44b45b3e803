/** The inbox over a PostgreSQL server. */
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { type Database, reasonOf, tables } from './database.ts';
import { intervals, startQueues } from './queues.ts';

const RETRY_MS = 1_000;
/** A network that swallows everything must not hold a delivery for ever. */
const timeouts = { connectionTimeoutMillis: 5_000, query_timeout: 10_000, keepAlive: true };

/**
 * Waits for a server that is not there yet, or that goes away before everything is ready: the whole opening is tried again.
 * What it rejects for another reason, such as the password, is thrown.
 */
export async function openPostgres(connectionString: string): Promise<Database> {
  for (let said = ''; ; await setTimeout(RETRY_MS)) {
    try {
      return await tryToOpen(connectionString);
    } catch (error) {
      if (!isAway(error)) throw error;
      const reason = reasonOf(error);
      if (reason !== said) console.error(`Waiting for PostgreSQL: ${reason}`);
      said = reason;
    }
  }
}

/** Connects and makes tables and queues, which changes nothing where they are there. If it fails, nothing stays open. */
async function tryToOpen(connectionString: string): Promise<Database> {
  const pool = createPool(connectionString);
  const boss = new PgBoss({ connectionString, ...intervals });
  const transaction = transactionsOf(pool);
  try {
    await transaction(async (tx) => {
      // Two processes that start at once would trip over each other's `CREATE TABLE`.
      await tx.query('SELECT pg_advisory_xact_lock(20260301)');
      await tx.query(tables);
    });
    await startQueues(boss);
  } catch (error) {
    await Promise.allSettled([boss.stop({ graceful: false }), pool.end()]);
    throw error;
  }
  return {
    boss,
    transaction,
    query: (text, values) => pool.query(text, values) as never,
    hasRoom: async () => true,
    async [Symbol.asyncDispose]() {
      await boss.stop();
      await pool.end();
    },
  };
}

/**
 * A pool whose connections may be lost at any moment. Without a listener an `error` of a client ends the process, whoever
 * holds the client just then; with one, its query rejects, the delivery gets a 500, and the next one gets another
 * client.
 */
function createPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, ...timeouts });
  pool.on('connect', (client) => {
    client.on('error', (error) => console.error('PostgreSQL:', reasonOf(error)));
  });
  // The pool repeats the errors of clients that nobody holds.
  pool.on('error', () => {});
  return pool;
}

function transactionsOf(pool: pg.Pool): Database['transaction'] {
  return async (work) => {
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
  };
}

/** Nobody responded, or a server that has no room or is starting or stopping (classes 53 and 57 of its error codes). */
function isAway(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^5[37]/.test(error.code ?? '');
  return !(error instanceof TypeError);
}
