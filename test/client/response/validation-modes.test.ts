import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import {
  ExamClient,
  type OnSchemaDriftEvent,
  ResponseFormatError,
  ResponseValidationError,
  type SchemaIssue,
  type StandardSchema,
} from '../../../src/index.ts';
import { connect } from '../../fixtures/responses/client.ts';
import { endpoint, enveloped } from '../../fixtures/responses/webhooks.ts';
import { failure, recordLog, rejection } from '../../helpers/client.ts';

const wrongIds = { data: [{ id: 1 }, { id: 'two' }, { id: 3 }, { name: 'four' }] };

/** A client that keeps what its hook and its logger get. */
async function watch(body: unknown, validation?: 'strict' | 'report' | 'off') {
  const drifts: OnSchemaDriftEvent[] = [];
  const warn = vi.fn();
  const service = await connect(
    { body },
    {
      validation,
      hooks: { onSchemaDrift: (event) => drifts.push(event) },
      logger: { debug() {}, info() {}, warn, error() {} },
    },
  );
  return { ...service, drifts, warn };
}

describe('strict', () => {
  test('is the default, and throws every issue with its place', async () => {
    await using service = await watch(wrongIds);
    const error = await failure(service.client.exams.list(), ResponseValidationError);
    expect(error).toMatchObject({
      name: 'ResponseValidationError',
      operation: 'exams.list',
      status: 200,
      issues: [
        { path: 'data.1.id', message: 'must be a positive integer, not a string' },
        { path: 'data.3.id', message: 'is missing' },
      ],
    });
    expect(service.drifts).toEqual([]);
    expect(service.warn).not.toHaveBeenCalled();
  });

  test('says that the request itself succeeded, and shows no values', async () => {
    await using service = await watch(wrongIds);
    const message = String(await rejection(service.client.exams.list()));
    expect(message).toContain(
      'exams.list: GET /exams succeeded with 200, but the response has an unexpected shape',
    );
    expect(message).toContain('data.1.id must be a positive integer, not a string; data.3.id is missing');
    expect(message).not.toMatch(/two|four/);
  });

  test('names the first three issues and counts the others', async () => {
    await using service = await watch([{}, {}, {}, {}, {}]);
    const error = await rejection(service.client.exams.list());
    expect(String(error)).toContain('0.id is missing; 1.id is missing; 2.id is missing; and 2 more');
    expect(error).toMatchObject({ issues: { length: 5 } });
  });
});

describe('report', () => {
  test('returns a list as it came, and informs the hook and the log once for each response', async () => {
    await using service = await watch(wrongIds, 'report');
    const page = await service.client.exams.list();
    expect(page.data).toEqual(wrongIds.data);
    expect(service.drifts).toMatchObject([
      {
        operation: 'exams.list',
        issues: [
          { path: 'data.1.id', message: 'must be a positive integer, not a string' },
          { path: 'data.3.id', message: 'is missing' },
        ],
      },
    ]);
    expect(service.warn).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining('exams.list: the response has an unexpected shape: data.1.id must be'),
    );
  });

  test('returns a record as it came', async () => {
    await using service = await watch({ data: { id: null, name: 'Entrance' } }, 'report');
    expect(await service.client.exams.retrieve(7)).toEqual({ id: null, name: 'Entrance' });
    expect(service.drifts).toMatchObject([{ operation: 'exams.retrieve', issues: [{ path: 'data.id' }] }]);
  });

  test('returns an item that is rejected as it came, and reads the others', async () => {
    const schema = z.object({ score: z.number().max(100), code: z.string() });
    const drifts: OnSchemaDriftEvent[] = [];
    const items = [
      { score: '50.00', code: 'A', more: 1 },
      { score: '150.00', code: 'B', more: 1 },
    ];
    await using service = await connect(
      { body: items },
      {
        validation: 'report',
        schemas: { examResult: schema },
        hooks: { onSchemaDrift: (e) => drifts.push(e) },
      },
    );
    const { data } = await service.client.examResults.list();
    expect(data).toEqual([
      { score: 50, code: 'A' },
      { score: '150.00', code: 'B', more: 1 },
    ]);
    expect(drifts).toMatchObject([{ issues: [{ path: '1.score' }] }]);
  });

  test('returns an array as it came', async () => {
    const body = enveloped([{ ...endpoint, is_active: 1 }], { available_events: [] });
    await using service = await watch(body, 'report');
    expect(await service.client.webhooks.list()).toEqual(body.data);
    expect(service.drifts).toMatchObject([{ issues: [{ path: 'data.0.is_active' }] }]);
  });

  test('reports nothing of a response that has the expected shape', async () => {
    await using service = await watch({ id: 7 }, 'report');
    expect(await service.client.exams.retrieve(7)).toEqual({ id: 7 });
    expect(service.drifts).toEqual([]);
    expect(service.warn).not.toHaveBeenCalled();
  });
});

describe('off', () => {
  test('returns the response as it came and informs nobody', async () => {
    await using service = await watch(wrongIds, 'off');
    expect((await service.client.exams.list()).data).toEqual(wrongIds.data);
    expect(service.drifts).toEqual([]);
    expect(service.warn).not.toHaveBeenCalled();
  });

  test('still finds the record in its wrappings', async () => {
    await using service = await watch({ success: true, data: { exam: { id: 'x' } } }, 'off');
    expect(await service.client.exams.retrieve(7)).toEqual({ id: 'x' });
  });

  test('does not run a schema of the user', async () => {
    const schema = z.object({ id: z.number() }).transform(() => ({ changed: true }));
    await using service = await connect(
      { body: { id: 7 } },
      { validation: 'off', schemas: { exam: schema } },
    );
    expect(await service.client.exams.retrieve(7)).toEqual({ id: 7 });
  });
});

describe('a call', () => {
  test.each(['report', 'off'] as const)('may ask for %s where the client is strict', async (validation) => {
    await using service = await watch({ id: 'x' }, 'strict');
    expect(await service.client.exams.retrieve(7, { validation })).toEqual({ id: 'x' });
    expect(service.drifts).toHaveLength(validation === 'report' ? 1 : 0);
  });

  test('may ask for strict where the client is not', async () => {
    await using service = await watch(wrongIds, 'off');
    const error = await rejection(service.client.exams.list({}, { validation: 'strict' }));
    expect(error).toBeInstanceOf(ResponseValidationError);
  });

  test('passes its mode on to every page', async () => {
    await using service = await connect([{ body: [{ id: 1 }] }, { body: [{ id: 'two' }] }, { body: [] }], {
      validation: 'strict',
    });
    const items = await service.client.exams.list({}, { validation: 'off' }).toArray({ maxItems: 5 });
    expect(items).toEqual([{ id: 1 }, { id: 'two' }]);
  });
});

test.each(['strict', 'report', 'off'] as const)(
  'in the mode %s, what is no JSON is an error',
  async (mode) => {
    await using service = await watch('<html></html>', mode);
    expect(await rejection(service.client.exams.retrieve(7))).toBeInstanceOf(ResponseFormatError);
  },
);

test('reports a drift to hook and log by path and code, never in the words of a schema, which may quote values', async () => {
  const drifts: OnSchemaDriftEvent[] = [];
  const logger = recordLog();
  const rejecting: StandardSchema = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) => ({
        issues: [{ message: `got ${JSON.stringify(value)}`, path: ['echo'], type: 'email' } as SchemaIssue],
      }),
    },
  };
  const client = new ExamClient({
    baseUrl: 'http://localhost/api/v1',
    apiKey: 'key-of-the-drift',
    fetch: async () => Response.json({ id: 1, echo: 'key-of-the-drift' }),
    schemas: { exam: rejecting },
    validation: 'report',
    logger,
    hooks: { onSchemaDrift: (event) => drifts.push(event) },
  });
  await client.exams.retrieve(1);
  const message = 'is rejected by the given schema (email)';
  expect(drifts[0]?.issues).toEqual([{ path: 'echo', message }]);
  expect(logger.lines.map((line) => line.message).join()).toContain(`echo ${message}`);
  expect(JSON.stringify(logger.lines)).not.toContain('key-of-the-drift');
  expect(JSON.stringify(logger.lines)).not.toContain('got');
});
