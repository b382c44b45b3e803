import { describe, expect, test } from 'vitest';
import type { Fault } from '../../src/testing/index.ts';
import {
  at,
  clientKey,
  createEndpoint,
  createReceiver,
  type Service,
  type ServiceResponse,
  startServer,
  startService,
} from './helpers.ts';

const ana = { participants: [{ email: 'ana@example.test', name: 'Ana', password: 'secret' }] };

function statuses(service: Service, count: number, path = '/exams'): Promise<number[]> {
  return Array.from({ length: count }).reduce<Promise<number[]>>(
    async (before) => [...(await before), (await service.call('GET', path)).status],
    Promise.resolve([]),
  );
}

describe('which requests a fault strikes', () => {
  const failing = { effect: 'respond', status: 503 } as const;

  test('the next one', async () => {
    await using service = await startService();
    const fault = service.emulator.faults.inject(failing);
    expect(fault.struck).toBe(0);
    expect(await statuses(service, 3)).toEqual([503, 200, 200]);
    expect(fault.struck).toBe(1);
  });

  test('all until it is removed, or all faults are', async () => {
    await using service = await startService();
    const fault = service.emulator.faults.inject({ ...failing, times: Infinity });
    expect(await statuses(service, 2)).toEqual([503, 503]);
    fault.remove();
    expect(await statuses(service, 1)).toEqual([200]);
    service.emulator.faults.inject({ ...failing, times: Infinity });
    service.emulator.faults.clear();
    expect(await statuses(service, 1)).toEqual([200]);
  });

  test('a rotation of a secret apart from other updates', async () => {
    await using service = await startService();
    const { id } = await createEndpoint(service, ['exam_result.scored']);
    const update = async (body: object) => (await service.call('PATCH', `/webhooks/${id}`, { body })).status;
    const rotation = service.emulator.faults.inject({ ...failing, on: 'webhooks.rotateSecret' });
    expect(await update({ rotate_secret: false })).toBe(200);
    expect(await update({ rotate_secret: true })).toBe(503);
    expect(rotation.struck).toBe(1);
    service.emulator.faults.inject({ ...failing, on: 'webhooks.update' });
    expect(await update({ rotate_secret: true })).toBe(200);
    expect(await update({ description: 'Results' })).toBe(503);
  });

  test('those of an operation, by its name', async () => {
    await using service = await startService();
    service.emulator.faults.inject({ ...failing, on: 'examResults.list' });
    expect(await statuses(service, 1, '/exams')).toEqual([200]);
    expect(await statuses(service, 2, '/exam-results')).toEqual([503, 200]);
    service.emulator.faults.inject({ ...failing, on: ['participants.list', 'webhooks.list'], times: 2 });
    expect(await statuses(service, 1, '/exams')).toEqual([200]);
    expect(await statuses(service, 1, '/participants')).toEqual([503]);
    expect(await statuses(service, 1, '/webhooks')).toEqual([503]);
  });

  test('those after the first ones, which count whatever else strikes them', async () => {
    await using service = await startService();
    const { faults } = service.emulator;
    faults.inject({ on: 'exams.list', effect: 'respond', status: 503, skip: 2 });
    expect(await statuses(service, 2, '/participants')).toEqual([200, 200]);
    expect(await statuses(service, 4)).toEqual([200, 200, 503, 200]);
    faults.inject({ effect: 'respond', status: 500 });
    const later = faults.inject({ effect: 'respond', status: 504, skip: 1, times: 2 });
    expect(await statuses(service, 4)).toEqual([500, 504, 504, 200]);
    expect(later).toMatchObject({ left: 0, struck: 2 });
  });

  test('several one after the other, in the order in which they came', async () => {
    await using service = await startService();
    service.emulator.faults.inject({ effect: 'respond', status: 500 });
    service.emulator.faults.inject({ effect: 'respond', status: 429 });
    expect(await statuses(service, 3)).toEqual([500, 429, 200]);
  });

  test('a fault that could never or not sensibly strike is rejected', async () => {
    await using service = await startService();
    expect(() => service.emulator.faults.inject({ ...failing, times: 0 })).toThrow(RangeError);
  });
});

describe('what comes instead of the response', () => {
  async function struckBy(fault: Fault, processed = false): Promise<ServiceResponse & { imported: boolean }> {
    await using service = await startServer();
    service.emulator.faults.inject({ ...fault, processed });
    const response = await service.call('POST', '/participants/import', { body: ana });
    return { ...response, imported: service.emulator.control.participant(1) !== undefined };
  }

  test('a status with headers and a JSON body', async () => {
    const response = await struckBy({
      effect: 'respond',
      status: 429,
      body: { message: 'Too Many Attempts.' },
      headers: { 'Retry-After': '7' },
    });
    expect(response).toMatchObject({ status: 429, json: { message: 'Too Many Attempts.' }, imported: false });
    expect(response.headers.get('retry-after')).toBe('7');
    expect(response.headers.get('content-type')).toBe('application/json');
  });

  test.each([null, false, 0, 'text', '', [], [1, { a: null }], { message: null }])(
    'a status with the body %j',
    async (body) => {
      const { text } = await struckBy({ effect: 'respond', status: 500, body });
      expect(text).toBe(typeof body === 'string' ? body : JSON.stringify(body));
    },
  );

  test('a status with nothing', async () => {
    expect(await struckBy({ effect: 'respond', status: 204 })).toMatchObject({ status: 204, text: '' });
  });

  test('a page of HTML', async () => {
    const response = await struckBy({ effect: 'html' });
    expect(response).toMatchObject({ status: 200, json: undefined, text: expect.stringContaining('<html>') });
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect((await struckBy({ effect: 'html', status: 502 })).status).toBe(502);
  });

  test('a redirect to another origin', async () => {
    const response = await struckBy({ effect: 'redirect', to: 'https://elsewhere.example.test/login' });
    expect(response).toMatchObject({ status: 302, text: '' });
    expect(response.headers.get('location')).toBe('https://elsewhere.example.test/login');
  });

  test('JSON that stops half-way, in a response that is complete', async () => {
    const response = await struckBy({ effect: 'truncate' });
    expect(response).toMatchObject({ status: 201, json: undefined, imported: true });
    expect(response.text).toMatch(/^\{"data":\{/);
    expect(response.headers.get('content-type')).toBe('application/json');
  });

  test('the operation may have been carried out all the same', async () => {
    expect(await struckBy({ effect: 'respond', status: 504 }, true)).toMatchObject({
      status: 504,
      imported: true,
    });
  });

  test('a broken connection, over HTTP', async () => {
    await expect(struckBy({ effect: 'reset' })).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
  });

  test('a connection that breaks in the middle of the body, over HTTP', async () => {
    await using service = await startServer();
    service.emulator.control.seedExams(10);
    service.emulator.faults.inject({ effect: 'reset-body' });
    const response = await fetch(`${service.url}/exams`, { headers: clientKey });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toBeInstanceOf(TypeError);
    expect(await statuses(service, 1)).toEqual([200]);
  });
});

test('the function breaks like fetch', async () => {
  await using service = await startService();
  const { emulator } = service;
  emulator.faults.inject({ effect: 'reset' });
  const request = () => emulator.fetch(`${service.url}/exams`, { headers: clientKey });
  await expect(request()).rejects.toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } });
  expect(emulator.requests.at(-1)).toMatchObject({ operation: 'exams.list', status: null });
  emulator.faults.inject({ effect: 'reset-body' });
  const response = await request();
  expect(response.status).toBe(200);
  await expect(response.json()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
});

test('a delay lasts until the clock has come that far', async () => {
  await using service = await startService();
  service.emulator.faults.inject({ delay: 5000 });
  let responded = false;
  const response = service.emulator.fetch(`${service.url}/exams`, { headers: clientKey });
  const done = response.then(() => {
    responded = true;
  });
  await Promise.race([done, service.call('GET', '/exams')]);
  await service.clock.advance(4999);
  expect(responded).toBe(false);
  await service.clock.advance(1);
  expect((await response).status).toBe(200);
});

test('who gives up during a delay gets the reason of the signal', async () => {
  await using service = await startService();
  service.emulator.faults.inject({ delay: 5000 });
  const reason = new Error('enough');
  const abort = new AbortController();
  const response = service.emulator.fetch(`${service.url}/exams`, {
    headers: clientKey,
    signal: abort.signal,
  });
  const outcome = expect(response).rejects.toBe(reason);
  await service.call('GET', '/exams');
  abort.abort(reason);
  await outcome;
  await expect(service.emulator.fetch(service.url, { signal: abort.signal })).rejects.toBe(reason);
});

test('a delivery may come twice, the first of its event', async () => {
  const receiver = createReceiver();
  await using service = await startService({ fetch: receiver.fetch });
  await createEndpoint(service, ['exam_result.completed']);
  const on = 'exam_result.completed';
  const fault = service.emulator.faults.injectDelivery({ effect: 'duplicate', on });
  for (const event of ['exam_result.scored', on, on]) {
    await service.call('POST', '/webhooks/1/test', { body: { event } });
    await service.emulator.settled();
  }
  expect(fault.struck).toBe(1);
  expect(at((await service.call('GET', '/webhooks/1/deliveries')).json, 'data')).toHaveLength(3);
  const [, first, second, ...others] = receiver.received.map(({ headers, body }) => [
    headers.get('x-cbt-signature'),
    body,
  ]);
  expect(second).toEqual(first);
  expect(others).toHaveLength(1);
});
