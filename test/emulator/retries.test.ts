import { expect, test } from 'vitest';
import type { DeliveryFetch } from '../../src/testing/index.ts';
import { at, createEndpoint, createReceiver, type Service, startService } from './helpers.ts';

const events = ['exam_result.completed'];
const SECOND = 1000;

async function firstDelivery(service: Service): Promise<unknown> {
  return at((await service.call('GET', '/webhooks/1/deliveries')).json, 'data', 0);
}

async function endpoint(service: Service): Promise<unknown> {
  return at((await service.call('GET', '/webhooks')).json, 'data', 0);
}

/** A service that has begun to deliver one event. */
async function delivering(options: Parameters<typeof startService>[0], url?: string): Promise<Service> {
  const service = await startService(options);
  await createEndpoint(service, events, url);
  await service.call('POST', '/webhooks/1/test');
  return service;
}

test('a delivery that is not acknowledged is sent again after each delay, signed anew, until it is', async () => {
  const receiver = createReceiver(500, 404);
  await using service = await delivering({
    fetch: receiver.fetch,
    retryDelays: [10 * SECOND, 60 * SECOND],
  });
  await service.emulator.settled();
  expect(await firstDelivery(service)).toMatchObject({
    status: 'pending',
    attempts: 1,
    response_code: 500,
    response_body: 'status 500',
    error_message: 'The receiver responded with status 500.',
    delivered_at: null,
  });
  expect(await endpoint(service)).toMatchObject({
    consecutive_failures: 1,
    last_failure_at: '2025-03-01T08:00:00+07:00',
    last_success_at: null,
  });

  await service.clock.advance(10 * SECOND - 1);
  expect(receiver.received).toHaveLength(1);
  await service.clock.advance(1);
  expect(receiver.received).toHaveLength(2);
  await service.clock.advance(60 * SECOND);
  expect(await firstDelivery(service)).toMatchObject({
    status: 'delivered',
    attempts: 3,
    response_code: 204,
    response_body: '',
    error_message: null,
    delivered_at: '2025-03-01T08:01:10+07:00',
  });
  expect(await endpoint(service)).toMatchObject({ consecutive_failures: 0, is_active: true });
  const [first, second, third] = receiver.received;
  expect(second?.body).toBe(first?.body);
  expect(third?.body).toBe(first?.body);
  expect(second?.headers.get('x-cbt-signature')).not.toBe(first?.headers.get('x-cbt-signature'));
});

test('one long step of the clock makes every attempt at its own moment, and after the last the delivery has failed', async () => {
  const receiver = createReceiver(500, 500, 500, 500, 500);
  await using service = await delivering({ fetch: receiver.fetch });
  await service.clock.advance(24 * 3600 * SECOND);
  const start = Date.UTC(2025, 2, 1, 1);
  const moments = service.emulator.deliveries.map(({ sent_at }) => (sent_at - start) / SECOND);
  expect(moments).toEqual([0, 10, 70, 370, 2170]);
  expect(await firstDelivery(service)).toMatchObject({ status: 'failed', attempts: 5 });
});

const never: DeliveryFetch = () => new Promise(() => {});
const hanging = 'The receiver did not respond within 15 ms.';

test.each<[what: string, options: Parameters<typeof startService>[0], expected: object]>([
  ['redirects, which is not followed', { fetch: createReceiver(302).fetch }, { response_code: 302 }],
  ['cannot be reached', {}, { error_message: expect.stringMatching(/^fetch failed: \S/) }],
  ['is a function that heeds no signal', { fetch: never, deliveryTimeout: 15 }, { error_message: hanging }],
  [
    'never ends its response',
    { fetch: async () => new Response(new ReadableStream({})), deliveryTimeout: 15 },
    { error_message: hanging },
  ],
])('a delivery has failed where the receiver %s', async (_, options, expected) => {
  await using service = await delivering({ retryDelays: [], ...options }, 'http://127.0.0.1:1/');
  await service.emulator.settled();
  const none = { response_code: null, response_body: null };
  expect(await firstDelivery(service)).toMatchObject({
    status: 'failed',
    ...('response_code' in expected ? {} : none),
    ...expected,
  });
});

test('of a long response the start is kept', async () => {
  await using service = await delivering({ fetch: async () => new Response('x'.repeat(1_000_000)) });
  await service.emulator.settled();
  expect(service.emulator.deliveries[0]?.response_body).toHaveLength(64 * 1024);
});

test('an endpoint is disabled after a run of failures, receives nothing more, and comes back with is_active', async () => {
  const receiver = createReceiver(500, 500, 500);
  await using service = await delivering({
    fetch: receiver.fetch,
    disableAfterFailures: 3,
    retryDelays: [SECOND, SECOND, SECOND, SECOND],
  });
  await service.clock.advance(SECOND);
  expect(await endpoint(service)).toMatchObject({ is_disabled_by_system: false, consecutive_failures: 2 });
  await service.clock.advance(SECOND);
  expect(await endpoint(service)).toMatchObject({
    is_active: false,
    is_disabled_by_system: true,
    disabled_at: '2025-03-01T08:00:02+07:00',
    consecutive_failures: 3,
  });
  await service.clock.advance(60 * SECOND);
  expect(receiver.received).toHaveLength(3);
  expect(await firstDelivery(service)).toMatchObject({ status: 'failed', attempts: 3 });
  expect((await service.call('POST', '/webhooks/1/test')).status).toBe(422);

  const enabled = await service.call('PATCH', '/webhooks/1', { body: { is_active: true } });
  expect(at(enabled.json, 'data')).toMatchObject({
    is_active: true,
    is_disabled_by_system: false,
    disabled_at: null,
    consecutive_failures: 0,
  });
  expect((await service.call('POST', '/webhooks/1/test')).status).toBe(202);
  await service.emulator.settled();
  expect(receiver.received).toHaveLength(4);
});

test('a success in between starts the run of failures anew', async () => {
  const receiver = createReceiver(500, 204, 500);
  await using service = await delivering({
    fetch: receiver.fetch,
    disableAfterFailures: 2,
    retryDelays: [SECOND],
  });
  await service.clock.advance(SECOND);
  await service.call('POST', '/webhooks/1/test');
  await service.emulator.settled();
  expect(await endpoint(service)).toMatchObject({ is_active: true, consecutive_failures: 1 });
});

test.each([
  ['deactivated', 'PATCH', { body: { is_active: false } }],
  ['deleted', 'DELETE', {}],
])('a retry to an endpoint that was %s meanwhile is not sent', async (_state, method, options) => {
  const receiver = createReceiver(500);
  await using service = await delivering({ fetch: receiver.fetch });
  await service.emulator.settled();
  await service.call(method, '/webhooks/1', options);
  await service.clock.advance(3600 * SECOND);
  expect(receiver.received).toHaveLength(1);
  const history = await service.call('GET', '/webhooks/1/deliveries');
  if (method === 'DELETE') expect(history.status).toBe(404);
  else
    expect(at(history.json, 'data', 0)).toMatchObject({
      status: 'failed',
      error_message: 'The endpoint is not active.',
    });
});
