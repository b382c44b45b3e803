import { describe, expect, test } from 'vitest';
import { at, createEndpoint, createReceiver, pair, type Service, seedPair, startService } from './helpers.ts';

/**
 * The documented resources, fields and limits of the service's API, each case under the name of its group, against the
 * emulator over HTTP.
 */

type Check = (value: unknown) => boolean;

const integer: Check = (value) => Number.isInteger(value);
const text: Check = (value) => typeof value === 'string';
const flag: Check = (value) => typeof value === 'boolean';
const decimal: Check = (value) => typeof value === 'number';
const timestamp: Check = (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(String(value));
const uuid: Check = (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value));
const texts: Check = (value) => Array.isArray(value) && value.length > 0 && value.every(text);
const object: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const nothing: Check = (value) => value === null;
const some =
  (...fields: [string, Check][]): Check =>
  (value) =>
    fields.every(([name, check]) => check(at(value, name)));

const completed = 'exam_result.completed';
const endpointFields: [string, Check][] = [
  ['id', integer],
  ['url', text],
  ['events', texts],
  ['is_active', flag],
  ['is_disabled_by_system', flag],
  ['consecutive_failures', integer],
  ['created_at', timestamp],
];

/** An emulator with an endpoint that was disabled, as the only delivery to it failed. */
async function afterAFailure(): Promise<Service> {
  const { fetch } = createReceiver(500);
  const service = await startService({ fetch, retryDelays: [], disableAfterFailures: 1 });
  await createEndpoint(service, [completed]);
  await service.call('POST', '/webhooks/1/test');
  await service.emulator.settled();
  return service;
}

async function endpointNow(service: Service): Promise<unknown> {
  return at((await service.call('GET', '/webhooks')).json, 'data', 0);
}

describe('Participant', () => {
  const ana = { email: 'ana@example.test', name: 'Ana', password: 'secret-word' };

  async function imported(): Promise<Service> {
    const service = await startService();
    await service.call('POST', '/participants/import', { body: { participants: [ana] } });
    return service;
  }

  test('id: used in paths and in participant_id', async () => {
    await using service = await imported();
    service.emulator.control.seedExams(1);
    expect(at((await service.call('GET', '/participants/1')).json, 'data', 'id')).toBe(1);
    expect((await service.call('POST', '/exam-participants/assign', { body: pair })).status).toBe(201);
  });

  test('email: unique; one that is registered updates that participant instead of creating another', async () => {
    await using service = await imported();
    const participants = [{ ...ana, name: 'Ana P.' }];
    await service.call('POST', '/participants/import', { body: { participants } });
    const { json } = await service.call('GET', '/participants');
    expect(at(json, 'data')).toMatchObject([{ id: 1, email: 'ana@example.test', name: 'Ana P.' }]);
  });

  test('name: as imported', async () => {
    await using service = await imported();
    expect(at((await service.call('GET', '/participants/1')).json, 'data', 'name')).toBe('Ana');
  });

  test('password: accepted on import and on update, and in no answer', async () => {
    await using service = await imported();
    expect(service.emulator.control.participant(1)?.password).toBe('secret-word');
    const updated = await service.call('PUT', '/participants/1', { body: { password: 'other-word' } });
    expect(service.emulator.control.participant(1)?.password).toBe('other-word');
    const texts = [
      updated,
      await service.call('GET', '/participants/1'),
      await service.call('GET', '/participants'),
    ];
    expect(texts.filter(({ text: body }) => /secret-word|other-word/.test(body))).toEqual([]);
  });

  test('active and verified before being assigned', async () => {
    await using service = await startService();
    seedPair(service);
    for (const state of [{ active: false }, { active: true, verified: false }]) {
      service.emulator.control.setParticipant(1, state);
      expect((await service.call('POST', '/exam-participants/assign', { body: pair })).status).toBe(400);
    }
  });
});

test('Exam: id', async () => {
  await using service = await startService();
  service.emulator.control.seedExams([{ id: 31 }]);
  expect(at((await service.call('GET', '/exams')).json, 'data', 0, 'id')).toBe(31);
});

test('Exam assignment: a participant can be registered to a given exam only once', async () => {
  await using service = await startService();
  seedPair(service);
  const statuses = [];
  for (let count = 0; count < 2; count += 1) {
    statuses.push((await service.call('POST', '/exam-participants/assign', { body: pair })).status);
  }
  expect(statuses).toEqual([201, 400]);
});

describe('Exam result, payload of exam_result.completed', () => {
  test.each<[string, Check]>([
    ['exam_result_id', integer],
    ['user_exam_id', integer],
    ['participant_code', text],
    ['exam', some(['id', integer], ['name', text], ['name_short', text])],
    ['exam_quiz', some(['id', integer], ['name', text])],
    ['participant', some(['id', integer], ['name', text], ['email', text])],
    ['status', integer],
    ['status_label', text],
    ['score', decimal],
    ['start_at', timestamp],
    ['end_at', timestamp],
  ])('%s', async (field, check) => {
    const receiver = createReceiver();
    await using service = await startService({ fetch: receiver.fetch });
    seedPair(service);
    await createEndpoint(service, [completed]);
    await service.call('POST', '/webhooks/1/test');
    await service.call('POST', '/exam-participants/assign', { body: pair });
    service.emulator.control.startExam(pair);
    service.emulator.control.finishExam({ ...pair, score: 62.25 });
    await service.emulator.settled();
    const values = receiver.received.map(({ json }) => at(json, 'data', field));
    expect(values).toHaveLength(2);
    expect(values.every(check)).toBe(true);
  });

  test('status 2 is that of a finished exam', async () => {
    await using service = await startService();
    seedPair(service);
    await service.call('POST', '/exam-participants/assign', { body: pair });
    service.emulator.control.startExam(pair);
    expect(service.emulator.control.finishExam({ ...pair, score: 1 })).toMatchObject({
      status: 2,
      status_label: 'Finished',
    });
  });
});

describe('Webhook endpoint', () => {
  test.each<[string, Check]>([
    ...endpointFields,
    ['description', nothing],
    ['disabled_at', nothing],
    ['last_success_at', nothing],
    ['last_failure_at', nothing],
  ])('%s of a new one', async (field, check) => {
    await using service = await startService();
    await createEndpoint(service, [completed]);
    expect(check(at(await endpointNow(service), field))).toBe(true);
  });

  test.each<[string, Check]>([...endpointFields, ['disabled_at', timestamp], ['last_failure_at', timestamp]])(
    '%s of one that failed',
    async (field, check) => {
      await using service = await afterAFailure();
      expect(check(at(await endpointNow(service), field))).toBe(true);
    },
  );

  test('last_success_at of one that was delivered to', async () => {
    await using service = await startService({ fetch: createReceiver().fetch });
    await createEndpoint(service, [completed]);
    await service.call('POST', '/webhooks/1/test');
    await service.emulator.settled();
    expect(timestamp(at(await endpointNow(service), 'last_success_at'))).toBe(true);
  });

  test('secret: only in the response that creates or rotates it', async () => {
    await using service = await startService();
    const body = { url: 'https://receiver.example.test/', events: [completed] };
    const answers = [
      await service.call('POST', '/webhooks', { body }),
      await service.call('PATCH', '/webhooks/1', { body: { rotate_secret: true } }),
      await service.call('PATCH', '/webhooks/1', { body: { is_active: true } }),
      await service.call('GET', '/webhooks'),
    ];
    expect(answers.map((answer) => answer.text.includes('"secret"'))).toEqual([true, true, false, false]);
  });
});

describe('Webhook delivery', () => {
  const common: [string, Check][] = [
    ['id', uuid],
    ['event', text],
    ['status', text],
    ['attempts', integer],
    ['response_code', integer],
    ['response_body', text],
    ['payload', object],
    ['created_at', timestamp],
  ];

  test.each<[string, Check]>([...common, ['error_message', nothing], ['delivered_at', timestamp]])(
    '%s of one that was acknowledged',
    async (field, check) => {
      await using service = await startService({ fetch: createReceiver(200).fetch });
      await createEndpoint(service, [completed]);
      await service.call('POST', '/webhooks/1/test');
      await service.emulator.settled();
      const { json } = await service.call('GET', '/webhooks/1/deliveries?status=delivered');
      expect(check(at(json, 'data', 0, field))).toBe(true);
    },
  );

  test.each<[string, Check]>([...common, ['error_message', text], ['delivered_at', nothing]])(
    '%s of one that failed',
    async (field, check) => {
      await using service = await afterAFailure();
      const { json } = await service.call('GET', '/webhooks/1/deliveries');
      expect(check(at(json, 'data', 0, field))).toBe(true);
    },
  );
});

describe('Response envelope of webhook operations', () => {
  const body = { url: 'https://receiver.example.test/', events: [completed] };

  test.each<[string, Check]>([
    ['success', flag],
    ['message', (value) => value === null || text(value)],
    ['data', (value) => value === null || typeof value === 'object'],
  ])('%s, of every operation', async (field, check) => {
    await using service = await startService({ fetch: createReceiver().fetch });
    const answers = [
      await service.call('POST', '/webhooks', { body }),
      await service.call('GET', '/webhooks'),
      await service.call('PATCH', '/webhooks/1', { body: { description: 'x' } }),
      await service.call('POST', '/webhooks/1/test'),
      await service.call('GET', '/webhooks/1/deliveries'),
      await service.call('DELETE', '/webhooks/1'),
    ];
    expect(answers.map(({ json }) => Object.keys(json ?? {}).includes(field))).toEqual(Array(6).fill(true));
    expect(answers.every(({ json }) => check(at(json, field)))).toBe(true);
  });

  test('meta, of list operations', async () => {
    await using service = await startService();
    await service.call('POST', '/webhooks', { body });
    for (const path of ['/webhooks', '/webhooks/1/deliveries']) {
      expect(object(at((await service.call('GET', path)).json, 'meta'))).toBe(true);
    }
  });
});
