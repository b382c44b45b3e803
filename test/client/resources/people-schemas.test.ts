// Who is known and who is found is what the service sent, whatever a caller's schema makes of the records.

import { describe, expect, test } from 'vitest';
import { type ClientOptions, ResponseValidationError, type StandardSchema } from '../../../src/index.ts';
import { createClient, failure, rejection } from '../../helpers/client.ts';
import { startService } from '../../helpers/server.ts';
import { row, rowsOf, sentIn } from './helpers.ts';

interface Record {
  readonly id: number;
  readonly email: string;
}

const people: Record[] = [0, 1, 2].map((index) => ({ id: index + 1, email: row(index).email }));
const emails = people.map(({ email }) => email);

type Validate = (person: Record) => { readonly value: unknown } | { readonly issues: { message: string }[] };
const schemaOf = (validate: Validate): StandardSchema => ({
  '~standard': { version: 1, vendor: 'own', validate: (value) => validate(value as Record) as never },
});

const masked = { email: '***' };
const schemas: { readonly [what: string]: Validate } = {
  'masks emails': (person) => ({ value: { ...person, ...masked } }),
  'catches emails': (person) => ({ value: { ...person, email: null } }),
  'strips all but the id': ({ id }) => ({ value: { id } }),
  'strips the id': ({ email }) => ({ value: { email } }),
  'renames the id': ({ id, email }) => ({ value: { participantId: id, email } }),
  'turns ids into texts': ({ id, email }) => ({ value: { id: `p${id}`, email } }),
  'turns ids into BigInts': ({ id, email }) => ({ value: { id: BigInt(id), email } }),
  'gives all the same id': ({ email }) => ({ value: { id: 7, email } }),
  'gives texts': ({ email }) => ({ value: `<${email}>` }),
};
const modes = ['strict', 'report', 'off'] as const;
const cells = Object.entries(schemas).flatMap(([what, validate]) =>
  modes.map((validation) => ({ what, validation, validate })),
);

/** A service that lists these people, two on a page, and takes imports. */
function connect(
  validate: Validate,
  validation: ClientOptions['validation'],
  listed: readonly object[] = people,
) {
  const server = startService(({ method, query }) => {
    if (method === 'POST') return { status: 201, body: {} };
    const page = Number(query.get('page') ?? 1);
    return { body: { data: listed.slice(2 * page - 2, 2 * page), total: listed.length } };
  });
  const { participants } = createClient(server, { schemas: { participant: schemaOf(validate) }, validation });
  const sent = () => server.requests.filter(({ method }) => method === 'POST').flatMap(sentIn);
  return { server, participants, sent, [Symbol.asyncDispose]: () => server.close() };
}

/** What the schema makes of them; validation that is off leaves them as they are. */
const madeOf = ({ validate, validation }: (typeof cells)[number]) =>
  people.map((person) => (validation === 'off' ? person : Object(validate(person)).value));

describe('a schema', () => {
  test.each(cells)(
    "that $what decides nothing for existing: 'skip' (validation $validation)",
    async ({ validate, validation }) => {
      await using service = connect(validate, validation);
      const summary = await service.participants.importAll(rowsOf(4), { existing: 'skip' });
      expect(summary).toMatchObject({ known: 3, imported: 1 });
      expect(service.sent()).toEqual([3]);
    },
  );

  test.each(cells)('that $what decides nothing for findByEmail (validation $validation)', async (cell) => {
    await using service = connect(cell.validate, cell.validation);
    const { found, missing } = await service.participants.findByEmail([...emails, 'nobody@x.test']);
    expect([...found]).toEqual(madeOf(cell).map((made, index) => [emails[index], made]));
    expect(missing).toEqual(['nobody@x.test']);
  });

  test.each(cells)(
    'that $what decides nothing for untilStable and distinct (validation $validation)',
    async (cell) => {
      const whole = { maxItems: 9, untilStable: true };
      await using service = connect(cell.validate, cell.validation, [...people, people[0] ?? {}]);
      const { participants } = service;
      expect(await participants.list({}, { distinct: true }).toArray({ maxItems: 9 })).toEqual(madeOf(cell));
      const error = await rejection(participants.list().toArray(whole));
      expect(error).toMatchObject({ message: expect.stringContaining('the same 1 row on two pages') });
      await using plain = connect(cell.validate, cell.validation);
      expect(await plain.participants.list().toArray(whole)).toEqual(madeOf(cell));
      expect(plain.server.requests).toHaveLength(4);
    },
  );
});

describe('of a record that the schema rejects', () => {
  const checked: string[] = [];
  const rejectsSecond: Validate = (person) => {
    checked.push(person.email);
    if (person.id === 2) return { issues: [{ message: 'is not as expected' }] };
    return { value: { ...person, ...masked } };
  };

  test.each(modes)("existing: 'skip' knows the email (%s), and checks nobody", async (validation) => {
    checked.length = 0;
    await using service = connect(rejectsSecond, validation);
    await service.participants.importAll(rowsOf(4), { existing: 'skip' });
    expect(service.sent()).toEqual([3]);
    expect(checked).toEqual([]);
  });

  test.each(modes)('findByEmail takes no notice where others are asked for (%s)', async (validation) => {
    checked.length = 0;
    await using service = connect(rejectsSecond, validation);
    const { found } = await service.participants.findByEmail([emails[0] ?? '', 'P2@EXAMPLE.test']);
    expect([...found.values()]).toHaveLength(2);
    expect(checked).toEqual(validation === 'off' ? [] : [emails[0], emails[2]]);
  });

  test('findByEmail treats it as the mode says where it is asked for', async () => {
    await using strict = connect(rejectsSecond, 'strict');
    const error = await failure(strict.participants.findByEmail(emails), ResponseValidationError);
    expect(error).toMatchObject({ operation: 'participants.list', issues: [{ path: 'data.1' }] });
    await using lenient = connect(rejectsSecond, 'report');
    const { found } = await lenient.participants.findByEmail(emails);
    expect(found.get(emails[1] ?? '')).toEqual(people[1]);
  });
});

test('a record without an exact id is found and known by its email', async () => {
  const listed = [{ email: emails[0] }, { id: null, email: emails[1] }];
  await using service = connect((person) => ({ value: person }), 'report', listed);
  const { found, missing } = await service.participants.findByEmail(emails);
  expect([...found.values()]).toEqual(listed);
  expect(missing).toEqual([emails[2]]);
  await service.participants.importAll(rowsOf(3), { existing: 'skip' });
  expect(service.sent()).toEqual([2]);
});

test('what an asynchronous schema makes of people comes after the list was read', async () => {
  const later: StandardSchema = {
    '~standard': { version: 1, vendor: 'own', validate: async (value) => ({ value: [value] }) },
  };
  await using server = startService({ body: { data: people, total: 3 } });
  const { participants } = createClient(server, { schemas: { participant: later } });
  const { found } = await participants.findByEmail(emails);
  expect([...found.values()]).toEqual(people.map((person) => [person]));
});
