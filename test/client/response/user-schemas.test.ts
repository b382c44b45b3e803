import { describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { ResponseValidationError, type StandardSchema } from '../../../src/index.ts';
import { connect } from '../../fixtures/responses/client.ts';
import { exam, examResult, participant } from '../../fixtures/responses/records.ts';
import { failure, rejection } from '../../helpers/client.ts';

/** A Standard Schema written by hand, asynchronous: it keeps the name, and rejects a record without one. */
const nameOnly: StandardSchema<{ title: string }> = {
  '~standard': {
    version: 1,
    vendor: 'tests',
    validate: async (value) => {
      await Promise.resolve();
      const { name } = value as { name?: unknown };
      if (typeof name === 'string') return { value: { title: name } };
      return { issues: [{ message: 'needs a name', path: [{ key: 'name' }] }] };
    },
  },
};

describe('a schema of the user', () => {
  test('describes the record, in retrieve and in list', async () => {
    const schemas = { exam: z.object({ id: z.number(), name: z.string() }) };
    await using service = await connect([{ body: { data: exam } }, { body: { data: [exam] } }], { schemas });
    const retrieved = await service.client.exams.retrieve(7);
    const { data } = await service.client.exams.list();
    expectTypeOf(retrieved).toEqualTypeOf<{ id: number; name: string }>();
    expectTypeOf(data).toEqualTypeOf<ReadonlyArray<{ id: number; name: string }>>();
    expect(retrieved).toEqual({ id: 7, name: 'Entrance examination' });
    expect(data).toEqual([{ id: 7, name: 'Entrance examination' }]);
  });

  test('may make nothing of a value', async () => {
    const nothing = z.any().transform(() => undefined);
    await using service = await connect([{ body: { data: exam } }, { body: [exam] }, { body: { a: 1 } }], {
      schemas: { exam: nothing },
    });
    expect(await service.client.exams.retrieve(7)).toBeUndefined();
    expect((await service.client.exams.list()).data).toEqual([undefined]);
    const request = { method: 'GET', path: '/x', auth: 'clientKey', schema: nothing } as const;
    expect(await service.client.request(request)).toBeUndefined();
  });

  test('may transform: the result is what it makes', async () => {
    const schemas = {
      participant: z.object({ created_at: z.string() }).transform((value) => new Date(value.created_at)),
    };
    await using service = await connect({ body: participant }, { schemas });
    const created = await service.client.participants.retrieve(31);
    expectTypeOf(created).toEqualTypeOf<Date>();
    expect(created.toISOString()).toBe('2026-02-03T04:05:06.000Z');
  });

  test('gets a result whose score was read as a number', async () => {
    const schemas = { examResult: mini.object({ exam_result_id: mini.number(), score: mini.number() }) };
    await using service = await connect({ body: [examResult] }, { schemas });
    const { data } = await service.client.examResults.list();
    expectTypeOf(data).toEqualTypeOf<ReadonlyArray<{ exam_result_id: number; score: number }>>();
    expect(data).toEqual([{ exam_result_id: 12, score: 87.5 }]);
  });

  test('may be asynchronous and come from no library', async () => {
    await using service = await connect([{ body: [exam, exam] }, { body: exam }], {
      schemas: { exam: nameOnly },
    });
    expect((await service.client.exams.list()).data).toEqual([
      { title: 'Entrance examination' },
      { title: 'Entrance examination' },
    ]);
    const retrieved = await service.client.exams.retrieve(7);
    expectTypeOf(retrieved).toEqualTypeOf<{ title: string }>();
    expect(retrieved).toEqual({ title: 'Entrance examination' });
  });

  test('is asked only for the record that it describes', async () => {
    const schemas = { exam: nameOnly };
    await using service = await connect({ body: participant }, { schemas });
    expect(await service.client.participants.retrieve(31)).toEqual(participant);
  });

  test('of undefined is none', async () => {
    const options = { schemas: { exam: undefined } };
    await using service = await connect({ body: exam }, options as object);
    expect(await service.client.exams.retrieve(7)).toEqual(exam);
  });
});

describe('a record that a schema of the user rejects', () => {
  test('is an error with the places below the record', async () => {
    const schemas = { exam: z.object({ name: z.string(), rooms: z.array(z.object({ seats: z.number() })) }) };
    const body = { data: [exam, { id: 8, name: 'X', rooms: [{ seats: 'many' }] }] };
    await using service = await connect({ body }, { schemas });
    const error = await failure(service.client.exams.list(), ResponseValidationError);
    expect(error).toMatchObject({
      operation: 'exams.list',
      issues: [{ path: 'data.0.rooms' }, { path: 'data.1.rooms.0.seats' }],
    });
    expect(String(error)).not.toContain('many');
  });

  test('is an error with its place also where the path is a list of a class of its own, as those of ArkType', async () => {
    class Path extends Array<PropertyKey> {
      constructor(...keys: PropertyKey[]) {
        super();
        this.push(...keys);
      }
    }
    const validate = () => ({ issues: [{ message: 'must be a string', path: new Path() }] });
    const schemas = { exam: { '~standard': { version: 1, vendor: 'tests', validate } } as const };
    await using service = await connect([{ body: exam }, { body: [exam] }], { schemas });
    const { client } = service;
    expect(await rejection(client.exams.retrieve(7))).toMatchObject({ issues: [{ path: '' }] });
    expect(await rejection(client.exams.list())).toMatchObject({ issues: [{ path: '0' }] });
  });

  test('is an error also when the schema is asynchronous', async () => {
    await using service = await connect(
      { body: { data: [exam, { id: 8 }] } },
      { schemas: { exam: nameOnly } },
    );
    const error = await failure(service.client.exams.list(), ResponseValidationError);
    expect(error).toMatchObject({ issues: [{ path: 'data.1.name', message: 'needs a name' }] });
  });

  test('is not even shown to the schema when a documented field is wrong', async () => {
    const schemas = { exam: z.object({ name: z.number() }) };
    await using service = await connect({ body: { id: 'seven', name: 'X' } }, { schemas });
    const error = await rejection(service.client.exams.retrieve(7));
    expect(error).toMatchObject({ issues: [{ path: 'id' }] });
  });
});

describe('a custom request', () => {
  const request = { method: 'GET', path: '/reports/1', auth: 'clientKey' } as const;

  test('is checked by its schema, which also gives the type', async () => {
    await using service = await connect({ body: { total: '12' } });
    const result = await service.client.request({
      ...request,
      schema: z.object({ total: z.coerce.number() }),
    });
    expectTypeOf(result).toEqualTypeOf<{ total: number }>();
    expect(result).toEqual({ total: 12 });
  });

  test('is rejected by its schema with the places in the body', async () => {
    await using service = await connect({ body: { data: { total: 'x' } } });
    const schema = z.object({ data: z.object({ total: z.number() }) });
    const error = await failure(service.client.request({ ...request, schema }), ResponseValidationError);
    expect(error).toMatchObject({ operation: 'request', issues: [{ path: 'data.total' }] });
  });

  test('with a schema that rejects an empty body says that nothing came', async () => {
    await using service = await connect({ status: 204 });
    const error = await rejection(service.client.request({ ...request, schema: z.object({}) }));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(String(error)).toContain('The body is empty.');
  });
});
