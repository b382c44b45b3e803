import { expect, test, vi } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { createPostgresDatabase, createRandom, shuffled } from './inbox-helpers.ts';
import { deliver, eventsOf, expectEachOnce, IN_FLIGHT, nothingLeft, start } from './inbox-run.ts';
import { createPostgresServer, describeWithPostgres } from './postgres.ts';
import type { Recipe } from './recipe.ts';

const RESULTS = 400;
const isRunning = ({ process }: Recipe) => process.exitCode === null && process.signalCode === null;

/** Ends every connection of the programs in the middle of what they do. */
const TERMINATE =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()';

// `describeWithPostgres` says whether PostgreSQL may be missing; these servers are their own.
describeWithPostgres('the inbox and a PostgreSQL that comes and goes', () => {
  test('waits at its start for a server that is not there yet', async () => {
    await using server = await createPostgresServer();
    const starting = start({ env: { DATABASE_URL: server.url } }, ['receiver'], {});
    await server.start();
    await using receiver = await starting;
    await deliver(receiver.url, eventsOf(1)[0] ?? {}, () => {});
    expect(await receiver.stop()).toBe(0);
    expect(receiver.errors.filter((line) => !line.startsWith('Waiting for PostgreSQL: connect'))).toEqual([]);
  });

  test('reports a loss in a few lines, and stops on request while the server is away', async () => {
    await using server = await createPostgresServer();
    await server.start();
    await using worker = await start({ env: { DATABASE_URL: server.url } }, ['worker'], {});
    await server.stop('SIGINT');
    const says = (text: string) => worker.errors.filter((line) => line.includes(text)).length > 0;
    await vi.waitUntil(() => says('Queue: connect ECONNREFUSED'), { timeout: 60_000, interval: 50 });
    expect(await worker.stop()).toBe(0);
    expect(worker.errors.filter((line) => !/^(PostgreSQL|Queue): [\w .:,()-]+$/.test(line))).toEqual([]);
    expect(worker.errors.length).toBeLessThan(20);
  });

  test('does not wait for a server that rejects it', async () => {
    await using server = await createPostgresServer();
    await server.start();
    const DATABASE_URL = server.url.replace(/postgres$/, 'no_such_database');
    await expect(start({ env: { DATABASE_URL } }, ['receiver'], {})).rejects.toThrow(
      'database "no_such_database" does not exist',
    );
  });

  test(`${8 * RESULTS} deliveries have their effects once through ten kills of workers, five lost connections and two restarts, which no receiver notices`, async () => {
    await using server = await createPostgresServer();
    await server.start();
    await using database = await createPostgresDatabase(server.url);
    const random = createRandom(11);
    const events = Array.from({ length: RESULTS }, (_, index) => eventsOf(index + 1)).flat();
    const deliveries = shuffled([...events, ...events], random);
    const PORT = String(await freePort());
    await using receiver = await start(database, ['receiver'], { PORT });
    const workers = [await start(database, ['worker'], {}), await start(database, ['worker'], {})];
    let kills = 0;
    const accidents = shuffled(
      [
        ...Array.from({ length: 10 }, () => async () => {
          const index = kills % workers.length;
          kills += 1;
          // None has ended by itself.
          expect(await workers[index]?.stop('SIGKILL')).toBe('SIGKILL');
          workers[index] = await start(database, ['worker'], {});
        }),
        ...Array.from({ length: 5 }, () => async () => void (await database.query(TERMINATE))),
        ...(['SIGINT', 'SIGQUIT'] as const).map((signal) => async () => {
          await server.stop(signal);
          await server.start();
        }),
      ],
      random,
    );
    let responses = 0;
    const disturbing = (async () => {
      for (const [index, accident] of accidents.entries()) {
        const moment = ((index + 1) * deliveries.length) / (accidents.length + 1);
        await vi.waitUntil(() => responses >= moment, { timeout: 120_000, interval: 1 });
        await accident();
      }
    })();
    const left = deliveries.values();
    const sending = Array.from({ length: IN_FLIGHT }, async () => {
      for (const event of left) await deliver(receiver.url, event, () => (responses += 1));
    });
    try {
      await Promise.all([disturbing, ...sending]);
      expect([receiver, ...workers].filter((program) => !isRunning(program))).toEqual([]);
      expect(await Promise.all(workers.map((worker) => worker.stop()))).toEqual([0, 0]);
      await using last = await start(database, ['worker'], {});
      await vi.waitUntil(() => nothingLeft(last), { timeout: 60_000, interval: 50 });
      expect(await last.stop()).toBe(0);
    } finally {
      await Promise.all(workers.map((worker) => worker[Symbol.asyncDispose]()));
    }
    expect(await receiver.stop()).toBe(0);
    await expectEachOnce(database, RESULTS);
    // Each loss is reported with its message, not with its internals.
    const lines = [receiver, ...workers].flatMap(({ errors }) => errors);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => /^\s|^}|\[object/.test(line))).toEqual([]);
  });
});
