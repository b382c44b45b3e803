import { describe, expect, test } from 'vitest';
import { at, createEndpoint, createReceiver, fieldErrors, startService, textAt } from './helpers.ts';

const url = 'https://receiver.example.test/hooks';
const events = ['exam_result.completed'];

test('a deletion makes room for another endpoint, which gets a new id', async () => {
  await using service = await startService();
  for (let count = 0; count < 5; count += 1) await createEndpoint(service, events);
  const sixth = await service.call('POST', '/webhooks', { body: { url, events } });
  expect(sixth).toMatchObject({ status: 422, json: { success: false, data: null } });
  await service.call('DELETE', '/webhooks/3');
  expect(await createEndpoint(service, events)).toMatchObject({ id: 6 });
});

test.each([
  ['PATCH', ''],
  ['DELETE', ''],
  ['GET', '/deliveries'],
  ['POST', '/test'],
])('%s /webhooks/{id}%s responds with 404 for an endpoint that is not there', async (method, path) => {
  await using service = await startService();
  await createEndpoint(service, events);
  await service.call('DELETE', '/webhooks/1');
  for (const id of ['1', '2', 'x']) {
    const response = await service.call(
      method,
      `/webhooks/${id}${path}`,
      method === 'GET' ? {} : { body: {} },
    );
    expect(response).toMatchObject({ status: 404, json: { success: false, data: null } });
  }
});

describe('what an endpoint may not be', () => {
  test.each([
    [{ events: [...events, 'nope'] }, { 'events.1': ['The selected events.1 is invalid.'] }],
    [{ description: 5 }, { description: ['The description field must be a string.'] }],
  ])('%j', async (wrong, errors) => {
    await using service = await startService();
    const response = await service.call('POST', '/webhooks', { body: { url, events, ...wrong } });
    expect(response).toMatchObject({ status: 422, json: { success: false, data: null } });
    expect(fieldErrors(response)).toEqual(errors);
  });

  test('the longest description is 255 characters, whatever their size', async () => {
    await using service = await startService();
    const description = '😀'.repeat(255);
    expect((await service.call('POST', '/webhooks', { body: { url, events, description } })).status).toBe(
      201,
    );
  });
});

describe('the history of deliveries', () => {
  async function withHistory() {
    const receiver = createReceiver(500);
    const service = await startService({ fetch: receiver.fetch, retryDelays: [] });
    await createEndpoint(service, events);
    await service.call('POST', '/webhooks/1/test', { body: { event: 'exam_result.scored' } });
    await service.clock.advance(1000);
    for (let count = 0; count < 30; count += 1) await service.call('POST', '/webhooks/1/test');
    await service.emulator.settled();
    return service;
  }

  test('begins with the newest second; within a second the database gives the keys in their order', async () => {
    await using service = await startService({ fetch: createReceiver().fetch });
    await createEndpoint(service, [...events, 'exam_result.scored']);
    const queued: string[][] = [];
    for (let second = 0; second < 3; second += 1) {
      for (let count = 0; count < 5; count += 1) {
        await service.call('POST', '/webhooks/1/test');
        await service.clock.advance(150);
      }
      const ids = service.emulator.snapshot().deliveries.map(({ id }) => id);
      queued.push(ids.slice(second * 5));
      await service.clock.advance(250);
    }
    const { json } = await service.call('GET', '/webhooks/1/deliveries');
    const rows: unknown = at(json, 'data');
    const listed = Array.isArray(rows) ? rows.map((row) => textAt(row, 'id')) : [];
    expect(listed).toEqual(queued.toReversed().flat());
    expect(queued.map((ids) => ids.toSorted())).toEqual(queued);
  });

  test('lists by time and key what a snapshot holds in another order', async () => {
    await using service = await startService({ fetch: createReceiver().fetch, retryDelays: [] });
    await createEndpoint(service, events);
    for (let count = 0; count < 3; count += 1) {
      await service.call('POST', '/webhooks/1/test');
      await service.clock.advance(1000);
    }
    const held = service.emulator.snapshot();
    const before = await service.call('GET', '/webhooks/1/deliveries');
    service.emulator.restore({ ...held, deliveries: held.deliveries.toReversed() });
    expect((await service.call('GET', '/webhooks/1/deliveries')).json).toEqual(before.json);
  });

  test.each([
    ['status=failed&event=exam_result.scored', 1],
    ['status=failed&event=exam_result.completed', 0],
    ['event=unknown', 0],
  ])('filters by %s', async (query, total) => {
    await using service = await withHistory();
    const { json } = await service.call('GET', `/webhooks/1/deliveries?per_page=100&${query}`);
    expect(at(json, 'data')).toHaveLength(total);
    expect(at(json, 'meta', 'pagination', 'total')).toBe(total);
  });
});
