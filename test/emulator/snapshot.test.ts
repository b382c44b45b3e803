import { describe, expect, test } from 'vitest';
import { createEmulator, createManualClock, type EmulatorActivity } from '../../src/testing/index.ts';
import { at, createEndpoint, createReceiver, pair, seedPair, startService } from './helpers.ts';

const hook = { url: 'https://receiver.example.test/', events: ['exam_result.completed'] as const };

describe('a snapshot', () => {
  test('survives JSON and brings back everything that was there', async () => {
    await using first = await startService({ fetch: createReceiver().fetch });
    seedPair(first);
    await createEndpoint(first, ['exam_result.completed']);
    await first.call('POST', '/exam-participants/assign', { body: pair });
    first.emulator.control.startExam(pair);
    first.emulator.control.finishExam({ ...pair, score: 71 });
    await first.emulator.settled();
    await using second = await startService();
    second.emulator.restore(JSON.parse(JSON.stringify(first.emulator.snapshot())));
    expect(second.emulator.snapshot()).toEqual(first.emulator.snapshot());
    for (const path of ['/participants', '/exam-results?exam_id=1', '/webhooks', '/webhooks/1/deliveries']) {
      expect(at((await second.call('GET', path)).json, 'data')).toEqual(
        at((await first.call('GET', path)).json, 'data'),
      );
    }
    expect((await second.call('POST', '/exam-participants/assign', { body: pair })).status).toBe(400);
    const known = { email: 'participant1@example.test', name: 'New name', password: 'secret' };
    await second.call('POST', '/participants/import', { body: { participants: [known] } });
    expect(second.emulator.snapshot().participants).toMatchObject([{ id: 1, name: 'New name' }]);
  });

  test('is of its moment, and does not follow what comes later', () => {
    const emulator = createEmulator();
    emulator.control.seedParticipants(1);
    const before = emulator.snapshot();
    emulator.control.seedParticipants(1);
    emulator.control.setParticipant(1, { active: false });
    expect(before.participants).toMatchObject([{ id: 1, is_active: true }]);
  });

  test('takes the place of what was there', async () => {
    await using service = await startService();
    const empty = service.emulator.snapshot();
    seedPair(service);
    service.emulator.faults.inject({ effect: 'reset' });
    service.emulator.restore(empty);
    expect(service.emulator.faults.waiting).toEqual([]);
    expect((await service.call('GET', '/participants/1')).status).toBe(404);
    expect(service.emulator.requests).toHaveLength(1);
  });

  test('takes up the deliveries that were pending, each after its wait', async () => {
    await using first = await startService({ fetch: createReceiver(500).fetch });
    await createEndpoint(first, ['exam_result.completed']);
    await first.call('POST', '/webhooks/1/test');
    await first.emulator.settled();
    const receiver = createReceiver();
    const clock = createManualClock();
    const second = createEmulator({ clock, fetch: receiver.fetch });
    second.restore(first.emulator.snapshot());
    await clock.advance(9_999);
    expect(receiver.received).toEqual([]);
    await clock.advance(1);
    expect(second.snapshot().deliveries).toMatchObject([{ status: 'delivered', attempts: 2 }]);
  });

  test.each([null, [], {}, { version: 1 }, 'text'])('that is none is rejected: %j', async (data) => {
    await using service = await startService();
    seedPair(service);
    expect(() => service.emulator.restore(data)).toThrow(TypeError);
    expect((await service.call('GET', '/participants/1')).status).toBe(200);
  });
});

describe('a snapshot of many records', () => {
  function held() {
    const emulator = createEmulator({ clock: createManualClock() });
    emulator.control.seedParticipants(2);
    emulator.control.seedExams(1);
    emulator.control.seedResults([{ participant_id: 1, exam_id: 1, score: 70 }]);
    emulator.control.seedAssignments([{ participant_id: 2, exam_id: 1 }]);
    emulator.control.seedWebhooks([hook]);
    return emulator.snapshot();
  }

  test('with last ids below those of its records is restored without using an id twice', async () => {
    const emulator = createEmulator();
    emulator.restore({ ...held(), last_ids: { assignment: 0, endpoint: 0 } });
    emulator.control.seedExams(1);
    const [assignment] = emulator.control.seedAssignments([{ participant_id: 1, exam_id: 2 }]);
    const [endpoint] = emulator.control.seedWebhooks([hook]);
    expect([assignment?.id, endpoint?.id]).toEqual([3, 2]);
  });

  test.each([
    ['participants', { id: 3 }, 'The email participant2@example.test is taken.'],
    ['participants', { email: 'x@example.test' }, 'The id 2 is taken.'],
    ['exams', {}, 'The id 1 is taken.'],
    ['assignments', { id: 9 }, 'The assignment 2:1 already exists.'],
    ['endpoints', {}, 'The id 1 is taken.'],
  ] as const)('that has one of its %s twice, with %j, changes nothing', (part, changes, words) => {
    const emulator = createEmulator();
    emulator.control.seedExams(3);
    const before = emulator.snapshot();
    const snapshot = held();
    const broken = { ...snapshot, [part]: [...snapshot[part], { ...snapshot[part].at(-1), ...changes }] };
    expect(() => emulator.restore(broken)).toThrow(`This state cannot be loaded: ${words}`);
    expect(emulator.snapshot()).toEqual(before);
  });
});

describe('who subscribes', () => {
  test('hears of requests with their responses, of deliveries and of changes, until it is enough', async () => {
    await using service = await startService({ fetch: createReceiver().fetch });
    const heard: EmulatorActivity[] = [];
    const end = service.emulator.subscribe((activity) => heard.push(activity));
    await createEndpoint(service, ['exam_result.completed']);
    await service.call('POST', '/webhooks/1/test');
    await service.emulator.settled();
    expect(heard.flatMap((one) => (one.type === 'request' ? [one.request] : []))).toMatchObject([
      { operation: 'webhooks.create', status: 201 },
      { operation: 'webhooks.test', status: 202 },
    ]);
    expect(heard.flatMap((one) => (one.type === 'delivery' ? [one.attempt] : []))).toMatchObject([
      { event: 'exam_result.completed', response_code: 204 },
    ]);
    expect(heard.some(({ type }) => type === 'change')).toBe(true);
    end();
    const before = heard.length;
    await service.call('GET', '/exams');
    expect(heard).toHaveLength(before);
  });

  test('hears of a request whose connection was broken, without a response', async () => {
    await using service = await startService();
    const heard: EmulatorActivity[] = [];
    service.emulator.subscribe((activity) => heard.push(activity));
    service.emulator.faults.inject({ effect: 'reset' });
    await expect(service.call('GET', '/exams')).rejects.toThrow('fetch failed');
    expect(heard.at(-1)).toMatchObject({ type: 'request', request: { status: null } });
  });

  test('hears of faults that are injected, strike and are taken back', async () => {
    await using service = await startService();
    let changes = 0;
    service.emulator.subscribe(({ type }) => {
      if (type === 'change') changes += 1;
    });
    const fault = service.emulator.faults.inject({ delay: 0, times: 2 });
    expect(changes).toBe(1);
    await service.call('GET', '/exams');
    expect(changes).toBe(2);
    expect(service.emulator.faults.waiting).toMatchObject([{ left: 1, struck: 1 }]);
    fault.remove();
    expect(changes).toBe(3);
    expect(service.emulator.faults.waiting).toEqual([]);
  });
});
