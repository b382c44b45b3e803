import { describe, expect, test } from 'vitest';
import { ResponseValidationError } from '../../../src/index.ts';
import { connect } from '../../fixtures/responses/client.ts';
import { exam, participant, wrappings } from '../../fixtures/responses/records.ts';
import { failure, rejection } from '../../helpers/client.ts';

describe('a participant is read', () => {
  test.each(wrappings(participant, 'participant'))('%s', async (_, body) => {
    await using service = await connect({ body });
    expect(await service.client.participants.retrieve(31)).toEqual(participant);
  });
});

describe('an exam is read', () => {
  test.each(wrappings(exam, 'exam'))('%s', async (_, body) => {
    await using service = await connect({ body });
    expect(await service.client.exams.retrieve(7)).toEqual(exam);
  });
});

test('a record that holds an object under `data` is not taken for a wrapping', async () => {
  const record = { id: 7, name: 'Entrance', data: { id: 99 } };
  await using service = await connect({ body: { success: true, data: record } });
  expect(await service.client.exams.retrieve(7)).toEqual(record);
});

test('a record is read whatever the content type and the success status are', async () => {
  await using service = await connect({
    status: 203,
    headers: { 'content-type': 'text/html; charset=UTF-8' },
    body: JSON.stringify(exam),
  });
  expect(await service.client.exams.retrieve(7)).toEqual(exam);
});

test('a byte order mark and line breaks around the JSON do no harm', async () => {
  await using service = await connect({ body: `\uFEFF\uFEFF\r\n${JSON.stringify({ data: exam })}\n` });
  expect(await service.client.exams.retrieve(7)).toEqual(exam);
});

test('the lists of a record without an id are no reason to look for the record in them', async () => {
  const body = { name: 'Entrance', sections: [exam] };
  await using service = await connect({ body });
  const error = await failure(service.client.exams.retrieve(7), ResponseValidationError);
  expect(error).toMatchObject({ issues: [{ path: 'id', message: 'is missing' }] });
});

const unreadable: ReadonlyArray<readonly [what: string, body: unknown, seen: string, path: string]> = [
  ['null', null, 'The body is null', ''],
  ['a number', 5, 'The body is a number', ''],
  ['true', true, 'The body is a boolean', ''],
  ['a string', '"exam 7"', 'The body is a string', ''],
  ['an empty array', [], 'The body is an array', ''],
  ['a list', [exam], 'The body is an array', ''],
  ['an empty object', {}, 'The body is an empty object', 'id'],
  ['an envelope around null', { success: true, data: null }, 'the keys success, data (data: null)', ''],
  ['a record without an id', { name: 'Secret', exam_code: 'X' }, 'the keys name, exam_code', 'id'],
  ['an id as text', { data: { id: '7' } }, 'the keys data (data: an object with the keys id)', 'data.id'],
  ['an id of 0', { id: 0 }, 'the keys id', 'id'],
  ['an id that is no integer', { id: 7.5 }, 'the keys id', 'id'],
  ['an id beyond what a number can hold', '{"id":9007199254740993}', 'the keys id', 'id'],
];

describe('instead of a record', () => {
  test.each(unreadable)('%s is rejected, and the error says what came', async (_, body, seen, path) => {
    await using service = await connect({ body });
    const error = await failure(service.client.exams.retrieve(7), ResponseValidationError);
    expect(error).toMatchObject({ operation: 'exams.retrieve', status: 200, issues: [{ path }] });
    expect(String(error)).toContain(seen);
    expect(String(error)).toContain('exams.retrieve: GET /exams/7 succeeded with 200');
  });

  test('the error shows keys and no values', async () => {
    await using service = await connect({ body: { data: { nama: 'Sari Wulandari', kode: 'X-991' } } });
    const error = await rejection(service.client.participants.retrieve(31));
    expect(String(error)).toContain('nama, kode');
    expect(String(error)).not.toMatch(/Sari|X-991/);
  });

  test('a record with many keys is described by the first twelve', async () => {
    const record = Object.fromEntries(Array.from({ length: 14 }, (_, index) => [`field_${index}`, index]));
    await using service = await connect({ body: record });
    const message = String(await rejection(service.client.exams.retrieve(7)));
    expect(message).toContain('field_11, …');
    expect(message).not.toContain('field_12');
  });

  const keys = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`);

  test.each<[string, unknown, string]>([
    ['twelve keys', Object.fromEntries(keys(12).map((key) => [key, 1])), `the keys ${keys(12).join(', ')}.`],
    ['a long key', { ['k'.repeat(61)]: 1 }, `the keys ${'k'.repeat(59)}….`],
    [
      'wrappings',
      { data: { data: { data: { data: {} } } } },
      'is an object with the keys data (data: an object with the keys data (data: an object with the keys data)).',
    ],
  ])('%s are described as far as they help', async (_, body, reported) => {
    await using service = await connect({ body });
    expect(String(await rejection(service.client.exams.retrieve(7)))).toContain(reported);
  });

  test('a record is found in four wrappings, and not in five', async () => {
    const wrapped = (depth: number): unknown => (depth === 0 ? { id: 7 } : { data: wrapped(depth - 1) });
    await using four = await connect({ body: wrapped(4) });
    expect(await four.client.exams.retrieve(7)).toEqual({ id: 7 });
    await using five = await connect({ body: wrapped(5) });
    expect(await rejection(five.client.exams.retrieve(7))).toBeInstanceOf(ResponseValidationError);
  });

  test('a body of wrappings without end is described only so far', async () => {
    const depth = 20_000;
    await using service = await connect({ body: `${'{"data":'.repeat(depth)}{}${'}'.repeat(depth)}` });
    const error = await failure(service.client.exams.retrieve(7), ResponseValidationError);
    expect(String(error).length).toBeLessThan(500);
  });
});
