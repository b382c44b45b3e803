import { describe, expect, test } from 'vitest';
import { PermissionDeniedError, ResponseValidationError } from '../../src/index.ts';
import { createEmulator, type EmulatorStyle } from '../../src/testing/index.ts';
import { failure } from '../helpers/client.ts';
import { startClientService } from './client-service.ts';
import { at, bearer, clientKey, pair, seedPair, startService } from './helpers.ts';

/** Styles and settings for responses that are undocumented by the service. */

const moment = '2025-03-01T08:00:00+07:00';
const zulu = '2025-03-01T01:00:00.000000Z';

function exam(id: number, time = moment) {
  return { id, name: `Exam ${id}`, name_short: `EX-${id}`, created_at: time, updated_at: time };
}

async function secondPage(style: EmulatorStyle) {
  await using service = await startService({ style });
  service.emulator.control.seedExams(5);
  const response = await service.call('GET', '/exams?limit=2&page=2');
  return { ...response, path: `${service.url}/exams` };
}

describe('a list of five, two to a page, second page', () => {
  test('enveloped-paginator: a paginator as the data of an envelope', async () => {
    const { json } = await secondPage('enveloped-paginator');
    expect(json).toMatchObject({
      success: true,
      message: null,
      data: { data: [exam(3, zulu), exam(4, zulu)], current_page: 2, per_page: 2, last_page: 3, total: 5 },
    });
  });

  test('enveloped-resource: a resource collection as the data of an envelope', async () => {
    const { json, path } = await secondPage('enveloped-resource');
    expect(json).toMatchObject({
      success: true,
      message: null,
      data: {
        data: [exam(3), exam(4)],
        links: { prev: `${path}?page=1`, next: `${path}?page=3` },
        meta: { current_page: 2, total: 5 },
      },
    });
  });

  test('named: under the name of what it lists', async () => {
    const { json } = await secondPage('named');
    expect(json).toEqual({
      exams: [exam(3), exam(4)],
      meta: { total: 5, per_page: 2, current_page: 2, last_page: 3, from: 3, to: 4 },
    });
  });

  test('headers: a bare array, its pages given in headers', async () => {
    const { json, headers, path } = await secondPage('headers');
    expect(json).toEqual([exam(3, zulu), exam(4, zulu)]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-total-count': '5',
      'x-page': '2',
      'x-per-page': '2',
      link: `<${path}?page=1>; rel="first", <${path}?page=1>; rel="prev", <${path}?page=3>; rel="next"`,
    });
  });
});

test.each<[EmulatorStyle, unknown]>([
  ['enveloped-paginator', { success: true, message: null, data: exam(1, zulu) }],
  ['enveloped-resource', { success: true, message: null, data: exam(1) }],
  ['named', { exam: exam(1) }],
  ['headers', exam(1, zulu)],
])('a record in the style %s', async (style, body) => {
  await using service = await startService({ style });
  service.emulator.control.seedExams(1);
  expect((await service.call('GET', '/exams/1')).json).toEqual(body);
});

describe('numbers as strings', () => {
  test('ids alone', async () => {
    await using service = await startService({ ids: 'string' });
    service.emulator.control.seedExams(1);
    const { json } = await service.call('GET', '/exams');
    expect(at(json, 'data', 0, 'id')).toBe('1');
    expect(at(json, 'meta', 'total')).toBe(1);
  });

  test('all but ids', async () => {
    await using service = await startService({ numbers: 'string', decimals: 'number' });
    seedPair(service);
    service.emulator.control.seedResults([{ ...pair, score: 87.5 }]);
    const { json } = await service.call('GET', '/exam-results');
    expect(at(json, 'data', 0)).toMatchObject({ exam_result_id: 1, status: '2', score: '87.5' });
    expect(at(json, 'data', 0, 'participant')).toMatchObject({ id: 1 });
    expect(at(json, 'meta')).toMatchObject({ total: '1', per_page: '10', current_page: '1' });
  });

  test('leave the webhook operations as they are documented', async () => {
    await using service = await startService({ ids: 'string', numbers: 'string' });
    const body = { url: 'https://receiver.example.test/', events: ['exam_result.scored'] };
    const { json } = await service.call('POST', '/webhooks', { body });
    expect(at(json, 'data')).toMatchObject({ id: 1, consecutive_failures: 0 });
  });

  test('are read by the client where they count pages', async () => {
    await using service = await startClientService('as a function', { numbers: 'string' });
    service.emulator.control.seedExams(3);
    expect(await service.client.exams.list({ limit: 2 })).toMatchObject({
      total: 3,
      perPage: 2,
      lastPage: 2,
    });
    expect(await service.client.exams.list({ limit: 2 }).toArray({ maxItems: 9 })).toHaveLength(3);
  });

  test.each(['participants', 'exams'] as const)(
    'are an error of the client that says so, as ids of %s',
    async (group) => {
      await using service = await startClientService('as a function', { ids: 'string' });
      seedPair(service);
      const one = await failure(service.client[group].retrieve(1), ResponseValidationError);
      expect(one.issues).toEqual([{ path: 'data.id', message: 'must be a positive integer, not a string' }]);
      const list = await failure(service.client[group].list(), ResponseValidationError);
      expect(list.issues).toMatchObject([{ path: 'data.0.id' }]);
    },
  );
});

describe('credentials', () => {
  const statuses = async (credentials: 'own' | 'either') => {
    await using service = await startService({ credentials });
    return await Promise.all(
      [
        service.call('GET', '/exams', { headers: clientKey }),
        service.call('GET', '/exams', { headers: bearer }),
        service.call('GET', '/webhooks', { headers: bearer }),
        service.call('GET', '/webhooks', { headers: clientKey }),
        service.call('GET', '/webhooks', { headers: { Authorization: 'Bearer wrong' } }),
        service.call('GET', '/exams', { headers: {} }),
      ].map(async (response) => (await response).status),
    );
  };

  test('an operation accepts its own only', async () => {
    expect(await statuses('own')).toEqual([200, 401, 200, 401, 401, 401]);
  });

  test('or either of the two', async () => {
    expect(await statuses('either')).toEqual([200, 200, 200, 200, 401, 401]);
  });
});

test('a key decides whether it is rejected with 401 or with 403', async () => {
  await using service = await startService({ refusedKeys: { expired: 403, unknown: 401 } });
  const status = async (key: string) =>
    (await service.call('GET', '/exams', { headers: { 'X-Client-Key': key } })).status;
  expect(await Promise.all(['test-key', 'expired', 'unknown', 'other'].map(status))).toEqual([
    200, 403, 401, 401,
  ]);
  await using client = await startClientService(
    'as a function',
    { refusedKeys: { expired: 403 } },
    { apiKey: 'expired' },
  );
  await failure(client.client.webhooks.list(), PermissionDeniedError);
});

test('settings change while it runs, and a reset takes that back', async () => {
  await using service = await startService({ style: 'bare', maxParticipants: 1 });
  const { emulator } = service;
  seedPair(service);
  emulator.control.configure({ style: 'named', maxParticipants: 5 });
  expect(emulator.settings).toMatchObject({ style: 'named', maxParticipants: 5, utcOffset: 420 });
  expect(at((await service.call('GET', '/exams')).json, 'exams')).toHaveLength(1);
  emulator.control.configure({ utcOffset: 0 });
  expect(at((await service.call('GET', '/exams/1')).json, 'exam', 'created_at')).toBe(
    '2025-03-01T01:00:00+00:00',
  );
  expect(() => emulator.control.configure({ maxParticipants: -1 })).toThrow(RangeError);
  emulator.reset();
  expect(emulator.settings).toMatchObject({ style: 'bare', maxParticipants: 1, utcOffset: 420 });
  expect((await service.call('GET', '/exams')).json).toEqual([]);
});

test('the defaults of one emulator are its own', () => {
  const [one, other] = [createEmulator(), createEmulator()];
  Object.assign(one.settings.refusedKeys, { old: 403 });
  Object.assign(one.settings.importedParticipants, { verified: false });
  expect(other.settings).toMatchObject({ refusedKeys: {}, importedParticipants: { verified: true } });
  expect(other.settings.refusedKeys).not.toHaveProperty('old');
});
