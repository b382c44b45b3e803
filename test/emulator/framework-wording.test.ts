import { describe, expect, test } from 'vitest';
import { createEmulator, createManualClock } from '../../src/testing/index.ts';
import { at, clientKey, createEndpoint, createReceiver, startService, startWithPair } from './helpers.ts';

/** Where documentation and recordings are silent, the emulator responds as Laravel 11 does. */

// Middleware `ConvertEmptyStringsToNull`.
test('an empty text is null', async () => {
  await using service = await startWithPair();
  const { id } = await createEndpoint(service, ['exam_result.scored']);
  const response = await service.call('PATCH', `/webhooks/${id}`, { body: { description: ' ' } });
  expect(at(response.json, 'data', 'description')).toBeNull();
});

test('a wrong key is rejected before a record that is unknown', async () => {
  await using service = await startService();
  const headers = { 'X-Client-Key': 'wrong' };
  expect((await service.call('GET', '/exams/9', { headers })).status).toBe(401);
});

// `config/cors.php`; over HTTP, hosts that are not allowed are rejected first.
test('a preflight of a browser is accepted', async () => {
  await using service = await startService();
  const asked = { 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'x-client-key' };
  const headers = { Origin: 'http://localhost:5173', ...asked };
  const response = await service.call('OPTIONS', '/participants/1', { headers });
  const names = ['origin', 'methods', 'headers'].map((name) => `access-control-allow-${name}`);
  expect([response.status, ...names.map((name) => response.headers.get(name))]).toEqual([
    204,
    '*',
    expect.stringContaining('PUT'),
    'x-client-key',
  ]);
});

describe('a limit of requests', () => {
  test('is given in headers, and is over after a minute', async () => {
    const clock = createManualClock();
    const emulator = createEmulator({ clock, requestsPerMinute: 2 });
    const ask = () => emulator.fetch('http://localhost/api/v1/exams', { headers: clientKey });
    const limitHeaders = async () => {
      const { status, headers } = await ask();
      const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'];
      return [status, ...names.map((name) => headers.get(name))];
    };
    const end = String(clock.now() / 1000 + 60);
    expect(await limitHeaders()).toEqual([200, '2', '1', end, null]);
    await clock.advance(20_500);
    expect(await limitHeaders()).toEqual([200, '2', '0', end, null]);
    expect(await limitHeaders()).toEqual([429, '2', '0', end, '40']);
    await clock.advance(39_500);
    expect((await limitHeaders()).slice(0, 3)).toEqual([200, '2', '1']);
  });

  test('is not there by default, and can be changed while the emulator runs', async () => {
    await using service = await startWithPair();
    expect((await service.call('GET', '/exams')).headers.get('x-ratelimit-limit')).toBeNull();
    service.emulator.control.configure({ requestsPerMinute: 1 });
    expect((await service.call('GET', '/exams')).headers.get('x-ratelimit-remaining')).toBe('0');
    expect((await service.call('POST', '/webhooks', { body: {} })).json).toMatchObject({
      message: 'Too Many Attempts.',
    });
    service.emulator.reset();
    expect((await service.call('GET', '/exams')).status).toBe(200);
    service.emulator.control.configure({ requestsPerMinute: 1 });
    expect((await service.call('GET', '/exams')).status).toBe(200);
  });

  test.each([0, -1, Number.NaN])('of %j is rejected', (requestsPerMinute) => {
    expect(() => createEmulator({ requestsPerMinute })).toThrow('`requestsPerMinute` must be');
  });
});

test.each([
  ['style', 'resources', '`style` must be one of resource, paginator, envelope, bare, not resources.'],
  ['importResponse', 'ids', '`importResponse` must be one of counts, records, not ids.'],
])('a word that %s cannot be is rejected with those that it can: %s', (name, word, message) => {
  const options = { [name]: word };
  expect(() => createEmulator(options)).toThrow(message);
  expect(() => createEmulator().control.configure(options)).toThrow(message);
});

test('a page of a browser may read every response, also a rejection', async () => {
  await using service = await startService();
  const responses = [
    await service.call('GET', '/exams'),
    await service.call('GET', '/exams/9'),
    await service.call('GET', '/nothing'),
    await service.call('GET', '/exams', { headers: {} }),
  ];
  const allowed = responses.map(({ headers }) => headers.get('access-control-allow-origin'));
  expect(allowed).toEqual(Array(4).fill('*'));
});

test('a result without a score has none in the list and in its event, until it gets one', async () => {
  const receiver = createReceiver();
  await using service = await startWithPair({ fetch: receiver.fetch });
  const { control } = service.emulator;
  await createEndpoint(service, ['exam_result.completed', 'exam_result.scored']);
  control.seedAssignments([{ participant_id: 1, exam_id: 1 }]);
  control.startExam({ participant_id: 1, exam_id: 1 });
  const { id } = control.finishExam({ participant_id: 1, exam_id: 1 });
  const score = async () => at((await service.call('GET', '/exam-results')).json, 'data', 0, 'score');
  expect(await score()).toBeNull();
  control.rescore(id, 70);
  expect(await score()).toBe('70.00');
  await service.emulator.settled();
  expect(receiver.received.map(({ json }) => at(json, 'data', 'score'))).toEqual([null, 70]);
  control.seedExams(1);
  control.seedResults([{ participant_id: 1, exam_id: 2, score: null }]);
  expect(await score()).toBeNull();
});
