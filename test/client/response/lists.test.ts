import { describe, expect, test } from 'vitest';
import { ResponseValidationError } from '../../../src/index.ts';
import { connect } from '../../fixtures/responses/client.ts';
import { allStyles, cursorStyles } from '../../fixtures/responses/lists.ts';
import { exam, participant } from '../../fixtures/responses/records.ts';
import { failure, rejection } from '../../helpers/client.ts';

const exams = Array.from({ length: 5 }, (_, index) => ({ ...exam, id: index + 1 }));
const styles = Object.entries({ ...allStyles, ...cursorStyles });

describe('the first page of a list is read from', () => {
  test.each(styles)('%s', async (_, print) => {
    await using service = await connect({ body: print({ all: exams, page: 1, perPage: 2 }) });
    const page = await service.client.exams.list({ limit: 2 });
    expect(page.data).toEqual(exams.slice(0, 2));
    expect(page.page).toBe(1);
    expect(page.hasNextPage()).toBe(true);
  });
});

describe('an empty list is read from', () => {
  test.each(styles)('%s', async (_, print) => {
    await using service = await connect({ body: print({ all: [], page: 1, perPage: 10 }) });
    const page = await service.client.exams.list();
    expect(page.data).toEqual([]);
    expect(page.hasNextPage()).toBe(false);
  });
});

test('unknown keys and nulls of the items are kept', async () => {
  await using service = await connect({ body: [participant, { id: 2, extra: null, nested: { a: [1] } }] });
  const { data } = await service.client.participants.list();
  expect(data).toEqual([participant, { id: 2, extra: null, nested: { a: [1] } }]);
});

test.each<[what: string, body: object]>([
  ['numbers of any name', { items: exams, size: 5, pages: 1, page: 1 }],
  ['a text of any name', { note: 'all', items: exams }],
  ['a list of errors', { errors: [], warning: '', items: exams }],
  ['links and metadata', { links: [], meta: [], items: exams, filters: {} }],
  ['the id of the request', { request_id: 'r-1', trace_id: null, items: exams }],
  ['the fields that accompany', { message: null, next_page_url: null, error: null, items: exams }],
  ['numbers, below another name', { result: { items: exams, size: 5 } }],
])('a list is the only array beside %s', async (_, body) => {
  await using service = await connect({ body });
  expect((await service.client.exams.list()).data).toEqual(exams);
});

const noLists: ReadonlyArray<readonly [what: string, body: unknown, seen: string]> = [
  ['a bare record', exam, 'the keys id, name, name_short, passing_grade, start_at'],
  ['a record under data', { data: exam }, '(data: an object with the keys id, name'],
  ['a named record', { exam }, 'the keys exam'],
  ['a record that holds an empty list', { id: 7, name: 'Entrance', extra: [] }, 'the keys id, name, extra'],
  ['an empty object', {}, 'an empty object'],
  ['an empty object under data', { data: {} }, '(data: an empty object)'],
  ['null', null, 'The body is null'],
  ['null under data', { success: true, message: null, data: null, meta: [] }, '(data: null)'],
  ['a text', '"none"', 'a string'],
  ['a message', { message: 'Unauthenticated.' }, 'the keys message'],
  ['an error body', { message: 'The given data was invalid.', errors: [] }, 'the keys message, errors'],
  ['a record with a list', { name: 'Entrance', exam_id: 7, sections: [exam] }, 'the keys name, exam_id'],
  ['such a record by name', { exam: { school_id: 3, sections: [exam] } }, 'the keys exam'],
  ['a record with a list and an empty field', { name: 'Entrance', ends: null, sections: [exam] }, 'the keys'],
  ['two lists', { exams: [exam], categories: [] }, 'the keys exams, categories'],
];

describe('instead of a list', () => {
  test.each(noLists)('%s is rejected, and the error says what came', async (_, body, seen) => {
    await using service = await connect({ body });
    const error = await failure(service.client.exams.list(), ResponseValidationError);
    expect(error).toMatchObject({
      operation: 'exams.list',
      status: 200,
      issues: [{ path: '', message: 'should be a list' }],
    });
    expect(String(error)).toContain(seen);
  });

  test.each(['report', 'off'] as const)('nothing is made up in the mode %s either', async (validation) => {
    await using service = await connect({ body: { data: {} } });
    const error = await rejection(service.client.exams.list({}, { validation }));
    expect(error).toMatchObject({ code: 'response_validation', operation: 'exams.list' });
  });
});

test('items that are no objects are rejected by their place', async () => {
  await using service = await connect({ body: { data: [{ id: 1 }, 'two', null, { id: '4' }] } });
  const error = await failure(service.client.exams.list(), ResponseValidationError);
  expect(error).toMatchObject({ issues: [{ path: 'data.1' }, { path: 'data.2' }, { path: 'data.3.id' }] });
});

test('equal items are each rejected by their own place', async () => {
  await using service = await connect({ body: { data: [7, exam, 7] } });
  const { issues } = await failure(service.client.exams.list(), ResponseValidationError);
  expect(issues.map(({ path }) => path)).toEqual(['data.0', 'data.2']);
});
