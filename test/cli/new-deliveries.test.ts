import { describe, expect, test, vi } from 'vitest';
import { NewDeliveries } from '../../src/cli/listen/deliveries.ts';
import { ExamClient } from '../../src/index.ts';
import { delivery } from '../fixtures/responses/webhooks.ts';
import { changesOfMind, ids, listing, orders, type Row, start } from '../webhooks/delivery-lists.ts';

const { signal } = new AbortController();

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

const latest = [orders['latest(), by key'], orders['latest(), as inserted']] as const;

describe.each(latest)('a list by latest(), whatever the order within a second', (sort) => {
  test.each(['ordered UUIDs', 'UUIDs of version 7', 'integers'] as const)(
    'of %s is forwarded as it happened: everybody ends as unassigned',
    async (kind) => {
      const { webhooks } = listing(changesOfMind(ids[kind]), sort);
      const states = new Map<unknown, string>();
      for (const { event, payload } of await new NewDeliveries(webhooks, 3, 0).take(signal)) {
        states.set(Object(payload['data']).person, event);
      }
      expect([...states.values()]).toEqual(Array.from({ length: 10 }, () => 'exam_participant.unregistered'));
    },
  );

  test('gives each delivery once, whether few or many come between two polls', async () => {
    const rows = rowsOf(1_250);
    const { webhooks } = listing(rows, sort);
    const deliveries = new NewDeliveries(webhooks, 3, 0);
    expect(idsOf(await deliveries.take(signal))).toEqual(idsOf(rows));
    for (const more of [1, 0, 3, 130, 250, 1_000]) {
      const added = rowsOf(more, rows.length);
      rows.push(...added);
      expect(idsOf(await deliveries.take(signal))).toEqual(idsOf(added));
    }
  });

  test('gives none that was there before, if it is to begin now', async () => {
    const rows = rowsOf(250);
    const { webhooks } = listing(rows, sort);
    const deliveries = await NewDeliveries.fromNow(webhooks, 3, signal);
    expect(await deliveries.take(signal)).toEqual([]);
    rows.push(rowOf(250));
    expect(idsOf(await deliveries.take(signal))).toEqual(idsOf([rowOf(250)]));
  });

  test('that is empty at first gives all', async () => {
    const rows: Row[] = [];
    const { webhooks } = listing(rows, sort);
    const deliveries = await NewDeliveries.fromNow(webhooks, 3, signal);
    rows.push(rowOf(0));
    expect(idsOf(await deliveries.take(signal))).toEqual(idsOf([rowOf(0)]));
  });

  test.each([3, 130])('loses none while %i new ones come after each request', async (more) => {
    const rows = rowsOf(300);
    const { webhooks } = listing(rows, sort, (request) => {
      if (request < 6) rows.push(...rowsOf(more, rows.length));
    });
    const deliveries = new NewDeliveries(webhooks, 3, 0);
    const taken: string[] = [];
    for (let poll = 0; poll < 4; poll += 1) taken.push(...idsOf(await deliveries.take(signal)));
    expect(taken.toSorted()).toEqual(idsOf(rows));
  });

  test('goes on where as many old ones are removed as new ones are added', async () => {
    const rows = rowsOf(250);
    const { webhooks } = listing(rows, sort);
    const deliveries = new NewDeliveries(webhooks, 3, 0);
    await deliveries.take(signal);
    for (const count of [10, 10, 60]) {
      const added = rowsOf(count, 250 + Number(rows[0]?.data['index']));
      rows.splice(0, count);
      rows.push(...added);
      expect(idsOf(await deliveries.take(signal))).toEqual(idsOf(added));
    }
  });

  test('gives one that comes into the list a little later than its time', async () => {
    const rows = rowsOf(300);
    const [late] = rows.splice(-50, 1);
    const { webhooks } = listing(rows, sort);
    const deliveries = await NewDeliveries.fromNow(webhooks, 3, signal);
    rows.push(late ?? rowOf(0));
    rows.sort((a, b) => a.at - b.at);
    expect(idsOf(await deliveries.take(signal))).toEqual(idsOf([rowOf(250)]));
  });

  test('gives none that comes later than that: what is remembered has a bound', async () => {
    const rows = rowsOf(150);
    const [tooLate] = rows.splice(20, 1);
    const { webhooks } = listing(rows, sort);
    const deliveries = new NewDeliveries(webhooks, 3, 0);
    expect(await deliveries.take(signal)).toHaveLength(149);
    rows.push(tooLate ?? rowOf(0), ...rowsOf(10, 150));
    rows.sort((a, b) => a.at - b.at);
    expect(idsOf(await deliveries.take(signal))).toEqual(idsOf(rowsOf(10, 150)));
  });

  test('is asked for its first page alone, while nothing is new', async () => {
    const { webhooks, pages } = listing(rowsOf(640), sort);
    const deliveries = await NewDeliveries.fromNow(webhooks, 3, signal);
    pages.length = 0;
    expect(await deliveries.take(signal)).toEqual([]);
    expect(pages).toEqual([1]);
  });
});

describe.each(latest)(
  'where the clock or the data of the service goes back, of a list by latest()',
  (sort) => {
    /** Rows of the hour before. */
    const earlier = (count: number, from = 0) =>
      rowsOf(count, from).map((row) => ({ ...row, id: `earlier-${row.id}`, at: row.at - 3_600_000 }));

    test.each([0, 1, 40, 250])('after %i deliveries, an earlier one is still given, once', async (before) => {
      const rows = rowsOf(before);
      const onBack = vi.fn();
      const { webhooks } = listing(rows, (all) => sort(all.toSorted((a, b) => a.at - b.at)));
      const deliveries = await NewDeliveries.fromNow(webhooks, 3, signal, onBack);
      // What was there stays in front of it, or is gone with the data: 250 fill more than a page.
      if (before > 100) rows.length = 0;
      for (const from of [0, 5]) {
        const added = earlier(5, from);
        rows.push(...added);
        expect(idsOf(await deliveries.take(signal)).toSorted()).toEqual(idsOf(added).toSorted());
        expect(await deliveries.take(signal)).toEqual([]);
      }
      expect(onBack).toHaveBeenCalledTimes(before === 0 ? 0 : 1);
    });

    test('an emptied list is told once, and what comes then is given', async () => {
      const rows = rowsOf(30);
      const onBack = vi.fn();
      const { webhooks } = listing(rows, sort);
      const deliveries = await NewDeliveries.fromNow(webhooks, 3, signal, onBack);
      rows.length = 0;
      expect(await deliveries.take(signal)).toEqual([]);
      expect(await deliveries.take(signal)).toEqual([]);
      rows.push(...earlier(2));
      expect(await deliveries.take(signal)).toHaveLength(2);
      expect(onBack).toHaveBeenCalledOnce();
    });

    test('a backup gives nothing again, and then what is new', async () => {
      // A minute apart, so that what is gone was much newer.
      const rows = rowsOf(250).map((row, index) => ({ ...row, at: start + index * 60_000 }));
      const onBack = vi.fn();
      const { webhooks } = listing(rows, sort);
      const deliveries = await NewDeliveries.fromNow(webhooks, 3, signal, onBack);
      rows.splice(-20);
      expect(await deliveries.take(signal)).toEqual([]);
      expect(onBack).toHaveBeenCalledOnce();
      const added = { ...rowOf(300), at: start + 230 * 60_000 };
      rows.push(added);
      expect(idsOf(await deliveries.take(signal))).toEqual([added.id]);
      expect(onBack).toHaveBeenCalledOnce();
    });
  },
);

test('more deliveries than it holds are an error that says what to do', async () => {
  const { webhooks } = listing(rowsOf(10_050), orders['latest(), as inserted']);
  await expect(new NewDeliveries(webhooks, 3, 0).take(signal)).rejects.toThrow('choose a shorter --since');
});

describe.each(['oldest first', 'by key'] as const)('a list sorted %s', (order) => {
  const message = 'The service does not list the newest deliveries first: new ones cannot be found.';

  test('is an error, since new ones stand at its end', async () => {
    const rows = rowsOf(200).filter((_, index) => index % 20 === 0);
    const { webhooks } = listing(rows, orders[order]);
    await expect(NewDeliveries.fromNow(webhooks, 3, signal)).rejects.toThrow(message);
  });

  test('is an error as soon as it shows', async () => {
    const rows = rowsOf(50);
    const { webhooks } = listing(rows, orders[order]);
    const deliveries = await NewDeliveries.fromNow(webhooks, 3, signal);
    rows.push(...rowsOf(100, 50));
    expect(idsOf(await deliveries.take(signal))).toEqual(idsOf(rowsOf(100, 50)));
    await expect(deliveries.take(signal)).rejects.toThrow(message);
  });
});

test('a time without an offset is an error that names the delivery', async () => {
  const { webhooks } = new ExamClient({
    baseUrl: 'http://localhost/api/v1',
    apiKey: 'test-key',
    fetch: async () => {
      const data = [{ ...delivery, created_at: '2025-03-01 08:00:00' }];
      return Response.json({ success: true, message: null, data, meta: {} });
    },
  });
  await expect(NewDeliveries.fromNow(webhooks, 3, signal)).rejects.toThrow(
    `The time of delivery ${delivery.id} has no UTC offset`,
  );
});
