import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { EmulatorOptions } from '../../src/testing/index.ts';
import { at, createEndpoint, createReceiver, pair, type Service, seedPair, startService } from './helpers.ts';

/**
 * The rows of the interface document's tables about fields, states, errors, signatures, events and limits, each
 * named by the table and the row, against the emulator over HTTP.
 */

const ASSIGN = '/exam-participants/assign';
const UNASSIGN = '/exam-participants/unassign';
const completed = 'exam_result.completed';

async function prepared(options: Omit<EmulatorOptions, 'clock'> = {}): Promise<Service> {
  const service = await startService({ fetch: createReceiver().fetch, ...options });
  seedPair(service);
  return service;
}

async function status(service: Service, method: string, path: string, body?: unknown): Promise<number> {
  return (await service.call(method, path, { body })).status;
}

describe('States and transitions, exam assignment', () => {
  test('not assigned, assign: assigned, 201', async () => {
    await using service = await prepared();
    expect(await status(service, 'POST', ASSIGN, pair)).toBe(201);
    expect(service.emulator.control.assignment(pair)).toMatchObject(pair);
  });

  test('assigned, unassign: not assigned, 200', async () => {
    await using service = await prepared();
    await service.call('POST', ASSIGN, { body: pair });
    expect(await status(service, 'POST', UNASSIGN, pair)).toBe(200);
    expect(service.emulator.control.assignment(pair)).toBeUndefined();
  });

  test('started, unassign: started, 400', async () => {
    await using service = await prepared();
    await service.call('POST', ASSIGN, { body: pair });
    const started = service.emulator.control.startExam(pair);
    expect(await status(service, 'POST', UNASSIGN, pair)).toBe(400);
    expect(service.emulator.control.assignment(pair)).toEqual(started);
  });

  test('not assigned, unassign: not assigned, 400', async () => {
    await using service = await prepared();
    expect(await status(service, 'POST', UNASSIGN, pair)).toBe(400);
    expect(service.emulator.control.assignment(pair)).toBeUndefined();
  });
});

describe('States and transitions, webhook endpoint', () => {
  test('active, deliveries answered with non-2xx repeatedly: disabled by the system', async () => {
    await using service = await prepared({ fetch: createReceiver(500, 500).fetch, disableAfterFailures: 2 });
    await createEndpoint(service, [completed]);
    await service.call('POST', '/webhooks/1/test');
    await service.clock.advance(3_600_000);
    const { json } = await service.call('GET', '/webhooks');
    expect(at(json, 'data', 0)).toMatchObject({
      is_disabled_by_system: true,
      disabled_at: expect.any(String),
    });
  });

  test.each(['PATCH', 'PUT'])('any, %s with is_active: active or inactive accordingly', async (method) => {
    await using service = await prepared();
    await createEndpoint(service, [completed]);
    for (const is_active of [false, false, true, true, false]) {
      const { json } = await service.call(method, '/webhooks/1', { body: { is_active } });
      expect(at(json, 'data', 'is_active')).toBe(is_active);
    }
  });
});

describe('Authentication', () => {
  test('participant and exam operations: X-Client-Key; a key that is not valid is 401', async () => {
    await using service = await prepared();
    expect((await service.call('GET', '/exams', { headers: { 'X-Client-Key': 'test-key' } })).status).toBe(
      200,
    );
    expect((await service.call('GET', '/exams', { headers: { 'X-Client-Key': 'wrong' } })).status).toBe(401);
  });

  test('webhook management operations: Authorization Bearer; a key that is not valid is 401', async () => {
    await using service = await prepared();
    expect(
      (await service.call('GET', '/webhooks', { headers: { Authorization: 'Bearer test-key' } })).status,
    ).toBe(200);
    expect(
      (await service.call('GET', '/webhooks', { headers: { Authorization: 'Bearer wrong' } })).status,
    ).toBe(401);
  });
});

describe('Errors', () => {
  test('400, import: invalid JSON', async () => {
    await using service = await prepared();
    expect(await status(service, 'POST', '/participants/import', '{')).toBe(400);
  });

  test('400, import: the total would exceed the limit', async () => {
    await using service = await prepared({ maxParticipants: 1 });
    const participants = [{ email: 'new@example.test', name: 'New', password: 'secret' }];
    expect(await status(service, 'POST', '/participants/import', { participants })).toBe(400);
  });

  test.each([{ active: false }, { verified: false }])(
    '400, assign: participant not active or not verified (%j)',
    async (state) => {
      await using service = await prepared();
      service.emulator.control.setParticipant(1, state);
      expect(await status(service, 'POST', ASSIGN, pair)).toBe(400);
    },
  );

  test('400, assign: the number of exam participants exceeds the limit', async () => {
    await using service = await prepared({ maxParticipantsPerExam: 0 });
    expect(await status(service, 'POST', ASSIGN, pair)).toBe(400);
  });

  test('400, assign: already registered', async () => {
    await using service = await prepared();
    await service.call('POST', ASSIGN, { body: pair });
    expect(await status(service, 'POST', ASSIGN, pair)).toBe(400);
  });

  test('403, all operations: client inactive', async () => {
    await using service = await prepared();
    service.emulator.control.setClientActive(false);
    expect(await status(service, 'GET', '/exams')).toBe(403);
    expect(await status(service, 'GET', '/webhooks')).toBe(403);
  });

  test.each([ASSIGN, UNASSIGN])('404, %s: participant or exam not found', async (path) => {
    await using service = await prepared();
    expect(await status(service, 'POST', path, { ...pair, participant_id: 9 })).toBe(404);
    expect(await status(service, 'POST', path, { ...pair, exam_id: 9 })).toBe(404);
  });

  test.each(['1&exam_id=1', '9&exam_id=1', '1&exam_id=9'])(
    '404, link: not assigned or not found (%s)',
    async (ids) => {
      await using service = await prepared();
      expect(await status(service, 'GET', `/exam-participants/link?participant_id=${ids}`)).toBe(404);
    },
  );

  test.each(['GET', 'PUT'])('404, %s /participants/{id}', async (method) => {
    await using service = await prepared();
    const body = method === 'PUT' ? { name: 'New' } : undefined;
    expect(await status(service, method, '/participants/9', body)).toBe(404);
  });

  test.each([
    ['POST', '/participants/import', { participants: [{}] }],
    ['PUT', '/participants/1', { name: 5 }],
    ['POST', ASSIGN, { participant_id: 'x' }],
    ['POST', UNASSIGN, { participant_id: 'x' }],
  ])('422, %s %s: validation error', async (method, path, body) => {
    await using service = await prepared();
    expect(await status(service, method, path, body)).toBe(422);
  });

  test.each([
    ['participants.import', 'POST', '/participants/import'],
    ['participants.update', 'PUT', '/participants/1'],
    ['examParticipants.assign', 'POST', ASSIGN],
    ['examParticipants.unassign', 'POST', UNASSIGN],
  ] as const)('500, %s: on demand', async (on, method, path) => {
    await using service = await prepared();
    service.emulator.faults.inject({ on, effect: { type: 'respond', status: 500 } });
    expect(await status(service, method, path, {})).toBe(500);
    expect(await status(service, method, path, {})).not.toBe(500);
  });
});

test('Webhook request signature: HMAC-SHA256 of "<t>.<raw body>" in hex, within the tolerance of 300 s', async () => {
  const receiver = createReceiver();
  await using service = await prepared({ fetch: receiver.fetch });
  const { secret } = await createEndpoint(service, [completed]);
  await service.call('POST', '/webhooks/1/test');
  await service.emulator.settled();
  const [delivery] = receiver.received;
  const header = delivery?.headers.get('x-cbt-signature') ?? '';
  const [, time, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  expect(mac).toBe(createHmac('sha256', secret).update(`${time}.${delivery?.body}`).digest('hex'));
  expect(Math.abs(Number(time) - service.clock.now() / 1000)).toBeLessThanOrEqual(300);
});

test.each([
  ['exam_participant.registered', async (service: Service) => service.call('POST', ASSIGN, { body: pair })],
  [
    'exam_participant.unregistered',
    async (service: Service) => {
      await service.call('POST', ASSIGN, { body: pair });
      await service.call('POST', UNASSIGN, { body: pair });
    },
  ],
  [
    completed,
    async (service: Service) => {
      await service.call('POST', ASSIGN, { body: pair });
      service.emulator.control.startExam(pair);
      service.emulator.control.finishExam({ ...pair, score: 80 });
    },
  ],
  [
    'exam_result.scored',
    async (service: Service) => {
      service.emulator.control.seedResults([pair]);
      service.emulator.control.rescore(1, 80);
    },
  ],
])(
  'Events: %s is delivered with event, created_at and data, and only to who lists it',
  async (event, cause) => {
    const receiver = createReceiver();
    await using service = await prepared({ fetch: receiver.fetch });
    await createEndpoint(service, [event]);
    await cause(service);
    await service.emulator.settled();
    expect(receiver.received.map(({ json }) => json)).toEqual([
      {
        event,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/),
        data: expect.any(Object),
      },
    ]);
  },
);

test.each([
  ['url', 2048, `https://receiver.example.test/`],
  ['description', 255, ''],
] as const)('Limits: %s has at most %i characters', async (field, length, start) => {
  await using service = await prepared();
  const body = { url: 'https://receiver.example.test/', events: [completed] };
  expect(await status(service, 'POST', '/webhooks', { ...body, [field]: start.padEnd(length, 'x') })).toBe(
    201,
  );
  expect(
    await status(service, 'POST', '/webhooks', { ...body, [field]: start.padEnd(length + 1, 'x') }),
  ).toBe(422);
  expect(await status(service, 'PATCH', '/webhooks/1', { [field]: start.padEnd(length + 1, 'x') })).toBe(422);
});
