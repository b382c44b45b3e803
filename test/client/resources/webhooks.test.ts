import { describe, expect, test } from 'vitest';
import {
  type ExamClient,
  ResponseFormatError,
  ResponseValidationError,
  type WebhookCreate,
} from '../../../src/index.ts';
import { connect } from '../../fixtures/responses/client.ts';
import { availableEvents, delivery, endpoint, enveloped } from '../../fixtures/responses/webhooks.ts';
import { failure } from '../../helpers/client.ts';

const created = { ...endpoint, secret: 'whsec-of-the-tests' };
const create: WebhookCreate = { url: endpoint.url, events: ['exam_result.completed'] };

describe('the list of webhook endpoints', () => {
  test.each([
    ['with endpoints', enveloped([endpoint], { available_events: availableEvents }), [endpoint]],
    ['without endpoints', enveloped([], { available_events: availableEvents }), []],
    ['without metadata', enveloped([endpoint]), [endpoint]],
    ['that lost its indexes', enveloped({ '1': endpoint }, { available_events: {} }), [endpoint]],
  ])('%s is an array', async (_, body, endpoints) => {
    await using service = await connect({ body });
    expect(await service.client.webhooks.list()).toEqual(endpoints);
  });

  test.each([
    ['an empty object for the list', enveloped({}, { available_events: {} }), ''],
    ['null for the list', enveloped(null, []), ''],
    ['an endpoint for the list', enveloped(endpoint, []), ''],
    ['a field of another type', enveloped([endpoint, { ...endpoint, id: 'x' }], []), 'data.1.id'],
  ])('is not read from %s', async (_, body, path) => {
    await using service = await connect({ body });
    const error = await failure(service.client.webhooks.list(), ResponseValidationError);
    expect(error).toMatchObject({ operation: 'webhooks.list', issues: [{ path }] });
  });
});

describe('the available events', () => {
  test.each([
    ['a map', availableEvents, availableEvents],
    ['an empty map, as PHP writes it', [], {}],
  ])('are read from %s', async (_, given, events) => {
    await using service = await connect({ body: enveloped([endpoint], { available_events: given }) });
    expect(await service.client.webhooks.availableEvents()).toEqual(events);
  });

  test.each<[string, unknown, string]>([
    ['a list of names', enveloped([], { available_events: ['exam_result.scored'] }), ''],
    ['a description that is no text', enveloped([], { available_events: { a: 5 } }), '.a'],
    ['null', enveloped([], { available_events: null }), ''],
    ['metadata without them', enveloped([endpoint], []), ''],
    ['no metadata', enveloped([endpoint]), ''],
    ['a bare list', [endpoint], ''],
  ])('are not read from %s', async (_, body, path) => {
    await using service = await connect({ body });
    const error = await failure(service.client.webhooks.availableEvents(), ResponseValidationError);
    expect(error).toMatchObject({
      operation: 'webhooks.availableEvents',
      issues: [{ path: `meta.available_events${path}` }],
    });
  });

  test.each(['report', 'off'] as const)('that are missing are an error in mode %s', async (validation) => {
    await using service = await connect({ body: enveloped([endpoint]) });
    await failure(service.client.webhooks.availableEvents({ validation }), ResponseValidationError);
  });
});

const withSecret: ReadonlyArray<readonly [name: string, run: (client: ExamClient) => Promise<unknown>]> = [
  ['create', (client) => client.webhooks.create(create)],
  ['rotateSecret', (client) => client.webhooks.rotateSecret(3)],
];

describe.each(withSecret)('%s', (_, run) => {
  test.each([
    ['in the documented envelope', enveloped(created)],
    ['bare', created],
    ['under its name', enveloped({ webhook: created })],
  ])('gives the endpoint with its secret, %s', async (_form, body) => {
    await using service = await connect({ status: 201, body });
    expect(await run(service.client)).toEqual(created);
  });

  test('rejects a response without the secret, which could not be read again', async () => {
    await using service = await connect({ body: enveloped(endpoint) });
    const error = await failure(run(service.client), ResponseValidationError);
    expect(error).toMatchObject({ issues: [{ path: 'data.secret' }] });
  });
});

describe('an endpoint', () => {
  test('is read after an update without its secret', async () => {
    await using service = await connect({ body: enveloped(endpoint) });
    expect(await service.client.webhooks.update(3, { is_active: true })).toEqual(endpoint);
  });

  test('gets null for each nullable field that is absent', async () => {
    const nullable = ['description', 'disabled_at', 'last_success_at', 'last_failure_at'];
    const absent = Object.fromEntries(nullable.map((field) => [field, undefined]));
    const nulls = Object.fromEntries(nullable.map((field) => [field, null]));
    await using service = await connect({ body: enveloped({ ...endpoint, ...absent }) });
    expect(await service.client.webhooks.update(3, { is_active: true })).toEqual({ ...endpoint, ...nulls });
  });

  test('keeps unknown events and unknown keys, and events that lost their indexes', async () => {
    const body = enveloped({
      ...endpoint,
      events: { '0': 'exam.archived', '2': 'exam_result.scored' },
      team: 'north',
    });
    await using service = await connect({ body });
    const updated = await service.client.webhooks.update(3, { is_active: true });
    expect(updated.events).toEqual(['exam.archived', 'exam_result.scored']);
    expect(updated).toHaveProperty('team', 'north');
  });

  test.each([
    'id',
    'url',
    'events',
    'is_active',
    'is_disabled_by_system',
    'consecutive_failures',
    'created_at',
  ] as const)('without %s is rejected', async (field) => {
    const { [field]: _, ...rest } = endpoint;
    await using service = await connect({ body: enveloped(rest) });
    const error = await failure(
      service.client.webhooks.update(3, { is_active: true }),
      ResponseValidationError,
    );
    expect(error).toMatchObject({ operation: 'webhooks.update', issues: [{ path: `data.${field}` }] });
  });
});

describe('deliveries', () => {
  const pagination = { total: 30, per_page: 25, current_page: 1, last_page: 2, from: 1, to: 25 };

  test('are read with their pagination', async () => {
    await using service = await connect({ body: enveloped([delivery], { pagination }) });
    const page = await service.client.webhooks.deliveries(3);
    expect(page).toMatchObject({ data: [delivery], page: 1, perPage: 25, total: 30, lastPage: 2 });
    expect(page.hasNextPage()).toBe(true);
  });

  test('keep unknown events, unknown statuses and unknown keys', async () => {
    const odd = { ...delivery, event: 'exam.archived', status: 'on_hold', region: 'south' };
    await using service = await connect({ body: enveloped([odd], { pagination }) });
    expect((await service.client.webhooks.deliveries(3)).data).toEqual([odd]);
  });

  test('read an empty payload as a map, and an absent nullable field as null', async () => {
    const { response_code: _, delivered_at: __, ...rest } = { ...delivery, payload: [] };
    await using service = await connect({ body: enveloped([rest], { pagination }) });
    expect((await service.client.webhooks.deliveries(3)).data).toEqual([
      { ...rest, payload: {}, response_code: null, delivered_at: null },
    ]);
  });

  test.each([
    ['payload', ['a', 'b']],
    ['payload', 'text'],
    ['attempts', '1'],
    ['id', 5],
  ])('are rejected when %s is %j', async (field, value) => {
    await using service = await connect({ body: enveloped([delivery, { ...delivery, [field]: value }], []) });
    const error = await failure(service.client.webhooks.deliveries(3), ResponseValidationError);
    expect(error).toMatchObject({ operation: 'webhooks.deliveries', issues: [{ path: `data.1.${field}` }] });
  });
});

describe('delete gives undefined', () => {
  test.each([
    ['for the documented envelope', { body: { success: true, message: 'Webhook deleted', data: null } }],
    ['for 204', { status: 204 }],
    ['for an empty body', { body: '' }],
    ['for null', { body: null }],
    ['for the deleted endpoint', { body: enveloped(endpoint) }],
  ])('%s', async (_, response) => {
    await using service = await connect(response);
    expect(await service.client.webhooks.delete(3)).toBeUndefined();
  });
});

test.each([
  ['a failure', { success: false, message: 'Still in use', data: null }],
  ['a page of HTML', '<html><body>Sign in</body></html>'],
])('delete rejects %s', async (_, body) => {
  await using service = await connect({ body });
  await failure(service.client.webhooks.delete(3), ResponseFormatError);
});

test.each([
  ['in the documented envelope', enveloped({ queued: true }), true],
  ['bare', { queued: false }, false],
])('a test delivery is read %s', async (_, body, queued) => {
  await using service = await connect({ body });
  expect(await service.client.webhooks.test(3)).toEqual({ queued });
});
