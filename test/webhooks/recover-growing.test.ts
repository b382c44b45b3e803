import { expect, test } from 'vitest';
import { ExamClient } from '../../src/index.ts';
import { recoverEvents } from '../../src/webhooks/index.ts';

// A list of deliveries grows while it is read: the service goes on delivering.

const event = 'exam_participant.registered';
const start = Date.parse('2025-03-01T00:00:00Z');
/** Many of each second, so that times alone do not give an order. */
const PER_SECOND = 7;

function rowOf(index: number) {
  const created_at = new Date(start + Math.floor(index / PER_SECOND) * 1000).toISOString();
  const payload = { event, created_at, data: { index } };
  // Ids in no order, as those of the service are.
  return { id: `${(index * 7_919) % 1_009}-${index}`, event, status: 'delivered', created_at, payload };
}

/** A client of a service with `before` deliveries, and `growth` more after each page. */
function growing(before: number, growth: number, isNewestFirst: boolean) {
  let count = before;
  const pages: number[] = [];
  const client = new ExamClient({
    baseUrl: 'http://localhost/api/v1',
    apiKey: 'test-key',
    validation: 'off',
    fetch: async (url) => {
      const { searchParams } = new URL(url as string);
      const page = Number(searchParams.get('page') ?? 1);
      const perPage = Number(searchParams.get('per_page'));
      pages.push(page);
      const at = (rank: number) => rowOf(isNewestFirst ? count - 1 - rank : rank);
      const from = (page - 1) * perPage;
      const length = Math.max(0, Math.min(perPage, count - from));
      const data = Array.from({ length }, (_, rank) => at(from + rank));
      const pagination = { total: count, per_page: perPage, current_page: page };
      const last_page = Math.ceil(count / perPage);
      count += growth;
      return Response.json({
        success: true,
        message: null,
        data,
        meta: { pagination: { ...pagination, last_page, from: from + 1, to: from + length } },
      });
    },
  });
  return { client, pages };
}

const cases = [1, 2, 3, 4, 5, 6, 7].flatMap((growth) =>
  [true, false].flatMap((isNewestFirst) =>
    [99, 100, 101, 640].map((before) => ({
      growth,
      before,
      isNewestFirst,
      order: isNewestFirst ? 'newest' : 'oldest',
    })),
  ),
);

test.each(cases)(
  'of $before deliveries listed $order first, while $growth a page are added, each is recovered once and in order',
  async ({ growth, before, isNewestFirst }) => {
    const { client, pages } = growing(before, growth, isNewestFirst);
    const indexes: number[] = [];
    for await (const { event: recovered } of recoverEvents(client.webhooks, 3, { since: new Date(0) })) {
      indexes.push(Number((recovered.data as { index: number }).index));
    }
    expect(indexes).toEqual(Array.from(indexes, (_, index) => index));
    expect(indexes.length).toBeGreaterThanOrEqual(before);
    // One page at a time: those in flight together would see different lists.
    expect(pages).toEqual(Array.from(pages, (_, index) => index + 1));
  },
);
