/** Opens the database: PostgreSQL where `DATABASE_URL` names one, otherwise PGlite in the folder `INBOX_DIR`. */
import type { Database } from './database.ts';
import { openPglite } from './pglite.ts';
import { openPostgres } from './postgres.ts';

const { DATABASE_URL, INBOX_DIR = 'out/inbox' } = process.env;

export const isForTryingOut = !DATABASE_URL;

/** Opens the database and starts the queues. */
export function openDatabase(): Promise<Database> {
  return DATABASE_URL ? openPostgres(DATABASE_URL) : openPglite(INBOX_DIR);
}
