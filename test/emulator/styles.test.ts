import { describe, expect, test } from 'vitest';
import type { EmulatorStyle } from '../../src/testing/index.ts';
import { styles } from './client-service.ts';
import { at, pair, seedPair, startService } from './helpers.ts';

async function withExams(style: EmulatorStyle) {
  const service = await startService({ style });
  service.emulator.control.seedExams(3);
  return service;
}

const zulu = '2025-03-01T01:00:00.000000Z';
const offset = '2025-03-01T08:00:00+07:00';

function exam(id: number, moment: string) {
  return { id, name: `Exam ${id}`, name_short: `EX-${id}`, created_at: moment, updated_at: moment };
}

describe('a list of three, two to a page, second page', () => {
  test('resource', async () => {
    await using service = await withExams('resource');
    const path = `${service.url}/exams`;
    const { json } = await service.call('GET', '/exams?limit=2&page=2');
    expect(json).toEqual({
      data: [exam(3, offset)],
      links: { first: `${path}?page=1`, last: `${path}?page=2`, prev: `${path}?page=1`, next: null },
      meta: {
        current_page: 2,
        from: 3,
        last_page: 2,
        links: [],
        path,
        per_page: 2,
        to: 3,
        total: 3,
      },
    });
  });

  test('paginator', async () => {
    await using service = await withExams('paginator');
    const path = `${service.url}/exams`;
    const { json } = await service.call('GET', '/exams?limit=2&page=2');
    expect(json).toEqual({
      current_page: 2,
      data: [exam(3, zulu)],
      first_page_url: `${path}?page=1`,
      from: 3,
      last_page: 2,
      last_page_url: `${path}?page=2`,
      links: [],
      next_page_url: null,
      path,
      per_page: 2,
      prev_page_url: `${path}?page=1`,
      to: 3,
      total: 3,
    });
  });

  test('envelope', async () => {
    await using service = await withExams('envelope');
    expect((await service.call('GET', '/exams?limit=2&page=2')).json).toEqual({
      success: true,
      message: null,
      data: [exam(3, offset)],
      meta: { pagination: { total: 3, per_page: 2, current_page: 2, last_page: 2, from: 3, to: 3 } },
    });
  });

  test('bare', async () => {
    await using service = await withExams('bare');
    expect((await service.call('GET', '/exams?limit=2&page=2')).json).toEqual([exam(3, zulu)]);
  });
});

test.each<[EmulatorStyle, unknown]>([
  ['resource', { data: exam(2, offset) }],
  ['paginator', exam(2, zulu)],
  ['envelope', { success: true, message: null, data: exam(2, offset) }],
  ['bare', exam(2, zulu)],
])('a record in the style %s', async (style, body) => {
  await using service = await withExams(style);
  expect((await service.call('GET', '/exams/2')).json).toEqual(body);
});

const assigned = { id: 1, ...pair };

test.each<[EmulatorStyle, unknown]>([
  ['resource', { message: 'Participant assigned to exam.', data: assigned }],
  ['paginator', { message: 'Participant assigned to exam.', data: assigned }],
  ['envelope', { success: true, message: 'Participant assigned to exam.', data: assigned }],
  ['bare', assigned],
])('a command in the style %s', async (style, body) => {
  await using service = await startService({ style });
  seedPair(service);
  const response = await service.call('POST', '/exam-participants/assign', { body: pair });
  expect(response).toMatchObject({ status: 201, json: body });
});

test.each<[EmulatorStyle, (string | number)[]]>([
  ['resource', ['data', 'link']],
  ['paginator', ['link']],
  ['envelope', ['data', 'link']],
  ['bare', []],
])('a link in the style %s is at %j', async (style, path) => {
  await using service = await startService({ style });
  seedPair(service);
  await service.call('POST', '/exam-participants/assign', { body: pair });
  const response = await service.call('GET', '/exam-participants/link?participant_id=1&exam_id=1');
  expect(at(response.json, ...path)).toMatch(/^https:/);
  expect(response.headers.get('content-type')).toBe('application/json');
});

test.each(styles.flatMap((style) => (['counts', 'records'] as const).map((given) => ({ style, given }))))(
  'an import responds with $given in the style $style',
  async ({ style, given }) => {
    await using service = await startService({ style, importResponse: given });
    service.emulator.control.seedParticipants([{ email: 'ana@example.test' }]);
    const rows = ['ana', 'budi'].map((name) => ({ email: `${name}@example.test`, name, password: 'secret' }));
    const { json } = await service.call('POST', '/participants/import', { body: { participants: rows } });
    expect(style === 'bare' ? json : at(json, 'data')).toMatchObject(
      given === 'counts'
        ? { created: 1, updated: 1 }
        : [
            { id: 1, name: 'ana' },
            { id: 2, name: 'budi' },
          ],
    );
  },
);

test.each(styles)('a rejection in the style %s has the words of Laravel', async (style) => {
  await using service = await startService({ style });
  const errors = { participant_id: expect.any(Array), exam_id: expect.any(Array) };
  const rejection = { message: 'The participant id field is required. (and 1 more error)', errors };
  const response = await service.call('POST', '/exam-participants/assign', { body: {} });
  expect(response.json).toEqual(
    style === 'envelope' ? { success: false, data: null, ...rejection } : rejection,
  );
  const missing = { message: 'No query results for model [App\\Models\\Participant] 1' };
  const notFound = await service.call('GET', '/participants/1');
  expect(notFound.json).toEqual(style === 'envelope' ? { success: false, data: null, ...missing } : missing);
});

test.each([
  ['string', '87.50'],
  ['number', 87.5],
] as const)('a score as a %s', async (scoreFormat, score) => {
  await using service = await startService({ scoreFormat, style: 'paginator', utcOffset: -210 });
  seedPair(service);
  service.emulator.control.seedResults([{ ...pair, score: 87.5 }]);
  const { json } = await service.call('GET', '/exam-results');
  expect(at(json, 'data', 0)).toMatchObject({ id: 1, participant_id: 1, exam_id: 1, score, end_at: zulu });
});

test('the offset of timestamps is an option', async () => {
  await using service = await startService({ utcOffset: -210 });
  service.emulator.control.seedExams(1);
  expect(at((await service.call('GET', '/exams/1')).json, 'data', 'created_at')).toBe(
    '2025-02-28T21:30:00-03:30',
  );
});
