import { describe, expect, test } from 'vitest';
import {
  at,
  clientKey,
  createEndpoint,
  createReceiver,
  type Service,
  startService,
  statusOf,
} from './helpers.ts';

/**
 * The documented limits and versions of the service's API, each case under the name of its group, against the emulator
 * over HTTP. The tolerance of a signature is a rule for receivers: a fault goes beyond it.
 */

const completed = 'exam_result.completed';
const endpoint = { url: 'https://receiver.example.test/', events: [completed] };

async function statuses(service: Service, paths: readonly string[]): Promise<number[]> {
  return Promise.all(paths.map((path) => statusOf(service, 'GET', path)));
}

describe('Limits', () => {
  describe.each(['/exams', '/exam-results'])('GET %s', (path) => {
    test('limit per page: 1 to 100, default 10', async () => {
      await using service = await startService();
      expect(at((await service.call('GET', path)).json, 'meta', 'per_page')).toBe(10);
      const asked = [0, 1, 100, 101, -1, 'x', 1.5].map((limit) => `${path}?limit=${limit}`);
      expect(await statuses(service, asked)).toEqual([422, 200, 200, 422, 422, 422, 422]);
    });

    test('page: minimum 1, default 1', async () => {
      await using service = await startService();
      expect(at((await service.call('GET', path)).json, 'meta', 'current_page')).toBe(1);
      const asked = [0, 1, 1000, -1, 'x'].map((page) => `${path}?page=${page}`);
      expect(await statuses(service, asked)).toEqual([422, 200, 200, 422, 422]);
    });
  });

  describe('GET /webhooks/{id}/deliveries', () => {
    async function withEndpoint(): Promise<Service> {
      const service = await startService({ fetch: createReceiver().fetch });
      await createEndpoint(service, [completed]);
      return service;
    }

    test('per_page: 1 to 100, default 25', async () => {
      await using service = await withEndpoint();
      const { json } = await service.call('GET', '/webhooks/1/deliveries');
      expect(at(json, 'meta', 'pagination', 'per_page')).toBe(25);
      const asked = [0, 1, 100, 101].map((size) => `/webhooks/1/deliveries?per_page=${size}`);
      expect(await statuses(service, asked)).toEqual([422, 200, 200, 422]);
    });

    test('page: default 1', async () => {
      await using service = await withEndpoint();
      const { json } = await service.call('GET', '/webhooks/1/deliveries');
      expect(at(json, 'meta', 'pagination', 'current_page')).toBe(1);
    });
  });

  test('webhook endpoints: at most 5 per project', async () => {
    await using service = await startService();
    const answers: number[] = [];
    for (let count = 0; count < 6; count += 1)
      answers.push(await statusOf(service, 'POST', '/webhooks', endpoint));
    expect(answers).toEqual([201, 201, 201, 201, 201, 422]);
    await service.call('DELETE', '/webhooks/2');
    expect(await statusOf(service, 'POST', '/webhooks', endpoint)).toBe(201);
  });

  test.each([
    ['url', 2048, 'https://receiver.example.test/'],
    ['description', 255, ''],
  ] as const)(
    'webhook %s length: at most %i characters, on POST and on PATCH',
    async (field, length, start) => {
      await using service = await startService();
      const longest = { [field]: start.padEnd(length, 'x') };
      const longer = { [field]: start.padEnd(length + 1, 'x') };
      expect(await statusOf(service, 'POST', '/webhooks', { ...endpoint, ...longest })).toBe(201);
      expect(await statusOf(service, 'POST', '/webhooks', { ...endpoint, ...longer })).toBe(422);
      expect(await statusOf(service, 'PATCH', '/webhooks/1', longest)).toBe(200);
      expect(await statusOf(service, 'PATCH', '/webhooks/1', longer)).toBe(422);
    },
  );

  test('signature timestamp tolerance: what is signed is younger than 300 seconds, unless a fault ages it', async () => {
    const receiver = createReceiver();
    await using service = await startService({ fetch: receiver.fetch });
    await createEndpoint(service, [completed]);
    for (const faulty of [false, true]) {
      if (faulty) service.emulator.faults.injectDelivery({ effect: 'stale-timestamp' });
      await service.call('POST', '/webhooks/1/test');
      await service.emulator.settled();
    }
    const ages = receiver.received.map(
      ({ headers }) =>
        service.clock.now() / 1000 - Number(/^t=(\d+)/.exec(headers.get('x-cbt-signature') ?? '')?.[1]),
    );
    expect(ages).toEqual([0, 600]);
  });
});

describe('Versioning', () => {
  test('the version is part of the path prefix', async () => {
    await using service = await startService();
    const { origin } = new URL(service.url);
    const answers = await Promise.all(
      ['/exams', '/api/exams', '/api/v2/exams', '/api/v1/exams'].map(
        async (path) => (await fetch(origin + path, { headers: clientKey })).status,
      ),
    );
    expect(answers).toEqual([404, 404, 404, 200]);
  });

  test.each([
    ['participant_id', 'exam_id=1'],
    ['exam_id', 'participant_id=1'],
  ])('GET /exam-participants/link: %s became required', async (missing, query) => {
    await using service = await startService();
    const answer = await service.call('GET', `/exam-participants/link?${query}`);
    expect(answer.status).toBe(422);
    expect(at(answer.json, 'errors')).toHaveProperty(missing);
  });

  test.each(['/exam-results', '/exams', '/exams/1', '/participants', '/participants/1'])(
    'a 200 response was added to GET %s',
    async (path) => {
      await using service = await startService();
      service.emulator.control.seedParticipants(1);
      service.emulator.control.seedExams(1);
      expect(await statusOf(service, 'GET', path)).toBe(200);
    },
  );

  test('a 404 response was added to PUT /participants/{id}', async () => {
    await using service = await startService();
    expect(await statusOf(service, 'PUT', '/participants/1', { name: 'New' })).toBe(404);
  });
});
