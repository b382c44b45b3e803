import { describe, expect, test } from 'vitest';
import { NewDeliveries } from '../../src/cli/listen/deliveries.ts';
import { ExamClient } from '../../src/index.ts';
import { delivery } from '../fixtures/responses/webhooks.ts';
import { changesOfMind, ids, listing, orders, type Row, start } from '../webhooks/delivery-lists.ts';

const { signal } = new AbortController();

/** The deliveries of a service that lists so many, one a second. */
function newDeliveries(count: () => number): NewDeliveries {
  const client = new ExamClient({
    baseUrl: 'http://localhost/api/v1',
    apiKey: 'key',
    fetch: async (url) => {
      const page = Number(new URL(url).searchParams.get('page') ?? 1);
      const total = count();
      const first = total - (page - 1) * 100;
      const data = Array.from({ length: Math.max(0, Math.min(100, first)) }, (_, index) => ({
        ...delivery,
        id: String(first - index).padStart(6, '0'),
        created_at: new Date((first - index) * 1000).toISOString(),
      }));
      const last_page = Math.ceil(total / 100);
      const pagination = { total, per_page: 100, current_page: page, last_page, from: null, to: null };
      return Response.json({ success: true, data, meta: { pagination } });
    },
  });
  return NewDeliveries.since(client.webhooks, 3, 0);
}

test('what it remembers is bounded, and what it forgets is not given again', async () => {
  let count = 9_990;
  const deliveries = newDeliveries(() => count);
  expect(await deliveries.take(signal)).toHaveLength(9_990);
  for (const more of [20, 0, 150]) {
    count += more;
    const taken = await deliveries.take(signal);
    expect(taken.map(({ id }) => Number(id))).toEqual(
      Array.from({ length: more }, (_, index) => count - more + 1 + index),
    );
  }
});

test('more deliveries than it can remember are an error that says what to do', async () => {
  await expect(newDeliveries(() => 10_050).take(signal)).rejects.toThrow('choose a shorter --since');
});

/** Records made 90 ms apart. */
const rowOf = (index: number): Row => {
  const at = start + index * 90;
  return {
    id: ids['UUIDs of version 7'](at, 0.5),
    at,
    event: 'exam_participant.registered',
    data: { index },
  };
};
const rowsOf = (count: number, from = 0) => Array.from({ length: count }, (_, index) => rowOf(from + index));
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

describe.each(Object.entries(orders))('a list %s', (_, sort) => {
  test.each(['ordered UUIDs', 'UUIDs of version 7', 'integers'] as const)(
    'of %s is forwarded as it happened: everybody ends as unassigned',
    async (kind) => {
      const { webhooks } = listing(changesOfMind(ids[kind]), sort);
      const states = new Map<unknown, string>();
      for (const { event, payload } of await NewDeliveries.since(webhooks, 3, 0).take(signal)) {
        states.set(Object(payload['data']).person, event);
      }
      expect([...states.values()]).toEqual(Array.from({ length: 10 }, () => 'exam_participant.unregistered'));
    },
  );

  test('gives each delivery once, whether few or many come between two polls', async () => {
    const rows = rowsOf(250);
    const { webhooks } = listing(rows, sort);
    const deliveries = NewDeliveries.since(webhooks, 3, 0);
    expect(idsOf(await deliveries.take(signal))).toEqual(idsOf(rows));
    for (const more of [1, 0, 3, 130, 250]) {
      const added = rowsOf(more, rows.length);
      rows.push(...added);
      expect(idsOf(await deliveries.take(signal))).toEqual(idsOf(added));
    }
  });

  test('gives none that was there before, if it is to begin now', async () => {
    // The clock of the service is at `start`.
    const before = [
      { ...rowOf(0), id: ids['UUIDs of version 7'](start - 5_000, 0.5), at: start - 5_000 },
      rowOf(1),
    ];
    const rows = [...before];
    const { webhooks } = listing(rows, sort);
    const deliveries = await NewDeliveries.fromNow(webhooks, 3, signal);
    rows.push(rowOf(2));
    expect(idsOf(await deliveries.take(signal))).toEqual(idsOf([rowOf(2)]));
  });

  test.each([10, 30])(
    'loses none that stays while %i old ones are removed after each request',
    async (pruned) => {
      const rows = rowsOf(300);
      const { webhooks } = listing(rows, sort, (request) => {
        if (request < 6) rows.splice(0, pruned);
      });
      const taken = await NewDeliveries.since(webhooks, 3, 0).take(signal);
      expect(idsOf(taken)).toEqual(expect.arrayContaining(idsOf(rows)));
    },
  );

  test('goes on where as many are removed as are added', async () => {
    const rows = rowsOf(250);
    const { webhooks } = listing(rows, sort);
    const deliveries = NewDeliveries.since(webhooks, 3, 0);
    await deliveries.take(signal);
    for (const count of [10, 10, 60]) {
      const added = rowsOf(count, 250 + Number(rows[0]?.data['index']));
      rows.splice(0, count);
      rows.push(...added);
      expect(idsOf(await deliveries.take(signal))).toEqual(idsOf(added));
    }
  });

  test('is asked for its two ends, while nothing is new', async () => {
    const { webhooks, pages } = listing(rowsOf(640), sort);
    const deliveries = await NewDeliveries.fromNow(webhooks, 3, signal);
    pages.length = 0;
    expect(await deliveries.take(signal)).toEqual([]);
    expect(pages).toEqual([1, 7]);
  });
});
