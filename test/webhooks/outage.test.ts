import { describe, expect, test } from 'vitest';
import { ExamClient, type WebhookCreate } from '../../src/index.ts';
import { createEmulator, createManualClock } from '../../src/testing/index.ts';
import { createMemoryStore, createWebhookHandler, recoverEvents } from '../../src/webhooks/index.ts';
import { nextTurn } from '../helpers/gate.ts';

const MISSED = 500;
const BEFORE = 20;
const AFTER = 30;
const RETRY_MS = 3_600_000;

/** A service whose participants finish an exam, and a receiver of its events that can be down. */
async function start() {
  const clock = createManualClock();
  const handled: number[] = [];
  const via = { live: 0, recovered: 0 };
  const seen = { down: false, bodies: [] as string[] };
  const emulator = createEmulator({
    clock,
    disableAfterFailures: MISSED,
    retryDelays: [RETRY_MS],
    fetch: async (url, init) => {
      seen.bodies.push(String(init.body));
      if (seen.down) throw new Error('connect ECONNREFUSED');
      return receive(new Request(url, init));
    },
  });
  const { control } = emulator;
  control.seedExams([{ name: 'Ujian akhir: "sejarah/budaya"', name_short: 'S/B' }]);
  control.seedParticipants(
    Array.from({ length: BEFORE + MISSED + AFTER }, (_, index) => ({
      email: `p${index}@example.test`,
      name: `Zoë </${index}> 😀 Ñandú`,
    })),
  );
  const { webhooks } = new ExamClient({
    baseUrl: 'http://localhost/api/v1',
    apiKey: 'test-key',
    fetch: (input, init) => emulator.fetch(input, init),
  });
  const wanted: WebhookCreate = {
    url: 'https://receiver.example.test/hooks',
    events: ['exam_result.completed'],
  };
  const { endpoint, secret } = await webhooks.ensure(wanted);
  const receive = createWebhookHandler({
    secret: secret ?? '',
    now: clock.now,
    deduplication: { store: createMemoryStore({ now: clock.now }), ttlSeconds: 86_400 },
    on: {
      async 'exam_result.completed'({ data }, { request }) {
        // As a database would, so that live and recovered ones overlap.
        await nextTurn();
        handled.push(data.exam_result_id);
        via[request ? 'live' : 'recovered'] += 1;
      },
    },
  });
  /** Participants finish the exam, one a second. */
  let next = 1;
  const finish = async (count: number) => {
    for (const end = next + count; next < end; next += 1) {
      const pair = { participant_id: next, exam_id: 1 };
      control.seedAssignments([pair]);
      control.startExam(pair);
      control.finishExam({ ...pair, score: next / 8 });
      await clock.advance(1000);
    }
    await emulator.settled();
  };
  return { clock, emulator, webhooks, wanted, endpointId: endpoint.id, receive, handled, via, seen, finish };
}

describe('a receiver that was down for 500 deliveries, until the service disabled the endpoint', () => {
  test('handles every event once in the end, recovered and delivered live at the same time', async () => {
    const { clock, emulator, webhooks, wanted, endpointId, receive, handled, via, seen, finish } =
      await start();
    await finish(BEFORE);
    expect(handled).toHaveLength(BEFORE);
    const since = new Date(clock.now() - 60_000);

    seen.down = true;
    await finish(MISSED);
    expect(handled).toHaveLength(BEFORE);
    const [disabled] = await webhooks.list();
    expect(disabled).toMatchObject({ id: endpointId, is_active: false, is_disabled_by_system: true });

    seen.down = false;
    const enabled = await webhooks.ensure(wanted);
    expect(enabled).toMatchObject({ created: false, endpoint: { id: endpointId, is_active: true } });

    // The service has tried half of the 500 again; it goes on, and new events come, while they are recovered.
    await clock.advance(RETRY_MS - (MISSED / 2) * 1000);
    const live = (async () => {
      await clock.advance((MISSED / 2) * 1000);
      await finish(AFTER);
    })();
    let recovered = 0;
    for await (const { event, eventKey } of recoverEvents(webhooks, endpointId, { since })) {
      await receive.dispatch(event, { eventKey });
      recovered += 1;
    }
    await live;
    await emulator.settled();

    const everybody = Array.from({ length: BEFORE + MISSED + AFTER }, (_, index) => index + 1);
    expect(handled.toSorted((a, b) => a - b)).toEqual(everybody);
    expect(recovered).toBeGreaterThanOrEqual(BEFORE + MISSED);
    expect(via.live).toBeGreaterThanOrEqual(BEFORE + MISSED / 2 + AFTER);
    expect(via.recovered).toBeGreaterThan(0);
    expect(via.live + via.recovered).toBe(everybody.length);
    expect(seen.bodies.every((body) => body.includes('Zo\\u00eb <\\/'))).toBe(true);

    // A second recovery finds nothing to do.
    for await (const { event, eventKey } of recoverEvents(webhooks, endpointId, { since })) {
      expect(await receive.dispatch(event, { eventKey })).not.toBe('handled');
    }
    expect(handled).toHaveLength(everybody.length);
  });
});
