import { describe, expect, expectTypeOf, test } from 'vitest';
import type { WebhookDelivery } from '../../src/index.ts';
import { createEmulator, createManualClock } from '../../src/testing/index.ts';
import {
  ConfigurationError,
  type DeliveryRecords,
  eventKeyOf,
  type InvalidRecovery,
  type RecoverOptions,
  recoverEvents,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts';
import { clientOf, failure, thrown } from '../helpers/client.ts';
import { completed, schemaOf } from './helpers.ts';

const since = '2025-03-01T00:00:00Z';

/** What a record says besides its event. */
const delivered = {
  status: 'delivered',
  attempts: 1,
  response_code: 204,
  response_body: null,
  error_message: null,
  delivered_at: null,
};

/** A record of the first of March, UTC+7, of a registration. */
function record(id: string, time = '08:00:00', payload?: Record<string, unknown>): WebhookDelivery {
  const created_at = `2025-03-01T${time}+07:00`;
  const event = 'exam_participant.registered';
  const whole = { event, created_at, data: { participant_id: 9, id } };
  return { ...delivered, id, event, created_at, payload: payload ?? whole };
}

/** Records in an order of their own, with what was asked. */
function records(list: readonly WebhookDelivery[]) {
  const asked: unknown[] = [];
  const source: DeliveryRecords = {
    async *deliveries(...args) {
      asked.push(args);
      yield* list;
    },
  };
  return { source, asked };
}

async function toArray<T>(items: AsyncIterable<T>): Promise<T[]> {
  const array: T[] = [];
  for await (const item of items) array.push(item);
  return array;
}

async function recovered(list: readonly WebhookDelivery[], options: Partial<RecoverOptions> = {}) {
  return toArray(recoverEvents(records(list).source, 3, { since, ...options }));
}

const idsOf = (events: readonly { readonly delivery: WebhookDelivery }[]) =>
  events.map(({ delivery }) => delivery.id);

test('records without an id, as a client that does not check them may give, are events of their own', async () => {
  const times = ['08:00:00', '08:01:00', '08:02:00'];
  const list = times.map((time) => ({ ...record('', time), id: undefined as never }));
  const events = await recovered([...list, ...list]);
  expect(events.map(({ delivery }) => delivery)).toEqual(list);
});

describe('recoverEvents', () => {
  test('gives what the emulator recorded, with the key and the data of the live delivery', async () => {
    const bodies: string[] = [];
    const clock = createManualClock();
    const emulator = createEmulator({
      clock,
      fetch: async (_, init) => {
        bodies.push(String(init.body));
        return new Response(null, { status: 503 });
      },
    });
    const { webhooks } = clientOf(emulator);
    const url = 'https://receiver.test/';
    const { id } = await webhooks.create({ url, events: ['exam_result.completed'] });
    for (let count = 0; count < 3; count += 1) {
      await webhooks.test(id);
      await emulator.settled();
      await clock.advance(1000);
    }
    const events = await toArray(recoverEvents(webhooks, id, { since: new Date(0) }));
    expectTypeOf(events[0]?.delivery).toEqualTypeOf<WebhookDelivery | undefined>();
    expect(events).toHaveLength(3);
    const keys = await Promise.all(bodies.map((body) => eventKeyOf(JSON.parse(body))));
    expect(new Set(events.map(({ eventKey }) => eventKey))).toEqual(new Set(keys));
    expect(events[0]).toMatchObject({
      event: { event: 'exam_result.completed', data: { participant: { id: 1 }, score: 87.5 } },
      delivery: { status: 'pending', attempts: 1, response_code: 503 },
    });
  });

  test('gives them oldest first, in whatever order they are listed', async () => {
    const list = [record('c'), record('a', '07:30:00'), record('d', '09:00:00'), record('b', '07:45:00')];
    expect(idsOf(await recovered(list))).toEqual(['a', 'b', 'c', 'd']);
    expect(idsOf(await recovered(list.toReversed()))).toEqual(['a', 'b', 'c', 'd']);
  });

  test('gives those of one second in the order of their ids, if these are integers', async () => {
    const list = [record('9'), record('100'), record('10'), record('8', '07:00:00'), record('101')];
    for (const listed of [list, list.toReversed()]) {
      expect(idsOf(await recovered(listed))).toEqual(['8', '9', '10', '100', '101']);
    }
  });

  test('orders times by the moment, not by their text', async () => {
    const inUtc = { ...record('utc'), created_at: '2025-03-01T00:59:00.123456Z' };
    expect(idsOf(await recovered([record('local'), inUtc]))).toEqual(['utc', 'local']);
  });

  test('gives each event once, by its oldest record, also where a record is listed twice', async () => {
    const again = { ...record('a', '10:00:00'), id: 'b', payload: record('a').payload };
    const events = await recovered([again, record('c'), record('c'), record('a')]);
    expect(idsOf(events)).toEqual(['a', 'c']);
  });

  test('takes records from `since` on and before `until`, whatever their status', async () => {
    const list = [
      record('early', '07:59:59'),
      { ...record('first', '08:00:00'), status: 'delivered' },
      { ...record('last', '08:59:59'), status: 'some_other' },
      record('late', '09:00:00'),
    ];
    const window = { since: '2025-03-01T08:00:00+0700', until: new Date('2025-03-01T02:00:00Z') };
    expect(idsOf(await recovered(list, window))).toEqual(['first', 'last']);
  });

  test.each(['2025-03-01 08:00:00', '2025-03-01T08:00:00', 'soon', '1 +07:00', '', null, 1_740_787_200])(
    'ends at a record whose time %j shows no moment, and names it: it may belong anywhere',
    async (created_at) => {
      const odd = { ...record('odd'), created_at: created_at as string };
      for (const onInvalid of [undefined, () => {}]) {
        const run = recovered([record('a'), odd], { since: '2026-01-01T00:00:00Z', onInvalid });
        const error = await failure(run, WebhookVerificationError);
        expect(error.reason).toBe('payload_invalid');
        expect(error.message).toBe('Delivery odd has no time with a UTC offset in `created_at`.');
      }
    },
  );

  test.each(['2025-03-01T08:00:00.5+07:00', '2025-03-01 08:00:00+0700', '2025-03-01T01:00Z'])(
    'reads the time %s',
    async (created_at) => {
      expect(idsOf(await recovered([{ ...record('a'), created_at }]))).toEqual(['a']);
    },
  );

  test('reads a record that keeps only the data, with the rest from the record', async () => {
    const kept = { ...record('a'), event: 'exam_result.completed', payload: completed.data };
    const { created_at } = kept;
    const [only] = await recovered([kept]);
    expect(only?.event).toEqual({ event: kept.event, created_at, data: completed.data });
    expect(only?.eventKey).toBe(await eventKeyOf({ event: kept.event, created_at, data: completed.data }));
  });

  test.each([
    ['fields named as those of an event', { event: 'Open day', created_at: 'x', data: 1 }],
    ['a field named data', { data: [1] }],
    ['nothing', {}],
  ])('takes %s for data', async (_, payload) => {
    const [only] = await recovered([record('a', '08:00:00', payload)]);
    expect(only?.event.data).toEqual(payload);
  });

  test('gives an event that is not documented as one', async () => {
    const odd = { event: 'exam.archived', payload: { exam_id: 3 } };
    const [only] = await recovered([{ ...record('a'), ...odd }]);
    expect(only?.event).toMatchObject({ event: odd.event, data: odd.payload });
  });

  test('refines payloads by the schemas, while the key stays that of what was delivered', async () => {
    const schemas = { 'exam_participant.registered': schemaOf(() => ({ value: { refined: true } })) };
    const [only] = await recovered([record('a')], { schemas });
    expect(only?.event.data).toEqual({ refined: true });
    expect(only?.eventKey).toBe((await recovered([record('a')]))[0]?.eventKey);
  });

  test('asks for full pages, one after the other', async () => {
    const { source, asked } = records([record('a')]);
    const { signal } = new AbortController();
    await toArray(recoverEvents(source, 3, { since, signal }));
    const asks = [3, { per_page: 100 }, { signal }];
    expect(asked).toEqual([asks, asks]);
  });
});

describe('a record that is no event as documented', () => {
  const payload = { ...completed.data, exam: null };
  const broken = { ...record('b', '08:00:00', payload), event: 'exam_result.completed' };
  const list = [record('a', '07:00:00'), broken, record('c', '09:00:00')];

  test('ends the recovery at its turn, so that nothing is left out without a word', async () => {
    const given: string[] = [];
    const run = async () => {
      for await (const { delivery } of recoverEvents(records(list).source, 3, { since }))
        given.push(delivery.id);
    };
    const message = expect.stringContaining(`It belongs to delivery ${broken.id}; see \`onInvalid\`.`);
    const error = await failure(run(), WebhookVerificationError);
    expect(error).toMatchObject({ reason: 'payload_invalid', message });
    expect(given).toEqual(['a']);
  });

  test('is reported to `onInvalid` where there is one, and the others are given', async () => {
    const invalid: InvalidRecovery[] = [];
    const events = await recovered(list, { onInvalid: (one) => invalid.push(one) });
    expect(idsOf(events)).toEqual(['a', 'c']);
    const body = { event: broken.event, data: payload };
    expect(invalid).toMatchObject([{ delivery: broken, body, issues: [{ path: 'data.exam' }] }]);
  });
});

describe('what cannot work', () => {
  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['`since`', { since: '2025-03-01T08:00:00' }],
    ['`since`', { since: '2025-03-01Z 08:00:00' }],
    ['`since` must be a Date, or an ISO 8601 time with its zone.', { since: 'yesterday' }],
    ['`since`', { since: undefined }],
    ['`since`', { since: 5 }],
    ['`since`', { since, until: since }],
    ['`since`', { since: new Date(Number.NaN) }],
    ['`until`', { until: '2025-03-02' }],
    ['before `until`', { until: new Date(0) }],
    ['`maxItems`', { maxItems: 0 }],
    ['in the options of recoverEvents: `untill` (did you mean `until`?)', { untill: since }],
    // Pages that are read at the same time see different lists, so that records would be lost.
    ['`concurrency`', { concurrency: 4 }],
  ])('is rejected at once, with %s in the message', (words, options) => {
    const { source, asked } = records([]);
    const act = () => recoverEvents(source, 3, { since, ...options } as RecoverOptions);
    expect(thrown(act, ConfigurationError).message).toContain(words);
    expect(asked).toEqual([]);
  });

  test('more records than `maxItems` are rejected before any is given, and as many are not', async () => {
    expect(await recovered([record('a'), record('b')], { maxItems: 2 })).toHaveLength(2);
    const run = recovered([record('a'), record('b'), record('c')], { maxItems: 2 });
    expect((await failure(run, ConfigurationError)).message).toContain('more than 2 deliveries');
  });

  test('an abort ends it with the reason of the signal', async () => {
    const stop = new AbortController();
    const { source } = records([record('a'), record('b')]);
    const events = recoverEvents(source, 3, { since, signal: stop.signal });
    await events.next();
    stop.abort(new RangeError('enough'));
    await failure(events.next(), RangeError);
  });
});
