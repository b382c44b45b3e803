import { expect, test } from 'vitest';
import { asking, type Deviation, instead, is, type Passing, sent, when } from './deviations.ts';
import { startFilled, testRounds, verify } from './verify-helpers.ts';

const endpoint = /^\/webhooks\/\d+$/;
const lists = is('GET', /^\/webhooks$/);
const creates = is('POST', /^\/webhooks$/);
const patches = is('PATCH', endpoint);
const puts = is('PUT', endpoint);
const deletes = is('DELETE', endpoint);
const deliveries = is('GET', /\/deliveries$/);
const tests = is('POST', /\/test$/);
const success = (data: unknown) => ({ success: true, message: null, data });

/** Changes each delivery record. */
// biome-ignore lint/suspicious/noExplicitAny: a row of the emulator, to be changed anywhere
const eachDelivery = (change: (row: any, index: number) => void): Deviation =>
  when(deliveries, ({ json }) => {
    for (const [index, row] of (json.data ?? []).entries()) change(row, index);
  });

testRounds([
  [
    [
      'has no meta of webhooks',
      when(lists, ({ json }) => void delete json.meta),
      ['envelope.fields', 'webhooks.events', 'events.names'],
    ],
    [
      'shows no secret of a new endpoint',
      when(creates, ({ json }) => void delete json.data?.secret),
      ['endpoint.secret'],
    ],
    [
      'creates inactive endpoints',
      when(creates, ({ json }) => {
        if (json.data) json.data.is_active = false;
      }),
      ['create.active'],
    ],
    [
      'deactivates no endpoint',
      when(patches, ({ json }) => {
        if (json.data) json.data.is_active = true;
      }),
      ['endpoint.active'],
    ],
    ['takes no PUT', instead(puts, 405), ['update.methods']],
    [
      'takes an update to no events',
      instead((request) => patches(request) && sent(request).events?.length === 0, 200, success({})),
      ['update.events'],
    ],
    [
      'counts the pages of deliveries in strings',
      when(deliveries, ({ json }) => {
        if (json.meta) json.meta.pagination.total = String(json.meta.pagination.total);
      }),
      ['deliveries.pagination'],
    ],
    [
      'gives more than 100 deliveries of a page',
      instead((request) => deliveries(request) && request.query.get('per_page') === '101', 200, {
        ...success([]),
        meta: { pagination: { per_page: 101 } },
      }),
      ['deliveries.per_page'],
    ],
    [
      'ignores the filter by event',
      asking(deliveries, ({ query }) => query.delete('event')),
      ['deliveries.event'],
    ],
    [
      'tests an inactive endpoint',
      when(tests, (passed) => {
        if (passed.status >= 400) Object.assign(passed, { status: 200, json: success({ queued: true }) });
      }),
      ['test.active'],
    ],
    [
      'calls a delivery that arrived a success',
      eachDelivery((row) => {
        if (row.status === 'delivered') row.status = 'success';
      }),
      ['delivery.delivered'],
    ],
    [
      'numbers its deliveries',
      eachDelivery((row, index) => {
        row.id = index;
      }),
      ['delivery.fields'],
    ],
    [
      'sends the data alone',
      eachDelivery((row) => {
        row.payload = row.payload.data;
      }),
      ['events.body', 'result.payload'],
    ],
    [
      'rejects a description of 255 characters',
      instead((request) => creates(request) && sent(request).description?.length === 255, 422),
      ['webhooks.description', 'webhooks.url'],
    ],
    [
      'creates an endpoint without an address',
      instead((request) => creates(request) && sent(request).url === undefined, 201, success({ id: 900 })),
      ['create.required'],
    ],
  ],
  [
    [
      'lists its events without words',
      when(lists, ({ json }) => {
        if (json.meta) json.meta.available_events = Object.keys(json.meta.available_events);
      }),
      ['webhooks.events', 'events.names'],
    ],
    [
      'sends no message in its envelopes',
      when(lists, ({ json }) => void delete json.message),
      ['envelope.fields'],
    ],
    [
      'leaves a field of an endpoint out',
      when(lists, ({ json }) => {
        for (const row of json.data ?? []) delete row.consecutive_failures;
      }),
      ['endpoint.fields'],
    ],
    [
      'shows the secret of every update',
      when(patches, ({ json }) => {
        if (json.data) json.data.secret ??= 'whsec_1';
      }),
      ['endpoint.secret', 'update.rotate'],
    ],
    [
      'ignores the filter by status',
      asking(deliveries, ({ query }) => query.delete('status')),
      ['deliveries.status'],
    ],
    [
      'has 15 deliveries on a page by default',
      asking(
        (request) => deliveries(request) && !request.query.has('per_page'),
        ({ query }) => query.set('per_page', '15'),
      ),
      ['deliveries.per_page'],
    ],
    [
      'queues a test with a word',
      when(tests, ({ json }) => {
        if (json.data) json.data.queued = 'yes';
      }),
      ['test.queued', 'test.default'],
    ],
    [
      'writes times without an offset',
      eachDelivery((row) => {
        row.created_at = '2025-03-01 08:00:00';
      }),
      ['delivery.fields'],
    ],
    [
      'writes scores as strings',
      eachDelivery(({ payload }) => {
        payload.data.score = '87.50';
      }),
      ['result.payload'],
    ],
    [
      'accepts a description of 256 characters',
      instead((request) => creates(request) && sent(request).description?.length === 256, 201, success({})),
      ['webhooks.description'],
    ],
  ],
  [
    [
      'keeps the secret when it rotates',
      (() => {
        let secret: string;
        return (request: Passing) =>
          when(
            (one) => one.path.startsWith('/webhooks'),
            ({ json }, one) => {
              if (one.method === 'POST' && json?.data?.secret) secret ??= json.data.secret;
              if (one.method === 'PATCH' && json?.data?.secret) json.data.secret = secret;
            },
          )(request);
      })(),
      ['update.rotate'],
    ],
    [
      'returns an object for a deletion',
      when(deletes, ({ json }) => void Object.assign(json, { data: {} })),
      ['delete.null'],
    ],
    [
      'shows the secret in the list',
      when(lists, ({ json }) => {
        for (const row of json.data ?? []) row.secret = 'whsec_1';
      }),
      ['endpoint.secret'],
    ],
    [
      'rejects unknown events of a test delivery',
      instead((request) => tests(request) && request.body.includes('no.such_event'), 422),
      ['test.queued', 'test.default'],
    ],
    [
      'lacks an event',
      when(lists, ({ json }) => void delete json.meta?.available_events['exam_result.scored']),
      ['events.names'],
    ],
  ],
  [
    [
      'rotates no secret',
      when(
        (request) => patches(request) && request.body.includes('rotate_secret":true'),
        ({ json }) => void delete json.data.secret,
      ),
      ['update.rotate'],
    ],
  ],
]);

test('a delivery that was serialised again after it was signed contradicts the signature', async () => {
  await using service = startFilled({
    fetch: (url, init) => fetch(url, { ...init, body: JSON.stringify(JSON.parse(String(init.body))) }),
  });
  const { code, contradicted } = await verify(service.url, '--write', '--listen', '0');
  expect(contradicted).toEqual(['signature.hmac: the signature is wrong']);
  expect(code).toBe(1);
});
