import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  at,
  createEndpoint,
  createReceiver,
  pair,
  type Service,
  startWithPair,
  statusOf,
} from './helpers.ts';

/**
 * The documented states, signatures and events of the service's API, each case under the name of its group, against the
 * emulator over HTTP.
 */

const ASSIGN = '/exam-participants/assign';
const UNASSIGN = '/exam-participants/unassign';
const completed = 'exam_result.completed';

describe('States and transitions, exam assignment', () => {
  test('not assigned, assign: assigned, 201', async () => {
    await using service = await startWithPair();
    expect(await statusOf(service, 'POST', ASSIGN, pair)).toBe(201);
    expect(service.emulator.control.assignment(pair)).toMatchObject(pair);
  });

  test('assigned, unassign: not assigned, 200', async () => {
    await using service = await startWithPair();
    await service.call('POST', ASSIGN, { body: pair });
    expect(await statusOf(service, 'POST', UNASSIGN, pair)).toBe(200);
    expect(service.emulator.control.assignment(pair)).toBeUndefined();
  });

  test('started, unassign: started, 400', async () => {
    await using service = await startWithPair();
    await service.call('POST', ASSIGN, { body: pair });
    const started = service.emulator.control.startExam(pair);
    expect(await statusOf(service, 'POST', UNASSIGN, pair)).toBe(400);
    expect(service.emulator.control.assignment(pair)).toEqual(started);
  });

  test('not assigned, unassign: not assigned, 400', async () => {
    await using service = await startWithPair();
    expect(await statusOf(service, 'POST', UNASSIGN, pair)).toBe(400);
    expect(service.emulator.control.assignment(pair)).toBeUndefined();
  });
});

describe('States and transitions, webhook endpoint', () => {
  test('active, deliveries answered with non-2xx repeatedly: disabled by the system', async () => {
    await using service = await startWithPair({
      fetch: createReceiver(500, 500).fetch,
      disableAfterFailures: 2,
    });
    await createEndpoint(service, [completed]);
    await service.call('POST', '/webhooks/1/test');
    await service.clock.advance(3_600_000);
    const { json } = await service.call('GET', '/webhooks');
    expect(at(json, 'data', 0)).toMatchObject({
      is_disabled_by_system: true,
      disabled_at: expect.any(String),
    });
  });

  test.each(['PATCH', 'PUT'])('any, %s with is_active: active or inactive accordingly', async (method) => {
    await using service = await startWithPair();
    await createEndpoint(service, [completed]);
    for (const is_active of [false, false, true, true, false]) {
      const { json } = await service.call(method, '/webhooks/1', { body: { is_active } });
      expect(at(json, 'data', 'is_active')).toBe(is_active);
    }
  });
});

test('Webhook request signature: HMAC-SHA256 of "<t>.<raw body>" in hex, within the tolerance of 300 s', async () => {
  const receiver = createReceiver();
  await using service = await startWithPair({ fetch: receiver.fetch });
  const { secret } = await createEndpoint(service, [completed]);
  await service.call('POST', '/webhooks/1/test');
  await service.emulator.settled();
  const [delivery] = receiver.received;
  const header = delivery?.headers.get('x-cbt-signature') ?? '';
  const [, time, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  expect(mac).toBe(createHmac('sha256', secret).update(`${time}.${delivery?.body}`).digest('hex'));
  expect(Math.abs(Number(time) - service.clock.now() / 1000)).toBeLessThanOrEqual(300);
});

test.each([
  ['exam_participant.registered', async (service: Service) => service.call('POST', ASSIGN, { body: pair })],
  [
    'exam_participant.unregistered',
    async (service: Service) => {
      await service.call('POST', ASSIGN, { body: pair });
      await service.call('POST', UNASSIGN, { body: pair });
    },
  ],
  [
    completed,
    async (service: Service) => {
      await service.call('POST', ASSIGN, { body: pair });
      service.emulator.control.startExam(pair);
      service.emulator.control.finishExam({ ...pair, score: 80 });
    },
  ],
  [
    'exam_result.scored',
    async (service: Service) => {
      service.emulator.control.seedResults([pair]);
      service.emulator.control.rescore(1, 80);
    },
  ],
])(
  'Events: %s is delivered with event, created_at and data, and only to who lists it',
  async (event, cause) => {
    const receiver = createReceiver();
    await using service = await startWithPair({ fetch: receiver.fetch });
    await createEndpoint(service, [event]);
    await cause(service);
    await service.emulator.settled();
    expect(receiver.received.map(({ json }) => json)).toEqual([
      {
        event,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/),
        data: expect.any(Object),
      },
    ]);
  },
);

describe('Delivery rules', () => {
  test('1: an endpoint receives only the events that it lists, and only while active', async () => {
    const receiver = createReceiver();
    await using service = await startWithPair({ fetch: receiver.fetch });
    await createEndpoint(service, ['exam_participant.registered']);
    await service.call('POST', ASSIGN, { body: pair });
    await service.call('POST', UNASSIGN, { body: pair });
    await service.call('PATCH', '/webhooks/1', { body: { is_active: false } });
    await service.call('POST', ASSIGN, { body: pair });
    await service.emulator.settled();
    expect(receiver.received.map(({ json }) => at(json, 'event'))).toEqual(['exam_participant.registered']);
  });

  test('2: each delivery has event, created_at and data', async () => {
    const receiver = createReceiver();
    await using service = await startWithPair({ fetch: receiver.fetch });
    await createEndpoint(service, [completed]);
    await service.call('POST', '/webhooks/1/test');
    await service.emulator.settled();
    expect(Object.keys(receiver.received[0]?.json ?? {})).toEqual(['event', 'created_at', 'data']);
  });

  test.each([200, 204, 299])('3: status %i acknowledges', async (answer) => {
    const receiver = createReceiver(answer);
    await using service = await startWithPair({ fetch: receiver.fetch });
    await createEndpoint(service, [completed]);
    await service.call('POST', '/webhooks/1/test');
    await service.clock.advance(3_600_000);
    expect(receiver.received).toHaveLength(1);
    const { json } = await service.call('GET', '/webhooks/1/deliveries?status=delivered');
    expect(at(json, 'data')).toHaveLength(1);
  });

  test.each([301, 400, 404, 500])('3: status %i is retried, with increasing delays', async (answer) => {
    const times: number[] = [];
    await using service = await startWithPair({
      fetch: async () => {
        times.push(service.clock.now());
        return new Response(null, { status: answer });
      },
    });
    await createEndpoint(service, [completed]);
    await service.call('POST', '/webhooks/1/test');
    await service.clock.advance(24 * 3_600_000);
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(waits.length).toBeGreaterThan(1);
    expect(waits).toEqual([...new Set(waits)].toSorted((a, b) => a - b));
  });

  test('4: an endpoint that keeps failing may be disabled automatically', async () => {
    await using service = await startWithPair({ fetch: createReceiver(500).fetch, disableAfterFailures: 1 });
    await createEndpoint(service, [completed]);
    await service.call('POST', '/webhooks/1/test');
    await service.emulator.settled();
    const { json } = await service.call('GET', '/webhooks');
    expect(at(json, 'data', 0)).toMatchObject({ is_active: false, is_disabled_by_system: true });
  });

  test('5: deliveries are recorded and readable; a test delivery is requested', async () => {
    await using service = await startWithPair();
    await createEndpoint(service, [completed]);
    expect(await statusOf(service, 'POST', '/webhooks/1/test')).toBe(202);
    await service.emulator.settled();
    const { json } = await service.call('GET', '/webhooks/1/deliveries');
    expect(at(json, 'data', 0)).toMatchObject({ event: completed, status: 'delivered', attempts: 1 });
  });
});
