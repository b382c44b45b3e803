import { describe, expect, test } from 'vitest';
import {
  type OnSchemaDriftEvent,
  ResponseValidationError,
  type SchemaResult,
  type StandardSchema,
} from '../../../src/index.ts';
import { createClient, failure, recordLog, throwing } from '../../helpers/client.ts';
import { startService } from '../../helpers/server.ts';

const exam = { id: 7, name: 'ada@private.test' };

function schemaOf(validate: StandardSchema['~standard']['validate']): { readonly exam: StandardSchema } {
  return { exam: { '~standard': { version: 1, vendor: 'tests', validate } } };
}

/** What schemas give against the convention. */
const results: [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['issues of null', { issues: null }],
  ['issues that are no list', { issues: 'wrong' }],
  ['an issue of null', { issues: [null] }],
  ['a path that is no list', { issues: [{ message: 'wrong', path: 5 }] }],
];

const failed = 'the schema given in the option `schemas` or `schema` failed';

describe.each(results)('a schema that gives %s', (_, result) => {
  test('is named as broken, with the operation', async () => {
    for (const given of [result, Promise.resolve(result)]) {
      await using server = startService([{ body: exam }, { body: [exam] }]);
      const schemas = schemaOf(() => given as SchemaResult<unknown>);
      const client = createClient(server, { schemas });
      for (const call of [client.exams.retrieve(7), client.exams.list()]) {
        const error = await failure(call, ResponseValidationError);
        expect(error).toMatchObject({ outcome: 'done', retryable: false });
        expect(error.message).toMatch(
          /^exams\.\w+: GET .+ an unexpected shape: the schema given in .+ failed\.$/,
        );
        expect(error.issues).toEqual([{ path: '', message: failed }]);
        expect(error.cause).toMatchObject({ name: 'TypeError' });
      }
    }
  });
});

const mistake = new RangeError('a mistake in the schema');

const failing: readonly [what: string, cause: unknown, validate: () => unknown][] = [
  ['throws an error', mistake, throwing(mistake)],
  ['rejects with an error', mistake, () => Promise.reject(mistake)],
  ['rejects with a text', 'a text', () => Promise.reject('a text')],
  [
    'gives a promise of its own kind that rejects',
    'a text',
    () => Object.fromEntries([['then', (_: unknown, no: (cause: string) => void) => no('a text')]]),
  ],
];

test.each(failing)(
  'a schema that %s is named too, with that as the cause, and asked once',
  async (_, cause, validate) => {
    await using server = startService({ body: exam });
    const client = createClient(server, { schemas: schemaOf(validate as () => never), maxRetries: 2 });
    const error = await failure(client.exams.retrieve(7), ResponseValidationError);
    expect(error).toMatchObject({ operation: 'exams.retrieve', cause, outcome: 'done', retryable: false });
    expect(error.message).toContain('the schema given in the option');
    expect(server.requests).toHaveLength(1);
  },
);

test.each([...failing, ...results.map(([what, result]) => [`gives ${what}`, null, () => result] as const)])(
  'in mode `report`, a schema that %s on a row is reported at that row, which stays as it is',
  async (_, __, fail) => {
    const rows = [exam, { id: 8, name: 'eda' }, { id: 9, name: 'ida' }];
    await using server = startService({ body: { data: rows } });
    const drifts: OnSchemaDriftEvent[] = [];
    const validate = (value: unknown) =>
      (Object(value).id === 8
        ? fail()
        : { value: { ...Object(value), isRead: true } }) as SchemaResult<unknown>;
    const hooks = { onSchemaDrift: (event: OnSchemaDriftEvent) => drifts.push(event) };
    const client = createClient(server, { schemas: schemaOf(validate), hooks, validation: 'report' });
    const { data } = await client.exams.list();
    expect(data).toEqual(rows.map((row) => (row.id === 8 ? row : { ...row, isRead: true })));
    expect(drifts).toMatchObject([
      { operation: 'exams.list', issues: [{ path: 'data.1', message: failed }] },
    ]);
  },
);

describe('a message of a schema that quotes the value, as those of Valibot do,', () => {
  const issue = {
    kind: 'schema',
    type: 'number',
    message: `Invalid type: Expected number but received "${exam.name}"`,
    path: [{ key: 'name' }],
  };
  const schemas = schemaOf(() => ({ issues: [issue] }));

  test('is in no log line and no event of a hook, which have path and code', async () => {
    await using server = startService({ body: { data: [exam] } });
    const logger = recordLog();
    const drifts: OnSchemaDriftEvent[] = [];
    const hooks = { onSchemaDrift: (event: OnSchemaDriftEvent) => drifts.push(event) };
    const options = { schemas, logger, logLevel: 'debug', hooks } as const;
    const client = createClient(server, options);
    expect((await client.exams.list({}, { validation: 'report' })).data).toEqual([exam]);
    const rejected = 'is rejected by the given schema (number)';
    expect(drifts).toMatchObject([
      { operation: 'exams.list', issues: [{ path: 'data.0.name', message: rejected }] },
    ]);
    const error = await failure(client.exams.list(), ResponseValidationError);
    expect(error.message).toContain(`data.0.name ${rejected}`);
    expect(error.message).not.toContain(exam.name);
    expect(JSON.stringify(logger.lines)).not.toContain(exam.name);
    expect(JSON.stringify(logger.lines)).toContain('data.0.name');
  });

  test('is for the code that catches the error, in its issues', async () => {
    await using server = startService({ body: exam });
    const error = await failure(createClient(server, { schemas }).exams.retrieve(7), ResponseValidationError);
    expect(error.issues).toEqual([{ path: 'name', message: issue.message }]);
  });

  test('of a custom request is treated alike', async () => {
    await using server = startService({ body: exam });
    const logger = recordLog();
    const request = { method: 'GET', path: '/x', auth: 'bearer', schema: schemas.exam } as const;
    const call = createClient(server, { logger, logLevel: 'debug' }).request(request);
    expect((await failure(call, ResponseValidationError)).message).not.toContain(exam.name);
    expect(JSON.stringify(logger.lines)).not.toContain(exam.name);
  });
});
