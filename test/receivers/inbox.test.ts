import { describe, expect, test, vi } from 'vitest';
import { createEmulator } from '../../src/testing/index.ts';
import { freePort } from '../helpers/free-port.ts';
import { longTest } from '../helpers/long-test.ts';
import {
  createPgliteDatabase,
  createPostgresDatabase,
  createRandom,
  shuffled,
  type TestDatabase,
} from './inbox-helpers.ts';
import { DATES, deliver, eventsOf, expectEachOnce, IN_FLIGHT, nothingLeft, start } from './inbox-run.ts';
import { describeWithPostgres } from './postgres.ts';
import { runRecipe } from './recipe.ts';

/** How much comes, and how often a process is killed meanwhile. */
interface Load {
  readonly results: number;
  readonly kills: number;
}

/** Kills the programs in turn while shuffled and doubled deliveries come, then compares what was done. */
async function survive(
  database: TestDatabase,
  programs: readonly (readonly string[])[],
  { results, kills }: Load,
): Promise<void> {
  const events = Array.from({ length: results }, (_, index) => eventsOf(index + 1)).flat();
  const random = createRandom(7);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/webhooks`;
  const running = await Promise.all(programs.map((parts) => start(database, parts, { PORT: String(port) })));
  const deliveries = shuffled([...events, ...events], random);
  const moments = shuffled([...deliveries.keys()], random)
    .slice(0, kills)
    .sort((a, b) => a - b);
  let responses = 0;
  const killing = (async () => {
    for (const [turn, moment] of moments.entries()) {
      await vi.waitUntil(() => responses >= moment, { timeout: 120_000, interval: 1 });
      const index = turn % programs.length;
      await running[index]?.stop('SIGKILL');
      running[index] = await start(database, programs[index] ?? [], { PORT: String(port) });
    }
  })();
  const left = deliveries.values();
  const sending = Array.from({ length: IN_FLIGHT }, async () => {
    for (const event of left)
      await deliver(url, event, () => {
        responses += 1;
      });
  });
  await Promise.all([killing, ...sending]);
  for (const program of running) expect(await program.stop()).toBe(0);
  // Now that everything is stored, what a worker says is left goes down to nothing.
  await using worker = await start(database, ['worker'], {});
  await vi.waitUntil(() => nothingLeft(worker), { timeout: 60_000, interval: 50 });
  expect(await worker.stop()).toBe(0);

  await expectEachOnce(database, results);
}

/** Two events of one second contradict each other: the service is asked. */
async function rereadATie(database: TestDatabase): Promise<void> {
  const emulator = createEmulator({ apiKey: 'inbox-key' });
  const [person] = emulator.control.seedParticipants(1);
  const [exam] = emulator.control.seedExams(1);
  const [result] = emulator.control.seedResults([{ participant_id: 1, exam_id: 1, score: 91.5 }]);
  const service = await emulator.listen();
  const env = { EXAM_SERVICE_BASE_URL: service.url, EXAM_SERVICE_API_KEY: 'inbox-key' };
  const inbox = await start(database, [], env);
  try {
    for (const score of [70, 80, 60]) {
      const data = {
        exam_result_id: result?.id,
        participant: { id: person?.id },
        exam: { id: exam?.id },
        score,
      };
      const event = { event: 'exam_result.scored', created_at: DATES[0], data };
      await deliver(inbox.url, event, () => {});
    }
    await vi.waitUntil(() => emulator.requests.length > 0, { timeout: 60_000, interval: 50 });
    await vi.waitUntil(() => nothingLeft(inbox), { timeout: 60_000, interval: 50 });
  } finally {
    await inbox.stop();
    await service.close();
  }
  expect(await database.query('SELECT score::float FROM exam_results')).toEqual([{ score: 91.5 }]);
}

/** PostgreSQL cannot hold U+0000, nor half of a surrogate pair. */
async function keepWhatPostgresCannotHold(database: TestDatabase): Promise<void> {
  await using inbox = await start(database, ['receiver'], {});
  const data = { name: 'A\0na \ud800 \\u0000', '\0': 1 };
  await deliver(inbox.url, { event: 'exam_participant.registered', created_at: DATES[0], data }, () => {});
  expect(await inbox.stop()).toBe(0);
  const [kept] = await database.query("SELECT event->'data' AS data, problem FROM inbox");
  expect(kept).toEqual({ data: { name: 'A\uFFFDna \uFFFD \\u0000', '\uFFFD': 1 }, problem: null });
}

/** A payload that is not as described is kept for a person, and acknowledged. */
async function keepWhatIsOdd(database: TestDatabase): Promise<void> {
  const inbox = await start(database, ['receiver'], {});
  const event = { event: 'exam_result.scored', created_at: DATES[0], data: { result: 7 } };
  await deliver(inbox.url, event, () => {});
  await inbox.stop();
  const status = await runRecipe('../inbox/status', [], database.env);
  expect(status.stdout).toMatch(/exam_result\.scored'.*1 .*0 .*1/);
  expect(status.stdout).toContain('Failed too often: 0 jobs.');
  const [odd, ...others] = await database.query(
    "SELECT event, convert_from(raw_body, 'UTF8') AS raw, problem, handled_at FROM inbox",
  );
  expect(others).toEqual([]);
  expect(odd).toMatchObject({ event, raw: JSON.stringify(event), handled_at: null });
  expect(String(odd?.['problem'])).toContain('exam_result_id');
}

function cases(
  create: () => Promise<TestDatabase>,
  programs: readonly (readonly string[])[],
  load: Load,
): void {
  longTest(
    `${8 * load.results} deliveries, shuffled, each event twice, have their effects once through ${load.kills} kills`,
    async () => {
      await using database = await create();
      await survive(database, programs, load);
    },
  );

  test('what does not fit the schema is kept for a person to look at', async () => {
    await using database = await create();
    await keepWhatIsOdd(database);
  });

  longTest.each([
    ['two scores of the same second: the service is asked which is right', rereadATie],
    ['characters that PostgreSQL cannot hold do not keep an event out', keepWhatPostgresCannotHold],
  ] as const)('%s', async (_title, run) => {
    await using database = await create();
    await run(database);
  });
}

describeWithPostgres('the inbox over PostgreSQL', (url) => {
  cases(() => createPostgresDatabase(url), [['receiver'], ['worker']], { results: 625, kills: 10 });
});

describe('the inbox over PGlite', () => {
  // Fewer, as one process does it all. With the numbers of PostgreSQL it held as well.
  cases(createPgliteDatabase, [[]], { results: 100, kills: 3 });
});
