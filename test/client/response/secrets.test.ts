import { describe, expect, test } from 'vitest';
import {
  type ExamClient,
  type OnSchemaDriftEvent,
  ResponseValidationError,
  type ValidationMode,
} from '../../../src/index.ts';
import { endpoint, fresh } from '../../fixtures/responses/webhooks.ts';
import { createClient, failure, nowhere } from '../../helpers/client.ts';

const { id, url, events } = endpoint;
const secret = 'whsec-shown-once';
const modes: ValidationMode[] = ['strict', 'report', 'off'];

/** What a fresh record leaves out, which reads as false, 0 and null. */
const { is_active: _, ...initial } = fresh;

const showing: [string, (client: ExamClient, validation?: ValidationMode) => Promise<{ secret: string }>][] =
  [
    [
      'create',
      (client, validation) => client.webhooks.create({ url, events: ['exam_result.scored'] }, { validation }),
    ],
    ['rotateSecret', (client, validation) => client.webhooks.rotateSecret(3, { validation })],
  ];

function respondingWith(body: unknown) {
  const drifts: OnSchemaDriftEvent[] = [];
  const sent: unknown[] = [];
  const client = createClient(nowhere, {
    fetch: async (_, { body: given }) => {
      sent.push(JSON.parse(given ?? 'null'));
      return Response.json(body, { status: 201 });
    },
    hooks: { onSchemaDrift: (event) => drifts.push(event) },
  });
  return { client, drifts, sent };
}

describe.each(showing)('%s', (_, run) => {
  test.each(modes)('gives an id and a secret alone in mode %s', async (validation) => {
    const { client } = respondingWith({ data: { id, secret } });
    expect(await run(client, validation)).toMatchObject({ id, secret });
  });

  test.each(modes)(
    'gives the secret in mode %s although every other field has another type',
    async (mode) => {
      const wrong = Object.fromEntries(Object.keys(endpoint).map((name) => [name, { of: 'another type' }]));
      const { client } = respondingWith({ data: { ...wrong, id, secret } });
      expect(await run(client, mode)).toEqual({ ...wrong, id, secret });
    },
  );

  test('reads what a fresh record leaves out as false, 0 and null, and reports no drift', async () => {
    const { created_at, is_active } = endpoint;
    const fresh = { id, url, events, is_active, created_at, secret };
    const { client, drifts } = respondingWith({ data: fresh });
    expect(await run(client)).toEqual({ ...initial, ...fresh });
    expect(drifts).toEqual([]);
  });

  test('reports what else differs as drift, by path, and fills in the rest', async () => {
    const { client, drifts } = respondingWith({ data: { id, secret, url, events: 'all', is_active: true } });
    expect(await run(client)).toEqual({ ...initial, id, secret, url, events: 'all', is_active: true });
    expect(drifts).toHaveLength(1);
    const paths = drifts[0]?.issues.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['data.events', 'data.created_at']));
    expect(JSON.stringify(drifts)).not.toContain(secret);
  });

  test('gives a secret whose id came as a string, and reports that as drift', async () => {
    const { client, drifts } = respondingWith({ ...endpoint, id: '7', secret });
    expect(await run(client)).toMatchObject({ id: '7', secret });
    expect(drifts[0]?.issues).toMatchObject([{ path: 'id' }]);
  });

  test.each(modes)('gives a secret without an id in mode %s', async (validation) => {
    const { client } = respondingWith({ data: { ...endpoint, id: undefined, secret } });
    expect(await run(client, validation)).toMatchObject({ secret });
  });

  describe.each(modes)('fails in mode %s', (validation) => {
    test.each([
      ['without a secret', { data: endpoint }],
      ['with a secret that is not a string', { data: { ...endpoint, secret: { value: secret } } }],
      ['with an empty secret', { data: { ...endpoint, secret: '' } }],
      ['with a message alone', { success: true, message: 'Created', data: null }],
    ])('%s', async (_what, body) => {
      const error = await failure(run(respondingWith(body).client, validation), ResponseValidationError);
      expect(error).toMatchObject({ outcome: 'done', retryable: false });
      expect(error.message).not.toContain(secret);
    });
  });
});

describe('update', () => {
  test('without a new secret stays strict, as nothing is lost by reading the endpoint again', async () => {
    const { client } = respondingWith({ id, secret });
    await failure(client.webhooks.update(3, { is_active: true }), ResponseValidationError);
  });
});
