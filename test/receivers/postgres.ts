import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, glob, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, vi } from 'vitest';
import { freePort } from '../helpers/free-port.ts';

const run = promisify(execFile);
const { DATABASE_URL: databaseUrl, REQUIRE_POSTGRES } = process.env;

/** A suite over the PostgreSQL at `DATABASE_URL`. Without one it is skipped, unless `REQUIRE_POSTGRES` is 1. */
export function describeWithPostgres(name: string, suite: (databaseUrl: string) => void): void {
  if (!databaseUrl) {
    if (REQUIRE_POSTGRES === '1') throw new Error('REQUIRE_POSTGRES is 1, but DATABASE_URL names no server.');
    console.warn(`Skipped, as DATABASE_URL names no server: ${name}`);
  }
  describe.skipIf(!databaseUrl)(name, () => suite(databaseUrl ?? ''));
}

/** A PostgreSQL server that a test may stop and start as it likes. */
export interface PostgresServer extends AsyncDisposable {
  readonly url: string;
  start(): Promise<void>;
  /** `SIGINT` ends all connections in order, `SIGQUIT` is a crash. */
  stop(signal: 'SIGINT' | 'SIGQUIT'): Promise<void>;
}

/** Creates a server that is not running yet. Its programs are those of Debian, or the ones in `PATH`. */
export async function createPostgresServer(): Promise<PostgresServer> {
  let programs = '';
  for await (const path of glob('/usr/lib/postgresql/*/bin/initdb')) programs = `${dirname(path)}/`;
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  // PostgreSQL does not run as root.
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  await run(`${programs}initdb`, ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync'], user);
  const port = await freePort();
  let server: ChildProcess | undefined;
  const stop = async (signal: NodeJS.Signals) => {
    if (server === undefined || server.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async start() {
      const options = ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'];
      server = spawn(`${programs}postgres`, [...options, '-c', 'fsync=off'], { ...user, stdio: 'ignore' });
      const isReady = () => run(`${programs}pg_isready`, ['-q', '-h', '127.0.0.1', '-p', String(port)]);
      await vi.waitFor(isReady, { timeout: 60_000, interval: 50 });
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop('SIGQUIT');
      await rm(folder, { recursive: true });
    },
  };
}
