import { describe } from 'vitest';

const { DATABASE_URL: databaseUrl, REQUIRE_POSTGRES } = process.env;

/** A suite over the PostgreSQL at `DATABASE_URL`. Without one it is skipped, unless `REQUIRE_POSTGRES` is 1. */
export function describeWithPostgres(name: string, suite: (databaseUrl: string) => void): void {
  if (!databaseUrl) {
    if (REQUIRE_POSTGRES === '1') throw new Error('REQUIRE_POSTGRES is 1, but DATABASE_URL names no server.');
    console.warn(`Skipped, as DATABASE_URL names no server: ${name}`);
  }
  describe.skipIf(!databaseUrl)(name, () => suite(databaseUrl ?? ''));
}
