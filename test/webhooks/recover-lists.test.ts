import { describe, expect, test } from 'vitest';
import { ConfigurationError, recoverEvents } from '../../src/webhooks/index.ts';
import { failure } from '../helpers/client.ts';
import { someOf } from '../helpers/requirements.ts';
import { changesOfMind, ids, listing, orders, type Row, randomNumbers, start } from './delivery-lists.ts';

// A list of deliveries changes while it is read, and its order and its times in whole seconds do not order it alone.

const event = 'exam_participant.registered';

/** Records made `gap` milliseconds apart. */
function rowsOf(count: number, gap: number, idOf: (typeof ids)['random UUIDs'] = ids.integers): Row[] {
  const random = randomNumbers(7);
  return Array.from({ length: count }, (_, index) => {
    const at = start + index * gap;
    return { id: idOf(at, random()), at, event, data: { index } };
  });
}

async function indexesOf(webhooks: Parameters<typeof recoverEvents>[0], since = new Date(0)) {
  const indexes: number[] = [];
  for await (const { event } of recoverEvents(webhooks, 3, { since }))
    indexes.push(Number(Object(event.data).index));
  return indexes;
}

/** Adds so many of `all` with each request. */
const growing = (rows: Row[], all: readonly Row[], growth: number) => () =>
  void rows.push(...all.slice(rows.length, rows.length + growth));

const upTo = (count: number, from = 0) => Array.from({ length: count - from }, (_, index) => from + index);

const listed = Object.entries(orders);
const rising = Object.entries(ids).filter(([name]) => name !== 'random UUIDs');

describe.each(listed)('a list %s', (_, sort) => {
  test.each(rising)('of %s leaves everybody unassigned who was so within one second', async (_, idOf) => {
    const { webhooks } = listing(changesOfMind(idOf), sort);
    const states = new Map<unknown, string>();
    for await (const { event } of recoverEvents(webhooks, 3, { since: new Date(0) }))
      states.set(Object(event.data).person, event.event);
    expect([...states.values()]).toEqual(Array(10).fill('exam_participant.unregistered'));
  });

  test.each(rising)('of 250 %s is recovered in the order in which they were made', async (_, idOf) => {
    const { webhooks } = listing(rowsOf(250, 90, idOf), sort);
    expect(await indexesOf(webhooks)).toEqual(upTo(250));
  });

  test('of random UUIDs is in order from second to second, and complete', async () => {
    const { webhooks } = listing(rowsOf(250, 90, ids['random UUIDs']), sort);
    const indexes = await indexesOf(webhooks);
    const seconds = indexes.map((index) => Math.floor((index * 90) / 1_000));
    expect(seconds).toEqual(seconds.toSorted((a, b) => a - b));
    expect(indexes.toSorted((a, b) => a - b)).toEqual(upTo(250));
  });

  test.each(someOf([10, 1, 30]))(
    'loses none that stays while %i old ones are removed after each request',
    async (pruned) => {
      for (const count of [150, 205, 250, 300, 640]) {
        const rows = rowsOf(count, 90, ids['UUIDs of version 7']);
        const { webhooks } = listing(rows, sort, (request) => {
          if (request < 9) rows.splice(0, Math.min(pruned, rows.length - 5));
        });
        const indexes = await indexesOf(webhooks);
        const stayed = rows.map(({ data }) => Number(data['index']));
        expect(indexes).toEqual(expect.arrayContaining(stayed));
        expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
      }
    },
  );

  test.each(someOf([3, 2, 4, 7]))(
    'is recovered once and in order while %i are added after each request',
    async (growth) => {
      for (const before of [99, 100, 101, 640]) {
        const all = rowsOf(before + growth * 60, 90, ids['ordered UUIDs']);
        const rows = all.slice(0, before);
        const { webhooks, pages } = listing(rows, sort, growing(rows, all, growth));
        const indexes = await indexesOf(webhooks);
        expect(indexes).toEqual(upTo(indexes.length));
        expect(indexes.length).toBeGreaterThanOrEqual(before);
        // One page at a time: those in flight together would see different lists.
        for (const [index, page] of pages.entries()) expect([1, (pages[index - 1] ?? 0) + 1]).toContain(page);
      }
    },
  );
});

test('records of one second that change places between requests are found', async () => {
  const random = randomNumbers(3);
  const rows = rowsOf(250, 1, ids['UUIDs of version 7']);
  // No database sorts like this on purpose, but none promises an order among equals.
  const places = new Map<string, number>();
  const { webhooks } = listing(
    rows,
    (all) => all.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0)),
    (request) => {
      if (request < 5) for (const { id } of rows) places.set(id, random());
    },
  );
  expect(await indexesOf(webhooks)).toEqual(upTo(250));
});

test('a list that does not change is read twice: usually, one request more', async () => {
  const { webhooks, pages } = listing(rowsOf(80, 90), orders['latest(), by key']);
  expect(await indexesOf(webhooks)).toHaveLength(80);
  expect(pages).toEqual([1, 1]);
});

test('a list in which the fifth pass still finds old records is an error that says how many, and may be tried again', async () => {
  const all = rowsOf(60, 90).toReversed();
  const rows = all.slice(0, 10);
  const { webhooks, pages } = listing(rows, orders['oldest first'], growing(rows, all, 3));
  const error = await failure(indexesOf(webhooks), ConfigurationError);
  expect(error).toMatchObject({ retryable: true });
  expect(error.message).toBe(
    'Pass 5 over the list of deliveries still found 3 from before the first pass. Try again when the list changes less.',
  );
  expect(pages).toEqual([1, 1, 1, 1, 1]);
});

test('a new record of the second of the newest makes a further pass: ids do not tell which is older', async () => {
  const all = rowsOf(2, 1, ids['random UUIDs']);
  const rows = all.slice(0, 1);
  const { webhooks, pages } = listing(rows, orders['latest(), by key'], () => {
    rows.push(...all.slice(rows.length));
  });
  expect((await indexesOf(webhooks)).toSorted()).toEqual([0, 1]);
  expect(pages).toEqual([1, 1, 1]);
});

test('an empty list is read once', async () => {
  const { webhooks, pages } = listing([], orders['latest(), by key']);
  expect(await indexesOf(webhooks)).toEqual([]);
  expect(pages).toEqual([1]);
});

test('what is newer than the first pass has shown makes no further pass', async () => {
  const all = rowsOf(90, 90);
  const rows = all.slice(0, 60);
  const { webhooks, pages } = listing(rows, orders['latest(), by key'], growing(rows, all, 5));
  await indexesOf(webhooks);
  expect(pages).toEqual([1, 1]);
});

test('records before `since` show too that some were missed', async () => {
  const rows = rowsOf(150, 1_000);
  const { webhooks } = listing(rows, orders['oldest first'], (request) => {
    if (request === 1) rows.splice(0, 100);
  });
  expect(await indexesOf(webhooks, new Date(start + 140_000))).toEqual(upTo(150, 140));
});
