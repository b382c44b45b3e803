import { expect, test } from 'vitest';
import { someOf } from '../helpers/requirements.ts';
import { type Deviation, instead, is, type Passing, sent, startDeviating, when } from './deviations.ts';
import { startFilled, verify } from './verify-helpers.ts';

const endpoint = /^\/webhooks\/\d+$/;
const deliveries = /\/deliveries$/;
const queued = { success: true, message: null, data: { queued: true } };

const mutations: [what: string, deviation: Deviation, claims: string[]][] = [
  [
    'has no meta of webhooks',
    when(is('GET', /^\/webhooks$/), ({ json }) => void delete json.meta),
    ['envelope.fields', 'webhooks.events', 'events.names'],
  ],
  [
    'lists its events without words',
    when(is('GET', /^\/webhooks$/), ({ json }) => {
      if (json.meta) json.meta.available_events = Object.keys(json.meta.available_events);
    }),
    ['webhooks.events', 'events.names'],
  ],
  [
    'shows no secret of a new endpoint',
    when(is('POST', /^\/webhooks$/), ({ json }) => void delete json.data?.secret),
    ['endpoint.secret'],
  ],
  [
    'makes endpoints inactive',
    when(is('POST', /^\/webhooks$/), ({ json }) => {
      if (json.data) json.data.is_active = false;
    }),
    ['create.active'],
  ],
  [
    'deactivates no endpoint',
    when(
      (request) => is('PATCH', endpoint)(request) || is('PUT', endpoint)(request),
      ({ json }) => {
        if (json.data) json.data.is_active = true;
      },
    ),
    ['endpoint.active'],
  ],
  ['takes no PUT', instead(is('PUT', endpoint), 405), ['update.methods']],
  [
    'takes an update to no events',
    instead((request) => is('PATCH', endpoint)(request) && sent(request).events?.length === 0, 200, {
      success: true,
      message: null,
      data: {},
    }),
    ['update.events'],
  ],
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
    'shows the secret of every update',
    when(
      (request) => is('PATCH', endpoint)(request),
      ({ json }) => {
        if (json.data) json.data.secret ??= 'whsec_1';
      },
    ),
    ['endpoint.secret', 'update.rotate'],
  ],
  [
    'answers a deletion with an object',
    when(is('DELETE', endpoint), ({ json }) => void Object.assign(json, { data: {} })),
    ['delete.null'],
  ],
  [
    'counts the pages of deliveries in strings',
    when(is('GET', deliveries), ({ json }) => {
      if (json.meta) json.meta.pagination.total = String(json.meta.pagination.total);
    }),
    ['deliveries.pagination'],
  ],
  [
    'gives more than 100 deliveries of a page',
    when(
      (request) => is('GET', deliveries)(request) && request.query.get('per_page') === '101',
      (passed) => {
        passed.status = 200;
        passed.json = { success: true, message: null, data: [], meta: { pagination: { per_page: 101 } } };
      },
    ),
    ['deliveries.per_page'],
  ],
  [
    'ignores the filter by event',
    (request) => {
      if (deliveries.test(request.path)) request.query.delete('event');
      return undefined;
    },
    ['deliveries.event'],
  ],
  [
    'ignores the filter by status',
    (request) => {
      if (deliveries.test(request.path)) request.query.delete('status');
      return undefined;
    },
    ['deliveries.status'],
  ],
  [
    'tests an inactive endpoint',
    when(
      (request) => is('POST', /\/test$/)(request),
      (passed) => {
        if (passed.status >= 400) {
          passed.status = 200;
          passed.json = queued;
        }
      },
    ),
    ['test.active'],
  ],
  [
    'queues a test with a word',
    when(is('POST', /\/test$/), ({ json }) => {
      if (json.data) json.data.queued = 'yes';
    }),
    ['test.queued', 'test.default'],
  ],
  [
    'calls a delivery that arrived a success',
    when(is('GET', deliveries), ({ json }) => {
      for (const row of json.data ?? []) if (row.status === 'delivered') row.status = 'success';
    }),
    ['delivery.delivered'],
  ],
  [
    'numbers its deliveries',
    when(is('GET', deliveries), ({ json }) => {
      for (const [index, row] of (json.data ?? []).entries()) row.id = index;
    }),
    ['delivery.fields'],
  ],
  [
    'writes times without an offset',
    when(is('GET', deliveries), ({ json }) => {
      for (const row of json.data ?? []) row.created_at = '2025-03-01 08:00:00';
    }),
    ['delivery.fields'],
  ],
  [
    'sends the data alone',
    when(is('GET', deliveries), ({ json }) => {
      for (const row of json.data ?? []) row.payload = row.payload.data;
    }),
    ['events.body', 'result.payload'],
  ],
  [
    'refuses a description of 255 characters',
    instead(
      (request) => is('POST', /^\/webhooks$/)(request) && sent(request).description?.length === 255,
      422,
    ),
    ['webhooks.description', 'webhooks.url'],
  ],
  [
    'makes an endpoint without an address',
    instead((request) => is('POST', /^\/webhooks$/)(request) && sent(request).url === undefined, 201, {
      success: true,
      message: null,
      data: { id: 900 },
    }),
    ['create.required'],
  ],
  [
    'sends no message with its envelopes',
    when(is('GET', /^\/webhooks$/), ({ json }) => void delete json.message),
    ['envelope.fields'],
  ],
];

test.each(someOf(mutations))(
  'a service that %s contradicts the claims about that, and no others',
  async (_what, deviation, expected) => {
    await using service = await startFilled();
    await using deviating = await startDeviating(service, deviation);
    const { contradicted } = await verify(deviating.url, '--write', '--listen', '0');
    expect(contradicted.map((text) => text.split(':')[0]).toSorted()).toEqual(expected.toSorted());
  },
);
