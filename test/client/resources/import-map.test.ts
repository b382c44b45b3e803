import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ConfigurationError, ImportStoppedError } from '../../../src/index.ts';
import { failure } from '../../helpers/client.ts';
import { row, rowsOf, startImports } from './helpers.ts';

interface Line {
  readonly number: number;
  readonly role: string;
}

const linesOf = (count: number): Line[] =>
  Array.from({ length: count }, (_, number) => ({ number, role: 'student' }));

describe('map', () => {
  test('turns rows of any type into rows of the service, and gets the index of each', async () => {
    await using service = await startImports();
    const indexes: number[] = [];
    const summary = await service.participants.importAll(linesOf(5), {
      batchSize: 2,
      map: ({ number }, index) => {
        indexes.push(index);
        return row(number);
      },
    });
    expect(service.sent()).toEqual([[0, 1], [2, 3], [4]]);
    expect(indexes).toEqual([0, 1, 2, 3, 4]);
    expect(summary).toMatchObject({ imported: 5, skipped: 0, processed: 5 });
  });

  test('leaves a row out with null, and the row is counted as neither imported nor failed', async () => {
    await using service = await startImports();
    const summary = await service.participants.importAll(rowsOf(6), {
      batchSize: 2,
      map: (participant, index) => (index % 3 === 0 ? null : participant),
    });
    expect(service.sent()).toEqual([
      [1, 2],
      [4, 5],
    ]);
    expect(summary).toMatchObject({ imported: 4, skipped: 2, rejected: 0, processed: 6, resumeFrom: 6 });
    expect(summary.rejections).toEqual([]);
  });

  test('is asked for the rows before resumeFrom, too, and what is wrong with them counts for nothing', async () => {
    await using service = await startImports();
    const indexes: number[] = [];
    await service.participants.importAll(rowsOf(5), {
      resumeFrom: 3,
      map: (participant, index) => {
        indexes.push(index);
        if (index === 0) throw new Error('no such class');
        return index === 1 ? ({ mail: 'x' } as never) : participant;
      },
    });
    expect(indexes).toEqual([0, 1, 2, 3, 4]);
    expect(service.sent()).toEqual([[3, 4]]);
  });

  test('that throws stops the import, with its error as the cause and the row named', async () => {
    await using service = await startImports();
    const broken = new TypeError('cannot read secret-of-the-row');
    const error = await service.stopped(rowsOf(6), {
      batchSize: 2,
      invalidRows: 'reject',
      map: (participant, index) => {
        if (index === 3) throw broken;
        return participant;
      },
    });
    expect(error.cause).toMatchObject({ name: broken.name, message: broken.message, stack: broken.stack });
    expect(error.message).toContain('`map` failed on row 3: see `error.cause`');
    expect(error.message).not.toContain('secret-of-the-row');
    const summary = { imported: 3, sent: 3, resumeFrom: 3 };
    expect(error).toMatchObject({ retryable: false, summary });
  });

  /** What is printed of an import whose `map` fails on this row, and the message of the cause. */
  async function failedOn(given: unknown, fail: (given: unknown) => unknown) {
    await using service = await startImports();
    const map = (row: unknown) => {
      throw new TypeError('no', { cause: new Error(`bad row ${fail(row)}`) });
    };
    const error = await failure(service.participants.importAll([given], { map }), ImportStoppedError);
    const { cause } = error.cause as Error;
    return {
      printed: inspect(error, { depth: 9, showHidden: true }),
      causeMessage: (cause as Error).message,
    };
  }

  test.each(['correcthorse', 'abc'])(
    'that throws an error which quotes the row hides %s, as any text',
    async (secret) => {
      const { printed, causeMessage } = await failedOn({ secret }, () => `no class for ${secret}`);
      expect(causeMessage).toBe('bad row no class for [redacted]');
      expect(printed).not.toContain(secret);
    },
  );

  const password = 'amber"quill-118';

  test.each<[string, unknown, string]>([
    ['in a record', { password, pin: 40_172 }, '{"password":"[redacted]","pin":[redacted]}'],
    ['in a list', ['x', password], '["x","[redacted]"]'],
    ['deep in a record', { login: [{ password }] }, '{"login":[{"password":"[redacted]"}]}'],
    ['alone', password, '"[redacted]"'],
  ])('that throws an error which quotes the row shows no password of it: %s', async (_, given, kept) => {
    const { printed, causeMessage } = await failedOn(given, JSON.stringify);
    expect(causeMessage).toBe(`bad row ${kept}`);
    expect(printed).not.toContain('quill-118');
  });

  test('that throws on a row which cannot be read is reported with its own message', async () => {
    const given = {
      role: 'email',
      get course(): string {
        throw new Error('a lazy relation');
      },
    };
    expect((await failedOn(given, () => 'no email')).causeMessage).toBe('bad row no email');
  });

  test('that throws on a row which holds itself, or nothing, is reported with its own message', async () => {
    const given = { password, name: undefined, self: {} };
    given.self = given;
    expect((await failedOn(given, () => `${given.name}: ${password}`)).causeMessage).toBe(
      'bad row undefined: [redacted]',
    );
    expect((await failedOn(null, String)).causeMessage).toBe('bad row null');
  });

  test.each([
    ['fulfils', () => Promise.resolve(row(0))],
    ['rejects', () => Promise.reject(new Error('late'))],
  ])('that returns a promise, which %s, stops the import with what to do instead', async (_, map) => {
    await using service = await startImports();
    const { cause } = await service.stopped(rowsOf(2), { map: map as never });
    expect(cause).toBeInstanceOf(ConfigurationError);
    expect(String(cause)).toMatch(/`map` returned a promise for row 0.*async generator/);
    expect(service.server.requests).toHaveLength(0);
  });

  test('that forgets to return stops the import', async () => {
    await using service = await startImports();
    const map = (() => undefined) as unknown as () => null;
    const error = await failure(
      service.participants.importAll(rowsOf(1), { map, invalidRows: 'reject' }),
      ImportStoppedError,
    );
    expect(error.cause).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain('`map` returned undefined for row 0');
  });
});

test.each<[what: string, map: object, message: string]>([
  ['a column too many', { map: (given: object) => given }, '`map` returned an unknown column `role`'],
  ['other names', { map: () => ({ mail: 'a', name: 'b', password: 'c' }) }, '`map` returned the columns'],
])('what `map` returned is what the message names: %s', async (_, options, message) => {
  await using service = await startImports();
  const error = await service.stopped([{ ...row(0), role: 'admin' }] as never, options);
  expect(error.message).toContain(message);
  expect(error.message).not.toContain('Drop');
});
