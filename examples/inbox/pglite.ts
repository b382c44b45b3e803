/** The inbox over PGlite, for trying out: one process, one connection, no server. */
import { mkdir, statfs } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { fromPglite, PgBoss } from 'pg-boss';
import { type Database, tables } from './database.ts';
import { lockFolder } from './folder-lock.ts';
import { intervals, startQueues } from './queues.ts';

const { INBOX_FREE_MB = '32' } = process.env;
const BYTES_PER_MB = 1_048_576;

/** Only one process at a time can open a folder. */
export async function openPglite(folder: string): Promise<Database> {
  await mkdir(folder, { recursive: true });
  const unlock = await lockFolder(folder);
  const pglite = await PGlite.create(folder);
  const boss = await startQueues(new PgBoss({ db: fromPglite(pglite), backend: 'pglite', ...intervals }));
  await pglite.exec(tables);
  return {
    boss,
    query: (text, values) => pglite.query(text, values),
    transaction: (work) =>
      pglite.transaction((tx) => work({ query: (text, values) => tx.query(text, values) })),
    async hasRoom() {
      // On a full disk PGlite does not fail: it spins for ever, and the process with it.
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize >= Number(INBOX_FREE_MB) * BYTES_PER_MB;
    },
    async [Symbol.asyncDispose]() {
      await boss.stop();
      await pglite.close();
      await unlock();
    },
  };
}
