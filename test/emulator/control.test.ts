import { describe, expect, test } from 'vitest';
import { createEmulator, createManualClock } from '../../src/testing/index.ts';
import { longTest } from '../helpers/long-test.ts';
import { at, clientKey, createEndpoint, createReceiver, pair, seedPair, startService } from './helpers.ts';

const ASSIGN = '/exam-participants/assign';

describe('seeding', () => {
  test('makes up what is not given', () => {
    const { control } = createEmulator();
    const [first, second] = control.seedParticipants(2);
    expect(first).toMatchObject({
      id: 1,
      email: 'participant1@example.test',
      name: 'Participant 1',
      is_active: true,
    });
    expect(second).toMatchObject({ id: 2, email_verified_at: expect.any(Number) });
    expect(control.seedExams([{ name: 'Physics' }])).toMatchObject([
      { id: 1, name: 'Physics', name_short: 'EX-1' },
    ]);
  });

  test('takes ids as they are given, and goes on after the highest', () => {
    const { control } = createEmulator();
    control.seedParticipants([{ id: 40 }, { id: 7 }]);
    expect(control.seedParticipants(1)).toMatchObject([{ id: 41 }]);
  });

  test('rejects an id or an email that is taken, an id that is none, and a result of nobody', () => {
    const { control } = createEmulator();
    control.seedParticipants([{ id: 1, email: 'ana@example.test' }]);
    control.seedExams([{ id: 1 }]);
    expect(() => control.seedParticipants([{ id: 1 }])).toThrow('The id 1 is taken.');
    expect(() => control.seedParticipants([{ email: 'ana@example.test' }])).toThrow(
      'The email ana@example.test is taken.',
    );
    expect(() => control.seedExams([{ id: 1 }])).toThrow('The id 1 is taken.');
    expect(() => control.seedExams([{ id: 0 }])).toThrow('An id is a whole number above 0, not 0.');
    expect(() => control.seedResults([{ participant_id: 1, exam_id: 2 }])).toThrow('no exam 2');
    expect(() => control.seedResults([{ ...pair, score: Number.NaN }])).toThrow(
      'A score is a number, not NaN.',
    );
  });

  test('a seeded result is of an assignment that has started', async () => {
    await using service = await startService();
    seedPair(service);
    service.emulator.control.seedResults([pair]);
    expect((await service.call('POST', '/exam-participants/unassign', { body: pair })).status).toBe(400);
    expect((await service.call('POST', ASSIGN, { body: pair })).status).toBe(400);
  });

  test('announces nothing and knows no ceiling', async () => {
    const receiver = createReceiver();
    await using service = await startService({
      fetch: receiver.fetch,
      maxParticipants: 1,
      maxParticipantsPerExam: 0,
    });
    await createEndpoint(service, ['exam_result.completed', 'exam_participant.registered']);
    service.emulator.control.seedParticipants(5);
    service.emulator.control.seedExams(2);
    service.emulator.control.seedResults([pair]);
    service.emulator.control.seedAssignments([{ ...pair, exam_id: 2 }]);
    await service.emulator.settled();
    expect(receiver.received).toEqual([]);
    expect(at((await service.call('GET', '/participants')).json, 'meta', 'total')).toBe(5);
  });
});

describe('an exam that is taken', () => {
  test('goes from assigned to started to finished', async () => {
    await using service = await startService();
    const { control } = service.emulator;
    seedPair(service);
    expect(() => control.startExam(pair)).toThrow('Participant 1 is not assigned to exam 1.');
    await service.call('POST', ASSIGN, { body: pair });
    expect(control.assignment(pair)).toMatchObject({ id: 1, started_at: null, finished_at: null });
    expect(() => control.finishExam({ ...pair, score: 1 })).toThrow('Participant 1 has not started exam 1.');
    control.startExam(pair);
    expect(() => control.startExam(pair)).toThrow('Participant 1 has already started exam 1.');
    await service.clock.advance(1000);
    expect(() => control.finishExam({ ...pair, score: Infinity })).toThrow(RangeError);
    expect(control.finishExam({ ...pair, score: 61.5 })).toMatchObject({ id: 1, status: 2, score: 61.5 });
    expect(control.assignment(pair)).toMatchObject({
      started_at: Date.UTC(2025, 2, 1, 1),
      finished_at: Date.UTC(2025, 2, 1, 1, 0, 1),
    });
    expect(() => control.finishExam({ ...pair, score: 1 })).toThrow(
      'Participant 1 has already finished exam 1.',
    );
  });
});

test('what a participant is can be changed one by one, and what was handed out stays as it was', () => {
  const { control } = createEmulator({ clock: createManualClock(5000) });
  const [before] = control.seedParticipants([{ active: false, verified: false }]);
  expect(control.setParticipant(1, { verified: true })).toMatchObject({
    is_active: false,
    email_verified_at: 5000,
  });
  expect(control.setParticipant(1, { active: true })).toMatchObject({
    is_active: true,
    email_verified_at: 5000,
  });
  expect(control.setParticipant(1, { verified: false })).toMatchObject({
    is_active: true,
    email_verified_at: null,
  });
  expect(before).toMatchObject({ is_active: false, email_verified_at: null });
  expect(() => control.setParticipant(2, {})).toThrow('There is no participant 2.');
});

test('requests are there to look at, those to nowhere too', async () => {
  await using service = await startService();
  await service.call('POST', '/participants/import?dry=1', { body: { participants: [] } });
  await service.call('GET', '/nowhere');
  expect(service.emulator.requests).toMatchObject([
    {
      operation: 'participants.import',
      method: 'POST',
      path: '/api/v1/participants/import',
      query: { dry: '1' },
      headers: { 'x-client-key': 'test-key', 'content-type': 'application/json' },
      body: '{"participants":[]}',
      received_at: Date.UTC(2025, 2, 1, 1),
      status: 422,
      id: 1,
      fault: null,
      response: expect.stringContaining('The participants field is required.'),
    },
    { operation: null, path: '/api/v1/nowhere', body: '', status: 404, id: 2 },
  ]);
});

longTest('the last 10,000 requests are kept', async () => {
  const emulator = createEmulator();
  for (let count = 0; count <= 10_000; count += 1) {
    await emulator.fetch(`https://service.example.test/api/v1/exams/${count}`, { headers: clientKey });
  }
  expect(emulator.requests).toHaveLength(10_000);
  expect(emulator.requests[0]?.path).toBe('/api/v1/exams/1');
});

test('a reset forgets data, requests, deliveries, faults and waiting retries', async () => {
  const receiver = createReceiver(500);
  await using service = await startService({ fetch: receiver.fetch });
  const { emulator } = service;
  seedPair(service);
  await createEndpoint(service, ['exam_result.completed']);
  await service.call('POST', '/webhooks/1/test');
  await emulator.settled();
  emulator.control.setClientActive(false);
  emulator.faults.inject({ effect: 'html' });
  emulator.faults.injectDelivery({ effect: 'duplicate' });
  emulator.reset();
  expect(emulator.faults.waiting).toEqual([]);
  expect(emulator.requests).toEqual([]);
  expect(emulator.deliveries).toEqual([]);
  expect(at((await service.call('GET', '/participants')).json, 'data')).toEqual([]);
  expect(at((await service.call('GET', '/webhooks')).json, 'data')).toEqual([]);
  expect(emulator.requests.map(({ id }) => id)).toEqual([1, 2]);
  await service.clock.advance(24 * 3600 * 1000);
  expect(receiver.received).toHaveLength(1);
  expect(emulator.control.seedParticipants(1)).toMatchObject([{ id: 1 }]);
});

test('an attempt that ends after a reset leaves no trace and is not repeated', async () => {
  let respond = (_response: Response): void => {};
  const response = new Promise<Response>((resolve) => {
    respond = resolve;
  });
  await using service = await startService({ fetch: () => response });
  await createEndpoint(service, ['exam_result.completed']);
  await service.call('POST', '/webhooks/1/test');
  service.emulator.reset();
  respond(new Response(null, { status: 500 }));
  await service.clock.advance(24 * 3600 * 1000);
  expect(at((await service.call('GET', '/webhooks')).json, 'data')).toEqual([]);
});

test('a request whose body ends after a reset leaves no trace', async () => {
  const emulator = createEmulator();
  const body = new TransformStream<Uint8Array>();
  const headers = { 'X-Client-Key': 'test-key', 'Content-Type': 'application/json' };
  const init = { method: 'POST', headers, body: body.readable, duplex: 'half' };
  const response = emulator.fetch('https://exams.example.test/api/v1/participants/import', init);
  const types: string[] = [];
  emulator.reset();
  emulator.subscribe(({ type }) => types.push(type));
  const writer = body.writable.getWriter();
  await writer.write(new TextEncoder().encode('{}'));
  await writer.close();
  expect((await response).status).toBe(422);
  expect(emulator.requests).toEqual([]);
  expect(types).toEqual([]);
});

test.each([
  [{ apiKey: ' ' }, TypeError],
  [{ maxParticipants: -1 }, RangeError],
  [{ maxParticipantsPerExam: Number.NaN }, RangeError],
  [{ disableAfterFailures: 0 }, RangeError],
  [{ retryDelays: [1000, -1] }, RangeError],
  [{ deliveryTimeout: 0 }, RangeError],
  [{ style: 'fancy' as 'bare' }, RangeError],
])('the options %j are rejected', (options, error) => {
  expect(() => createEmulator(options)).toThrow(error);
});

describe('what administrators do', () => {
  const all = ['exam_participant.registered', 'exam_participant.unregistered', 'exam_result.completed'];

  test('a participant is assigned and unassigned by the rules of the service, with its events', async () => {
    const receiver = createReceiver();
    await using service = await startService({ fetch: receiver.fetch });
    const { control } = service.emulator;
    seedPair(service);
    await createEndpoint(service, all);
    expect(control.assign(pair)).toMatchObject({ ...pair, started_at: null });
    expect(() => control.assign(pair)).toThrow('already registered');
    control.unassign(pair);
    expect(() => control.unassign(pair)).toThrow('not registered');
    control.setParticipant(1, { active: false });
    expect(() => control.assign(pair)).toThrow('not active');
    expect(() => control.assign({ ...pair, exam_id: 9 })).toThrow(RangeError);
    await service.emulator.settled();
    expect(receiver.received.map(({ json }) => at(json, 'event'))).toEqual(all.slice(0, 2));
  });

  test('an endpoint is switched off, on again, and deleted', async () => {
    await using service = await startService({ fetch: createReceiver(500).fetch, disableAfterFailures: 1 });
    const { control, deliveries } = service.emulator;
    control.seedWebhooks([{ url: 'https://receiver.example.test/hooks' }]);
    control.testDelivery(1);
    await service.emulator.settled();
    expect(control.setWebhook(1, { active: false })).toMatchObject({ is_active: false });
    expect(control.setWebhook(1, { active: true })).toMatchObject({
      is_active: true,
      is_disabled_by_system: false,
      consecutive_failures: 0,
    });
    // During an attempt, which is then recorded for nobody.
    service.emulator.subscribe(({ type }) => type === 'delivery' && control.removeWebhook(1));
    control.testDelivery(1);
    await service.emulator.settled();
    expect(at((await service.call('GET', '/webhooks')).json, 'data')).toEqual([]);
    expect(() => control.setWebhook(1, { active: true })).toThrow(RangeError);
    expect(() => control.removeWebhook(1)).toThrow(RangeError);
    for (const { delivery_id: id } of deliveries) expect(() => control.resend(id)).toThrow('no delivery');
  });

  describe('a delivery is sent again', () => {
    async function delivered({ fetch }: ReturnType<typeof createReceiver>) {
      const service = await startService({ fetch });
      service.emulator.control.seedWebhooks([{ url: 'https://receiver.example.test/hooks' }]);
      service.emulator.control.testDelivery(1);
      await service.emulator.settled();
      return service;
    }

    test('as it was, once it was delivered', async () => {
      const receiver = createReceiver();
      await using service = await delivered(receiver);
      const { emulator } = service;
      const [sent] = emulator.snapshot().deliveries;
      await service.clock.advance(60_000);
      emulator.control.resend(String(sent?.id));
      await emulator.settled();
      const [first, second] = receiver.received;
      expect(second?.body).toBe(first?.body);
      expect(second?.headers.get('x-cbt-signature')).not.toBe(first?.headers.get('x-cbt-signature'));
      expect(emulator.snapshot().deliveries).toMatchObject([
        { id: sent?.id, status: 'delivered', attempts: 2, delivered_at: service.clock.now() },
      ]);
    });

    test('in place of the retry that it waits for', async () => {
      const receiver = createReceiver(500);
      await using service = await delivered(receiver);
      const { emulator } = service;
      emulator.control.resend(String(emulator.snapshot().deliveries[0]?.id));
      await emulator.settled();
      await service.clock.advance(3_600_000);
      expect(receiver.received).toHaveLength(2);
      expect(emulator.snapshot().deliveries).toMatchObject([{ status: 'delivered', attempts: 2 }]);
    });

    test('once where it is asked for twice before it was sent', async () => {
      const receiver = createReceiver();
      await using service = await delivered(receiver);
      const { emulator } = service;
      const id = String(emulator.snapshot().deliveries[0]?.id);
      emulator.control.resend(id);
      expect(() => emulator.control.resend(id)).toThrow('is being sent');
      await emulator.settled();
      expect(receiver.received).toHaveLength(2);
    });

    test('neither to an endpoint that is not active, nor where there is none', async () => {
      await using service = await delivered(createReceiver());
      const { emulator } = service;
      emulator.control.setWebhook(1, { active: false });
      expect(() => emulator.control.resend(String(emulator.snapshot().deliveries[0]?.id))).toThrow(
        'not active',
      );
      expect(() => emulator.control.resend('none')).toThrow(RangeError);
    });
  });
});
