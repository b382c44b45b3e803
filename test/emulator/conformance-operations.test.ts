import { describe, expect, test } from 'vitest';
import { at, createEndpoint, createReceiver, pair, type Service, startService, textAt } from './helpers.ts';

/**
 * The documented endpoints of the service's API, each case under the name of its group, against the emulator over HTTP.
 */

const ana = { email: 'ana@example.test', name: 'Ana', password: 'secret' };
const endpoint = { url: 'https://receiver.example.test/hooks', events: ['exam_result.completed'] };

async function prepared(): Promise<Service> {
  const service = await startService({ fetch: createReceiver().fetch });
  service.emulator.control.seedParticipants(2);
  service.emulator.control.seedExams(2);
  return service;
}

describe('Endpoints, participants', () => {
  test('POST /participants/import: 201 when participants were imported or updated', async () => {
    await using service = await prepared();
    const body = { participants: [ana] };
    expect((await service.call('POST', '/participants/import', { body })).status).toBe(201);
    expect((await service.call('POST', '/participants/import', { body })).status).toBe(201);
  });

  test.each(['email', 'name', 'password'] as const)(
    'POST /participants/import: each item requires %s, a string',
    async (field) => {
      await using service = await prepared();
      for (const value of [undefined, null, 5, ['x']]) {
        const body = { participants: [ana, { ...ana, [field]: value }] };
        const answer = await service.call('POST', '/participants/import', { body });
        expect(answer.status).toBe(422);
        expect(at(answer.json, 'errors')).toHaveProperty([`participants.1.${field}`]);
      }
    },
  );

  test('POST /participants/import: participants is required, an array, at least one', async () => {
    await using service = await prepared();
    for (const body of [{}, { participants: null }, { participants: {} }, { participants: [] }]) {
      expect((await service.call('POST', '/participants/import', { body })).status).toBe(422);
    }
  });

  test('GET /participants/{id}: 200 with the participant', async () => {
    await using service = await prepared();
    expect(await service.call('GET', '/participants/2')).toMatchObject({
      status: 200,
      json: { data: { id: 2 } },
    });
  });

  test('PUT /participants/{id}: 200 when updated; only supplied fields change', async () => {
    await using service = await prepared();
    const before = service.emulator.control.participant(2);
    expect((await service.call('PUT', '/participants/2', { body: { name: 'New' } })).status).toBe(200);
    expect(service.emulator.control.participant(2)).toMatchObject({ ...before, name: 'New' });
  });

  test('GET /participants: 200', async () => {
    await using service = await prepared();
    expect((await service.call('GET', '/participants')).status).toBe(200);
  });
});

describe('Endpoints, exam assignment', () => {
  test.each([
    ['POST /exam-participants/assign', 201],
    ['POST /exam-participants/unassign', 200],
  ] as const)('%s: participant_id and exam_id, integers, required; %i', async (row, status) => {
    await using service = await prepared();
    const path = row.split(' ')[1] ?? '';
    for (const body of [{}, { participant_id: 1 }, { exam_id: 1 }, { participant_id: true, exam_id: [] }]) {
      expect((await service.call('POST', path, { body })).status).toBe(422);
    }
    if (status === 200) await service.call('POST', '/exam-participants/assign', { body: pair });
    expect((await service.call('POST', path, { body: pair })).status).toBe(status);
  });

  test('GET /exam-participants/link: 200 with a generated unique link', async () => {
    await using service = await prepared();
    await service.call('POST', '/exam-participants/assign', { body: pair });
    const answer = await service.call('GET', '/exam-participants/link?participant_id=1&exam_id=1');
    expect(answer.status).toBe(200);
    expect(URL.canParse(textAt(answer.json, 'data', 'link'))).toBe(true);
  });
});

describe('Endpoints, exams and results', () => {
  test.each(['/exams', '/exam-results'])(
    'GET %s: limit 1 to 100, default 10; page from 1, default 1',
    async (path) => {
      await using service = await prepared();
      const { json } = await service.call('GET', path);
      expect(at(json, 'meta')).toMatchObject({ per_page: 10, current_page: 1 });
      for (const query of ['limit=1&page=1', 'limit=100&page=99']) {
        expect((await service.call('GET', `${path}?${query}`)).status).toBe(200);
      }
      for (const query of ['limit=0', 'limit=101', 'page=0']) {
        expect((await service.call('GET', `${path}?${query}`)).status).toBe(422);
      }
    },
  );

  test('GET /exams/{id}: 200', async () => {
    await using service = await prepared();
    expect(await service.call('GET', '/exams/2')).toMatchObject({ status: 200, json: { data: { id: 2 } } });
  });

  test('GET /exam-results: both filters may be combined', async () => {
    await using service = await prepared();
    const pairs = [1, 2].flatMap((participant_id) => [1, 2].map((exam_id) => ({ participant_id, exam_id })));
    service.emulator.control.seedResults(pairs);
    const { json } = await service.call('GET', '/exam-results?participant_id=2&exam_id=1');
    expect(at(json, 'data')).toHaveLength(1);
    expect(at(json, 'data', 0)).toMatchObject({ participant: { id: 2 }, exam: { id: 1 } });
  });
});

describe('Endpoints, webhook endpoints', () => {
  test('GET /webhooks: array without secret; meta.available_events maps names to descriptions', async () => {
    await using service = await prepared();
    await createEndpoint(service, endpoint.events);
    const { json } = await service.call('GET', '/webhooks');
    expect(at(json, 'data', 0)).not.toHaveProperty('secret');
    expect(Object.values(at(json, 'meta', 'available_events') ?? {})).toEqual(
      Array(4).fill(expect.any(String)),
    );
  });

  test('POST /webhooks: the created endpoint including secret; is_active by default; at most five', async () => {
    await using service = await prepared();
    for (let count = 0; count < 5; count += 1) {
      const { json } = await service.call('POST', '/webhooks', { body: endpoint });
      expect(at(json, 'data')).toMatchObject({
        is_active: true,
        description: null,
        secret: expect.any(String),
      });
    }
    expect((await service.call('POST', '/webhooks', { body: endpoint })).status).toBe(422);
  });

  test.each(['PATCH', 'PUT'])(
    '%s /webhooks/{id}: the updated endpoint; secret only when rotate_secret',
    async (method) => {
      await using service = await prepared();
      await createEndpoint(service, endpoint.events);
      const plain = await service.call(method, '/webhooks/1', {
        body: { description: 'x', rotate_secret: false },
      });
      expect(at(plain.json, 'data')).toMatchObject({ id: 1, description: 'x' });
      expect(at(plain.json, 'data')).not.toHaveProperty('secret');
      const rotated = await service.call(method, '/webhooks/1', { body: { rotate_secret: true } });
      expect(at(rotated.json, 'data')).toMatchObject({ id: 1, secret: expect.any(String) });
    },
  );

  test('DELETE /webhooks/{id}: data is null', async () => {
    await using service = await prepared();
    await createEndpoint(service, endpoint.events);
    expect((await service.call('DELETE', '/webhooks/1')).json).toMatchObject({ success: true, data: null });
  });

  test('GET /webhooks/{id}/deliveries: array; meta.pagination with six integers; per_page 1 to 100, default 25', async () => {
    await using service = await prepared();
    await createEndpoint(service, endpoint.events);
    await service.call('POST', '/webhooks/1/test');
    await service.emulator.settled();
    const { json } = await service.call('GET', '/webhooks/1/deliveries');
    expect(at(json, 'data')).toHaveLength(1);
    expect(at(json, 'meta', 'pagination')).toEqual({
      total: 1,
      per_page: 25,
      current_page: 1,
      last_page: 1,
      from: 1,
      to: 1,
    });
    for (const perPage of [0, 101]) {
      expect((await service.call('GET', `/webhooks/1/deliveries?per_page=${perPage}`)).status).toBe(422);
    }
  });

  test('POST /webhooks/{id}/test: queued is true; exam_result.completed when the event is absent or not recognised', async () => {
    await using service = await prepared();
    await createEndpoint(service, endpoint.events);
    for (const body of [{}, { event: 'unheard.of' }]) {
      const answer = await service.call('POST', '/webhooks/1/test', { body });
      expect(at(answer.json, 'data')).toEqual({ queued: true });
    }
    await service.emulator.settled();
    expect(service.emulator.deliveries.map(({ event }) => event)).toEqual(
      Array(2).fill('exam_result.completed'),
    );
  });
});
