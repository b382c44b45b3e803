import { describe, expect, test } from 'vitest';
import {
  ConfigurationError,
  ConnectionError,
  RequestValidationError,
  ResponseValidationError,
  type WebhookCreate,
  WebhookSecretLostError,
} from '../../../src/index.ts';
import { createEmulator } from '../../../src/testing/index.ts';
import { fresh } from '../../fixtures/responses/webhooks.ts';
import { clientOf, createClient, failure } from '../../helpers/client.ts';
import { startService } from '../../helpers/server.ts';

const wanted: WebhookCreate = {
  url: 'https://receiver.example.test/hooks',
  events: ['exam_result.completed', 'exam_result.scored'],
};

/** The service in memory with its rules, a client of it, and what it was asked for. */
function emulate(maxRetries = 0) {
  const emulator = createEmulator({
    disableAfterFailures: 1,
    fetch: async () => new Response(null, { status: 500 }),
  });
  const { webhooks } = clientOf(emulator, { maxRetries });
  return {
    emulator,
    webhooks,
    asked: () => emulator.requests.map(({ operation }) => operation).splice(0),
    stored: () => emulator.snapshot().endpoints,
  };
}

test.each(['report', 'off'] as const)(
  'what is no endpoint in the list is passed over (%s)',
  async (validation) => {
    await using server = startService(({ method }) =>
      method === 'GET'
        ? { body: { data: [null, 'x'] } }
        : { status: 201, body: { ...wanted, id: 7, secret: 'whsec_1' } },
    );
    const { webhooks } = createClient(server, { validation });
    expect(await webhooks.ensure(wanted)).toMatchObject({ created: true, secret: 'whsec_1' });
  },
);

describe('where there is no endpoint with the url', () => {
  test('registers one, and gives its secret apart from it', async () => {
    const { webhooks, asked, stored } = emulate();
    const { endpoint, secret, created } = await webhooks.ensure({ ...wanted, description: 'Results' });
    expect(created).toBe(true);
    expect(endpoint).toMatchObject({ ...wanted, description: 'Results', is_active: true });
    expect(endpoint).not.toHaveProperty('secret');
    expect(stored()).toMatchObject([{ id: endpoint.id, secret }]);
    expect(asked()).toEqual(['webhooks.list', 'webhooks.create', 'webhooks.list']);
  });

  test('rejects a sixth endpoint without a request, and names those to choose from by their ids', async () => {
    const { webhooks, asked } = emulate();
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await webhooks.create({ ...wanted, url: `https://${name}.example.test/?token=of-${name}` });
    }
    const error = await failure(webhooks.ensure(wanted), ConfigurationError);
    expect(error.message).toContain('has 5 webhook endpoints');
    expect(error.message).toContain('1, 2, 3, 4, 5');
    expect(error.message).not.toContain('token');
    expect(error).toMatchObject({ outcome: 'not_sent', retryable: false });
    expect(asked().filter((name) => name === 'webhooks.create')).toHaveLength(5);
  });

  test.each<[string, WebhookCreate, string]>([
    ['an invalid url', { ...wanted, url: 'receiver/hooks' }, 'url'],
    ['no event', { ...wanted, events: [] }, 'events'],
    ['a long description', { ...wanted, description: 'x'.repeat(256) }, 'description'],
    ['a name that is not documented', { ...wanted, ...{ rotate_secret: true } }, ''],
  ])('rejects %s before anything is sent', async (_, endpoint, path) => {
    const { webhooks, asked } = emulate();
    const error = await failure(webhooks.ensure(endpoint), RequestValidationError);
    expect(error).toMatchObject({ operation: 'webhooks.ensure', issues: [{ path }] });
    expect(asked()).toEqual([]);
  });
});

describe('where there is an endpoint with the url', () => {
  test.each([
    ['in other words', 'HTTPS://Receiver.Example.test:443/hooks'],
    ['as it was written', wanted.url],
  ])('changes nothing when it is as wanted, its address %s', async (_, url) => {
    const { webhooks, asked } = emulate();
    const { id } = await webhooks.create({ ...wanted, url, description: 'Mine' });
    const again = { ...wanted, events: wanted.events.toReversed() };
    expect(await webhooks.ensure(again)).toMatchObject({
      endpoint: { id, url, description: 'Mine', events: wanted.events },
      secret: null,
      created: false,
    });
    expect(asked()).toEqual(['webhooks.create', 'webhooks.list']);
  });

  test.each<[string, Partial<WebhookCreate>, Partial<WebhookCreate>]>([
    ['its events', { events: ['exam_result.scored'] }, {}],
    ['its description', { description: 'Old' }, { description: 'New' }],
    ['a description that is to go', { description: 'Old' }, { description: null }],
    ['that it is not active', { is_active: false }, {}],
    ['that it is active and shall not be', {}, { is_active: false }],
  ])('changes %s, and keeps id and secret', async (_, was, change) => {
    const { webhooks, asked, stored } = emulate();
    const { id, secret } = await webhooks.create({ ...wanted, ...was });
    const ensured = await webhooks.ensure({ ...wanted, ...change });
    expect(ensured).toMatchObject({ created: false, secret: null });
    expect(ensured.endpoint).toMatchObject({ id, is_active: true, ...wanted, ...change });
    expect(stored()).toMatchObject([{ id, secret }]);
    expect(asked()).toEqual(['webhooks.create', 'webhooks.list', 'webhooks.update']);
  });

  test('sends only what differs', async () => {
    await using server = startService([
      {
        body: {
          success: true,
          data: [{ ...record, is_active: false, description: null, team: 'north' }],
          meta: { available_events: {} },
        },
      },
      { body: { success: true, data: { ...record, team: 'north' } } },
    ]);
    const { webhooks } = createClient(server);
    const { endpoint } = await webhooks.ensure({ ...wanted, description: ' ' });
    expect(server.requests[1]).toMatchObject({
      method: 'PATCH',
      path: '/webhooks/3',
      body: { is_active: true },
    });
    expect(endpoint).toHaveProperty('team', 'north');
  });

  test('enables an endpoint that the service disabled', async () => {
    const { emulator, webhooks } = emulate();
    const { id } = await webhooks.create(wanted);
    await webhooks.test(id);
    await emulator.settled();
    expect(await webhooks.list()).toMatchObject([{ is_disabled_by_system: true }]);
    const { endpoint } = await webhooks.ensure(wanted);
    expect(endpoint).toMatchObject({ id, is_active: true, is_disabled_by_system: false });
  });

  test('does not choose between several, and changes none', async () => {
    const { webhooks, asked } = emulate();
    await webhooks.create(wanted);
    await webhooks.create({ ...wanted, is_active: false });
    const error = await failure(webhooks.ensure(wanted), ConfigurationError);
    expect(error.message).toContain('several webhook endpoints have this url: 1, 2.');
    expect(asked()).toEqual(['webhooks.create', 'webhooks.create', 'webhooks.list']);
  });
});

describe('where the response to the registration is lost', () => {
  test.each([
    ['with the connection', { effect: 'reset' }],
    ['behind a gateway', { effect: 'respond', status: 504 }],
    ['in the middle of its body', { effect: 'truncate' }],
    ['and a page comes instead', { effect: 'html' }],
  ] as const)(
    '%s, finds the endpoint and says how to get a secret, and registers no second one',
    async (_, fault) => {
      const { emulator, webhooks, asked, stored } = emulate(2);
      emulator.faults.inject({ on: 'webhooks.create', ...fault, processed: true });
      const error = await failure(webhooks.ensure(wanted), WebhookSecretLostError);
      expect(error).toMatchObject({
        name: 'WebhookSecretLostError',
        code: 'webhook_secret_lost',
        endpointId: 1,
        outcome: 'done',
        retryable: false,
      });
      expect(error.message).toContain('webhooks.rotateSecret(1)');
      expect(error.cause).toMatchObject({ operation: 'webhooks.ensure' });
      expect(stored()).toHaveLength(1);
      expect(asked()).toEqual(['webhooks.list', 'webhooks.create', 'webhooks.list']);
      const { secret } = await webhooks.rotateSecret(error.endpointId ?? 0);
      expect(stored()).toMatchObject([{ secret }]);
    },
  );

  const listed = (data: readonly object[]) => ({ body: { success: true, message: null, data } });

  test.each<[string, object[], object]>([
    ...[undefined, null, true, 'x'].map((id): [string, object[], object] => [
      `it is listed with the id ${id}`,
      [{ ...wanted, id }],
      {},
    ]),
    [
      'the list shows several with its url, whose secrets are not known either',
      [
        { ...wanted, id: 3 },
        { ...wanted, id: 2 },
      ],
      { outcome: 'unknown' },
    ],
  ])('and %s, names none', async (_, data, expected) => {
    await using server = startService([listed([]), { status: 500, body: {} }, listed(data)]);
    const error = await failure(createClient(server).webhooks.ensure(wanted), WebhookSecretLostError);
    expect(error).toMatchObject({ endpointId: null, ...expected });
  });

  test('and the list shows none, names none: another call registers the endpoint', async () => {
    const { emulator, webhooks, stored } = emulate(2);
    emulator.faults.inject({ on: 'webhooks.create', effect: 'reset' });
    const error = await failure(webhooks.ensure(wanted), WebhookSecretLostError);
    expect(error).toMatchObject({ endpointId: null, outcome: 'unknown', cause: { code: 'connection' } });
    expect(await webhooks.ensure(wanted)).toMatchObject({ created: true });
    expect(stored()).toHaveLength(1);
  });

  test('is reported once: the next call finds the endpoint, and has no secret', async () => {
    const { emulator, webhooks } = emulate();
    emulator.faults.inject({ on: 'webhooks.create', effect: 'reset', processed: true });
    await failure(webhooks.ensure(wanted), WebhookSecretLostError);
    expect(await webhooks.ensure(wanted)).toMatchObject({
      created: false,
      secret: null,
      endpoint: { id: 1 },
    });
  });

  test('and the list cannot be read either, says that the secret may be lost', async () => {
    const { emulator, webhooks } = emulate();
    emulator.faults.inject({ on: 'webhooks.create', effect: 'reset', processed: true });
    emulator.subscribe((activity) => {
      if (activity.type !== 'request' || activity.request.operation !== 'webhooks.create') return;
      emulator.faults.inject({ on: 'webhooks.list', effect: 'respond', status: 503 });
    });
    const error = await failure(webhooks.ensure(wanted), WebhookSecretLostError);
    expect(error).toMatchObject({ endpointId: null, outcome: 'unknown', retryable: false });
    expect(error.cause).toBeInstanceOf(ConnectionError);
    expect(error.message).toContain('webhooks.rotateSecret(id)');
  });
});

describe('where the service is odd', () => {
  const list = (...data: unknown[]) => ({ body: { success: true, data, meta: { available_events: {} } } });
  const stale = { ...record, events: ['exam_result.scored'] };

  test('an update that was accepted is believed, and the endpoint is returned as the response shows it', async () => {
    await using server = startService([list(stale), { body: { data: stale } }]);
    const { endpoint } = await createClient(server).webhooks.ensure(wanted);
    expect(endpoint.events).toEqual(stale.events);
    expect(server.requests).toHaveLength(2);
  });

  test('an endpoint of somebody else that cannot be read does not block it', async () => {
    await using server = startService([list({ id: 'x', url: 5 }, record), { status: 500 }]);
    expect(await createClient(server).webhooks.ensure(wanted)).toMatchObject({ endpoint: { id: 3 } });
    expect(server.requests).toHaveLength(1);
  });

  test('its own endpoint that cannot be read is updated, and the error takes the advice that it gives', async () => {
    const odd = { ...record, consecutive_failures: 'none' };
    await using server = startService(({ method }) =>
      method === 'GET' ? list(odd) : { body: { data: odd } },
    );
    const { webhooks } = createClient(server);
    const error = await failure(webhooks.ensure(wanted), ResponseValidationError);
    expect(error.message).toContain("validation: 'report'");
    const { endpoint } = await webhooks.ensure(wanted, { validation: 'report' });
    expect(endpoint).toMatchObject({ id: 3, consecutive_failures: 'none' });
  });
});

const record = { ...wanted, ...fresh, id: 3, created_at: '2026-02-01T10:00:00+07:00' };

test.each([undefined, null, true])(
  'an endpoint that is listed with the id %j is not changed as another one',
  async (id) => {
    await using server = startService({
      body: { success: true, message: null, data: [{ ...wanted, id }] },
    });
    const error = await failure(createClient(server).webhooks.ensure(wanted), RequestValidationError);
    expect(error.issues).toMatchObject([{ path: 'id' }]);
    expect(server.requests).toHaveLength(1);
  },
);
