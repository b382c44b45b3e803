import { type ClientOptions, ExamClient } from 'exam-service-sdk';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyRoster,
  knownParticipant,
  MOST_KNOWN,
  planRoster,
  type RosterPlan,
  type Row,
} from '../../examples/sync-roster.ts';
import { createEmulator, type Emulator, type ParticipantSeed } from '../../src/testing/index.ts';
import { rejection } from '../helpers/client.ts';
import { numRuns } from '../helpers/requirements.ts';
import { startServer } from '../helpers/server.ts';

const apiKey = 'key-of-the-roster';

const connect = (options: Pick<ClientOptions, 'baseUrl' | 'fetch'>) =>
  new ExamClient({
    apiKey,
    maxRetries: 0,
    logLevel: 'off',
    schemas: { participant: knownParticipant },
    ...options,
  }).participants;

const readAll = (participants: ReturnType<typeof connect>) =>
  participants.list({ limit: 100 }).toArray({ maxItems: MOST_KNOWN, untilStable: true });

function start(seeds: number | readonly ParticipantSeed[], options: { maxParticipants?: number } = {}) {
  const emulator = createEmulator({ apiKey, ...options });
  emulator.control.seedParticipants(seeds);
  const participants = connect({
    baseUrl: 'http://localhost/api/v1',
    fetch: (url, init) => emulator.fetch(url, init),
  });
  const plan = async (rows: readonly Row[], options?: { allowMissing: boolean }) =>
    planRoster(rows, await readAll(participants), options);
  return { emulator, participants, plan, apply: (plan: RosterPlan) => applyRoster(participants, plan) };
}

/** Rows as a file has them: the first one stands on line 2. */
const file = (...people: readonly (readonly [email: string, name: string, password?: string])[]): Row[] =>
  people.map(([email, name, password = ''], index) => ({
    line: index + 2,
    fields: { email, name, password },
  }));

/** One email, in one of the ways in which files write it. */
const emails = fc
  .tuple(
    fc.integer({ min: 1, max: 12 }),
    fc.constantFrom(
      (email: string) => email,
      (email: string) => email.toUpperCase(),
      (email: string) => ` ${email}\t`,
    ),
  )
  .map(([number, write]) => write(`p${number}@example.test`));
const names = fc.constantFrom('Ada', 'ADA', ' Ada', 'Åda', 'Grace', 'Ken', 'Ken\u0301');

const keyOf = (email: string) => email.trim().toLowerCase();

const changes = ({ requests }: Emulator) => requests.filter(({ method }) => method !== 'GET');
const person = (id: number) => [`participant${id}@example.test`, `Participant ${id}`] as const;
const everybody = Array.from({ length: 10 }, (_, i) => person(i + 1));

describe('a roster', () => {
  test('is compared: who is new, renamed, missing and unchanged', async () => {
    const { plan } = start(10);
    const rows = file(
      ...everybody.slice(0, 8),
      ['participant9@example.test', 'Ada Lovelace'],
      ['new@example.test', 'Newcomer', 'secret-of-new'],
    );
    expect(await plan(rows)).toMatchObject({
      added: [{ email: 'new@example.test', name: 'Newcomer', password: 'secret-of-new' }],
      renamed: [{ id: 9, email: 'participant9@example.test', from: 'Participant 9', to: 'Ada Lovelace' }],
      missing: [{ id: 10 }],
      unchanged: 8,
      problems: [],
    });
  });

  test('takes emails that differ in case or spaces for one, so that no known one is imported', async () => {
    const { plan } = start([{ email: 'Ada@Example.test', name: 'Ada' }]);
    const rows = file([' ada@example.test ', 'Ada ', 'another'], ['ADA@example.test', 'Ada', 'another']);
    expect(await plan(rows)).toMatchObject({
      added: [],
      renamed: [],
      missing: [],
      unchanged: 1,
      problems: [],
    });
  });

  test('takes a name in another Unicode form for the same name', async () => {
    const { plan } = start([{ email: 'zoe@example.test', name: 'Zo\u00EB' }]);
    const rows = file(['zoe@example.test', 'Zoe\u0308', 'x'], ['zoe@example.test', 'Zo\u00EB', 'x']);
    expect(await plan(rows)).toMatchObject({ renamed: [], unchanged: 1, problems: [] });
  });

  test.each([
    ['a zero-width space', '\u200B'],
    ['a byte order mark', '\uFEFF'],
    ['a left-to-right mark', '\u200E'],
    ['a space that does not break', '\u00A0'],
    ['the next-line character', '\u0085'],
  ])('compares names without %s at their ends, as the service stores them', async (_kind, space) => {
    const { plan } = start([{ email: 'ada@example.test', name: 'Ada Lovelace' }]);
    const rows = file([`ada@example.test${space}`, `${space} Ada Lovelace${space}\t`]);
    expect(await plan(rows)).toMatchObject({ added: [], renamed: [], unchanged: 1, problems: [] });
    const [renamed] = (await plan(file(['ada@example.test', `Ada${space}Lovelace`]))).renamed;
    expect(renamed?.to).toBe(`Ada${space}Lovelace`);
    expect((await plan(file(['ada@example.test', space]))).problems).toEqual([
      'Line 2: needs an email and a name, in the columns `email` and `name`.',
    ]);
  });

  test.each<[string, Row[], string]>([
    [
      'contradicts itself',
      file(...everybody, ['Participant1@example.test', 'Somebody else']),
      'Line 12: Participant1@example.test stands on line 2 with other data.',
    ],
    [
      'gives somebody new no password',
      file(...everybody, ['new@example.test', 'Newcomer']),
      'Line 12: new@example.test is new and needs a password.',
    ],
    [
      'gives somebody new a password with a space at its end',
      file(...everybody, ['new@example.test', 'Newcomer', 'secret ']),
      'Line 12: the password of new@example.test has spaces at its ends or invisible characters, which the service may ' +
        'remove: the participant could not sign in. Remove them from the file.',
    ],
    [
      'gives somebody new a password of invisible characters',
      file(...everybody, ['new@example.test', 'Newcomer', '\u200D']),
      'Line 12: new@example.test is new and needs a password.',
    ],
    [
      'has a name of invisible characters',
      file(['participant1@example.test', '\u200D'], ...everybody.slice(1)),
      'Line 2: needs an email and a name, in the columns `email` and `name`.',
    ],
    [
      'has a name that holds U+0000',
      file(['participant1@example.test', 'One\0'], ...everybody.slice(1)),
      'Line 2: holds U+0000 or half a character, which cannot be sent. Write the row again.',
    ],
    [
      'has a row without a name',
      file(['participant1@example.test', ' '], ...everybody.slice(1)),
      'Line 2: needs an email and a name, in the columns `email` and `name`.',
    ],
    [
      'lacks a column',
      [...file(...everybody), { line: 12, fields: {} as never }],
      'Line 12: needs an email and a name, in the columns `email` and `name`.',
    ],
    [
      'lacks more than a fifth of the list',
      file(...everybody.slice(3)),
      '3 of the 10 participants of the service are not in the file, more than a fifth. Is it the whole file, and the ' +
        'right service? If it is, run this again with --allow-missing.',
    ],
  ])('that %s is not applied, and says what to do', async (_, rows, problem) => {
    const { emulator, plan, apply } = start(10);
    const planned = await plan(rows);
    expect(planned.problems).toContain(problem);
    expect(await rejection(apply(planned))).toBeInstanceOf(Error);
    expect(changes(emulator)).toEqual([]);
  });

  test('that lacks a fifth of the list, or more on purpose, is applied and deletes nobody', async () => {
    const { emulator, plan, apply } = start(10);
    expect((await plan(file(...everybody.slice(2)))).problems).toEqual([]);
    await apply(await plan(file(...everybody.slice(9)), { allowMissing: true }));
    expect(emulator.control.participant(1)).toMatchObject({ name: 'Participant 1' });
  });

  test('is not applied where two participants differ only in the case of their emails', async () => {
    // Whether a service holds both is not documented; the emulator does not.
    await using server = await startServer({
      body: [
        { id: 1, email: 'ada@example.test', name: 'Ada' },
        { id: 2, email: 'ADA@example.test', name: 'Augusta' },
      ],
    });
    const participants = connect({ baseUrl: server.url });
    const planned = planRoster(file(['ada@example.test', 'Ada']), await readAll(participants));
    expect(planned.problems).toEqual([
      'Line 2: ada@example.test may be participant 1 and 2, whose emails differ only in case.',
    ]);
    expect(await rejection(applyRoster(participants, planned))).toBeInstanceOf(Error);
    expect(server.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('is applied but for what the service rejects, which is reported', async () => {
    const { emulator, plan, apply } = start(10);
    emulator.faults.inject({ on: 'participants.update', effect: 'respond', status: 404 });
    const rows = file(
      ['participant1@example.test', 'One'],
      ['participant2@example.test', 'Two'],
      ...everybody.slice(2),
      ['no address', 'Nobody', 'secret'],
      ['new@example.test', 'Newcomer', 'secret'],
    );
    const rejected = await apply(await plan(rows));
    expect(rejected.map(({ email }) => email)).toEqual(['participant1@example.test', 'no address']);
    expect(await plan(rows)).toMatchObject({ renamed: [{ id: 1 }], added: [{ email: 'no address' }] });
  });

  test('ends at an outage, after which the way on is to compare again', async () => {
    const { emulator, plan, apply } = start(10);
    const rows = file(...everybody.map(([email]) => [email, 'Renamed'] as const));
    const outage = emulator.faults.inject({
      on: 'participants.update',
      times: Number.POSITIVE_INFINITY,
      effect: 'respond',
      status: 503,
    });
    expect(await rejection(apply(await plan(rows)))).toMatchObject({ status: 503 });
    // One attempt of each lane.
    expect(changes(emulator)).toHaveLength(4);
    outage.remove();
    expect(await apply(await plan(rows))).toEqual([]);
    expect(await plan(rows)).toMatchObject({ renamed: [], unchanged: 10 });
  });
});

test('any two rosters: the names agree after one run, no known password was sent, a second run changes nothing', async () => {
  const known = fc.uniqueArray(fc.record({ email: emails.map((email) => email.trim()), name: names }), {
    selector: ({ email }) => keyOf(email),
    maxLength: 10,
  });
  const row = fc.tuple(emails, names);
  const roster = fc.oneof(
    { weight: 3, arbitrary: fc.uniqueArray(row, { selector: ([email]) => keyOf(email), maxLength: 10 }) },
    { weight: 1, arbitrary: fc.array(row, { maxLength: 10 }) },
  );
  let applied = 0;
  const cases = numRuns(300);
  await fc.assert(
    fc.asyncProperty(known, roster, async (seeds, people) => {
      const { emulator, plan, apply } = start(seeds);
      const rows = file(...people.map(([email, name], i) => [email, name, `secret-${i}.`] as const));
      const guarded = await plan(rows);
      const planned = await plan(rows, { allowMissing: true });
      const isMuch = planned.missing.length > seeds.length / 5;
      expect(guarded.problems.length - planned.problems.length).toBe(isMuch ? 1 : 0);
      const isTwice = new Set(rows.map(({ fields }) => keyOf(fields.email))).size < rows.length;
      // Passwords differ from row to row, so an email that stands twice is a contradiction.
      expect(planned.problems.length > 0).toBe(isTwice);
      if (isTwice) return;

      expect(await apply(planned)).toEqual([]);
      applied += 1;
      for (const { fields } of rows) {
        const held = emulator
          .snapshot()
          .participants.filter(({ email }) => keyOf(email) === keyOf(fields.email));
        expect(held.map(({ name }) => name)).toEqual([fields.name.trim()]);
      }
      const sent = changes(emulator)
        .map(({ body }) => body)
        .join();
      for (const [id, { email }] of seeds.entries()) {
        const row = rows.find(({ fields }) => keyOf(fields.email) === keyOf(email));
        if (row !== undefined) expect(sent).not.toContain(row.fields.password);
        expect(emulator.control.participant(id + 1)?.password).toBe(`password-${id + 1}`);
      }

      const before = changes(emulator).length;
      const again = await plan(rows, { allowMissing: true });
      expect(again).toMatchObject({ added: [], renamed: [], problems: [], unchanged: rows.length });
      await apply(again);
      expect(changes(emulator)).toHaveLength(before);
    }),
    { numRuns: cases },
  );
  expect(applied).toBeGreaterThan(cases / 3);
});
