import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const inbox = fileURLToPath(new URL('../../examples/inbox/', import.meta.url));
if (!existsSync(join(inbox, 'node_modules')))
  throw new Error('The inbox is not installed: npm run install:recipes');
const require = createRequire(inbox);

type Rows = readonly Readonly<Record<string, unknown>>[];

/** A separate database for a test. */
export interface TestDatabase extends AsyncDisposable {
  /** What the programs of the inbox are started with. */
  readonly env: Readonly<Record<string, string>>;
  /** Over PGlite only while no program has it open. */
  query(text: string): Promise<Rows>;
}

/** A new database on the server at `url`. */
export async function createPostgresDatabase(url: string): Promise<TestDatabase> {
  const { Client } = require('pg');
  const run = async (connectionString: string, text: string): Promise<Rows> => {
    const client = new Client({ connectionString });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  const name = `inbox_${randomUUID().replaceAll('-', '')}`;
  await run(url, `CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return {
    env: { DATABASE_URL: own.href },
    query: (text) => run(own.href, text),
    [Symbol.asyncDispose]: async () => void (await run(url, `DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

/** A folder for PGlite, which does not exist yet. */
export async function createPgliteFolder(): Promise<TestDatabase> {
  const { PGlite } = require('@electric-sql/pglite');
  const folder = await mkdtemp(join(tmpdir(), 'inbox-'));
  const data = join(folder, 'data');
  return {
    env: { DATABASE_URL: '', INBOX_DIR: data },
    async query(text) {
      const pglite = await PGlite.create(data);
      try {
        return (await pglite.query(text)).rows;
      } finally {
        await pglite.close();
      }
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

/** A folder with an empty database, which PGlite takes five seconds to make: it is made once, beside its package, and copied. */
export async function createPgliteDatabase(): Promise<TestDatabase> {
  const { PGlite } = require('@electric-sql/pglite');
  const home = join(inbox, 'node_modules', '@electric-sql', 'pglite');
  const empty = join(home, 'empty-database');
  if (!existsSync(empty)) {
    const folder = await mkdtemp(join(home, 'making-'));
    await (await PGlite.create(folder)).close();
    // Another process may have been faster.
    await rename(folder, empty).catch(() => rm(folder, { recursive: true }));
  }
  const database = await createPgliteFolder();
  await cp(empty, database.env['INBOX_DIR'] ?? '', { recursive: true });
  return database;
}

/** Pseudo-random numbers from 0 to 1, the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

export function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const result = [...items];
  for (let index = result.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [result[index], result[other]] = [result[other] as Item, result[index] as Item];
  }
  return result;
}
