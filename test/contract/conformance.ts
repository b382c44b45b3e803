import { describe, expect, test } from 'vitest';
import { createEmulator, type EmulatorStyle } from '../../src/testing/index.ts';
import { styles } from '../emulator/client-service.ts';
import { clientKey, createCall } from '../emulator/helpers.ts';
import { operations } from '../helpers/operations.ts';
import { bodyProblems, queryProblems, responseFor, responseProblems } from './openapi-problems.ts';

const pair = { participant_id: 7, exam_id: 3 };

/** An emulator that has everything that the case of this operation needs. */
async function prepare(style: EmulatorStyle, name = '') {
  const emulator = createEmulator({
    style,
    fetch: async () => new Response('thanks', { status: 202 }),
    retryDelays: [],
  });
  const { control } = emulator;
  const call = createCall((url, init) => emulator.fetch(url, init), 'http://localhost/api/v1');
  control.seedParticipants([{ id: 7 }, { id: 8 }]);
  control.seedExams([{ id: 3 }, { id: 4 }]);
  control.seedResults([{ participant_id: 8, exam_id: 3, score: 87.5 }]);
  if (/unassign|link/.test(name)) control.seedAssignments([pair]);
  if (/^webhooks\.(?!create)/.test(name)) {
    for (const path of ['one', 'two', 'three', 'four'])
      await call('POST', '/webhooks', {
        body: { url: `https://receiver.example.test/${path}`, events: ['exam_participant.registered'] },
      });
    await call('POST', '/webhooks/4/test');
    await emulator.settled();
  }
  return { emulator, call };
}

const withQuery = (path: string, query: Readonly<Record<string, string>> = {}) =>
  `${path}?${new URLSearchParams(query)}`;

describe.each(styles)('the emulator in the style %s responds as openapi.json says:', (style) => {
  test.each(operations)('$name', async ({ name, method, path, query, body }) => {
    const { call } = await prepare(style, name);
    const { status, text, json } = await call(
      method,
      withQuery(path, query),
      body === undefined ? {} : { body },
    );
    expect(status).toBeGreaterThanOrEqual(200);
    expect(status).toBeLessThan(300);
    expect(responseFor(method, path, status)).not.toBe('default');
    expect(responseProblems(method, path, status, json ?? text)).toEqual([]);
  });

  test.each([
    ['GET', '/exams', { limit: '1' }],
    ['GET', '/exam-results', {}],
    ['GET', '/participants', {}],
    ['GET', '/webhooks/4/deliveries', {}],
    ['GET', '/webhooks/1/deliveries', {}],
  ] as const)('%s %s, with items and without', async (method, path, query) => {
    const { call } = await prepare(style, 'webhooks.deliveries');
    for (const page of ['1', '9']) {
      const { status, json } = await call(method, withQuery(path, { ...query, page }));
      expect(status).toBe(200);
      expect(responseProblems(method, path, status, json)).toEqual([]);
    }
  });
});

describe('a rejection by the emulator has a status that openapi.json shows:', () => {
  test.each([
    ['POST', '/participants/import', 400, '{'],
    ['POST', '/participants/import', 422, {}],
    ['PUT', '/participants/99', 404, { name: 'Nobody' }],
    ['PUT', '/participants/7', 422, { name: '' }],
    ['GET', '/participants/99', 404, undefined],
    ['POST', '/exam-participants/assign', 400, { participant_id: 8, exam_id: 3 }],
    ['POST', '/exam-participants/assign', 404, { participant_id: 99, exam_id: 3 }],
    ['POST', '/exam-participants/assign', 422, {}],
    ['POST', '/exam-participants/unassign', 400, pair],
    ['POST', '/exam-participants/unassign', 404, { participant_id: 7, exam_id: 99 }],
    ['POST', '/exam-participants/unassign', 422, {}],
  ])('%s %s: %i', async (method, path, expected, body) => {
    const { call } = await prepare('resource');
    const { status, json } = await call(method, path, body === undefined ? {} : { body });
    expect(status).toBe(expected);
    expect(responseFor(method, path, status)).toBe(String(expected));
    expect(responseProblems(method, path, status, json)).toEqual([]);
  });

  test('a link for who is not assigned: 404', async () => {
    const { call } = await prepare('resource');
    const path = '/exam-participants/link';
    const { status, json } = await call('GET', withQuery(path, { participant_id: '7', exam_id: '4' }));
    expect(status).toBe(404);
    expect(responseFor('GET', path, status)).toBe('404');
    expect(responseProblems('GET', path, status, json)).toEqual([]);
  });

  test.each([
    'participants.import',
    'participants.update',
    'examParticipants.assign',
    'examParticipants.unassign',
  ] as const)('%s that the service fails to carry out: 500', async (name) => {
    const { emulator, call } = await prepare('resource', name);
    emulator.faults.inject({ on: name, effect: 'respond', status: 500 });
    for (const { method, path, body } of operations.filter((operation) => operation.name === name)) {
      const { status, json } = await call(method, path, { body });
      expect([status, responseFor(method, path, status)]).toEqual([500, '500']);
      expect(responseProblems(method, path, status, json)).toEqual([]);
    }
    expect(emulator.requests).toHaveLength(1);
  });

  test('a wrong key for each operation of the client key: 401', async () => {
    const { call } = await prepare('resource');
    for (const { method, path, query } of operations.filter(({ auth }) => auth === 'clientKey')) {
      const headers = { ...clientKey, 'X-Client-Key': 'wrong' };
      const { status } = await call(method, withQuery(path, query), { headers });
      expect([path, status, responseFor(method, path, status)]).toEqual([path, 401, '401']);
    }
  });

  test('an inactive client, for each operation: 403', async () => {
    const { emulator, call } = await prepare('resource');
    emulator.control.setClientActive(false);
    for (const { method, path, query } of operations) {
      const { status } = await call(method, withQuery(path, query));
      expect([path, status, responseFor(method, path, status)]).toEqual([path, 403, '403']);
    }
  });
});

describe('what the client sends is what openapi.json allows:', () => {
  test.each(operations)('$name', ({ method, path, query, body }) => {
    expect(queryProblems(method, path, query ?? {})).toEqual([]);
    if (body !== undefined) expect(bodyProblems(method, path, body)).toEqual([]);
  });
});

describe('openapi.json rejects', () => {
  test('a response of a webhook operation without its envelope', () => {
    expect(responseProblems('GET', '/webhooks', 200, [])).not.toEqual([]);
    expect(
      responseProblems('POST', '/webhooks', 201, { success: true, message: null, data: { id: 1 } }),
    ).not.toEqual([]);
    expect(
      responseProblems('DELETE', '/webhooks/4', 200, { success: true, message: null, data: {} }),
    ).not.toEqual([]);
  });

  test('a body without what is required, or past a limit', () => {
    expect(bodyProblems('POST', '/participants/import', { participants: [] })).not.toEqual([]);
    const endpoint = { url: 'https://receiver.example.test/', events: ['exam_result.scored'] };
    expect(bodyProblems('POST', '/webhooks', { ...endpoint, description: 'x'.repeat(256) })).not.toEqual([]);
    expect(bodyProblems('PATCH', '/webhooks/4', { events: [] })).not.toEqual([]);
    expect(queryProblems('GET', '/exams', { limit: '101' })).not.toEqual([]);
    expect(queryProblems('GET', '/exam-participants/link', {})).toHaveLength(2);
  });
});
