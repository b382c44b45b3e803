import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { openPostgres } from '../../examples/inbox/postgres.ts';
import { createPostgresDatabase } from './inbox-helpers.ts';
import { describeWithPostgres } from './postgres.ts';

/** A place where everything that is asked of PostgreSQL goes through; it cuts the connection that asks for one of `fatal`, once. */
async function startFragile(target: URL, fatal: Set<string>) {
  const open = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    open.add(client);
    client.on('close', () => {
      open.delete(client);
      server.destroy();
    });
    server.on('close', () => client.destroy());
    for (const socket of [client, server]) socket.on('error', () => {});
    server.pipe(client);
    client.on('data', (data) => {
      const hit = [...fatal].find((text) => data.includes(text));
      if (hit === undefined) return void server.write(data);
      fatal.delete(hit);
      client.resetAndDestroy();
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = new URL(target);
  url.port = String((proxy.address() as AddressInfo).port);
  return { url: url.href, open, [Symbol.asyncDispose]: async () => void proxy.close() };
}

describeWithPostgres('the start of the inbox over PostgreSQL', (url) => {
  test('begins again when the connection is lost at any step, and leaves no connection of a failed try open', async () => {
    await using database = await createPostgresDatabase(url);
    const steps = [
      'BEGIN',
      'pg_advisory_xact_lock(20260301)',
      'CREATE TABLE IF NOT EXISTS inbox',
      'COMMIT',
      "to_regclass('pgboss.version')",
      'CREATE SCHEMA',
      'SELECT pgboss.create_queue',
      'WITH options as (SELECT',
    ];
    const fatal = new Set(steps);
    await using server = await startFragile(new URL(String(database.env['DATABASE_URL'])), fatal);
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    try {
      const inbox = await openPostgres(server.url);
      expect([...fatal]).toEqual([]);
      expect(await inbox.boss.send('exam-events', { eventKey: 'a' })).toEqual(expect.any(String));
      expect((await inbox.query('SELECT FROM inbox')).rows).toEqual([]);
      await inbox[Symbol.asyncDispose]();
    } finally {
      said.mockRestore();
    }
    await expect.poll(() => server.open.size).toBe(0);
  });

  test('does not begin again when the queues are rejected, and leaves no connection open', async () => {
    await using database = await createPostgresDatabase(url);
    await database.query('CREATE SCHEMA pgboss; CREATE TABLE pgboss.version (of_another_program text)');
    await using server = await startFragile(new URL(String(database.env['DATABASE_URL'])), new Set());
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    try {
      await expect(openPostgres(server.url)).rejects.toThrow(
        /function pgboss\.create_queue.+ does not exist/,
      );
      expect(said.mock.calls.join()).not.toContain('Waiting');
      await expect.poll(() => server.open.size).toBe(0);
    } finally {
      said.mockRestore();
    }
  });
});
