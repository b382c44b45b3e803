import { expect, test } from 'vitest';
import { NewDeliveries } from '../../src/cli/listen/deliveries.ts';
import { ExamClient } from '../../src/index.ts';
import { delivery } from '../fixtures/responses/webhooks.ts';

test('what it remembers is bounded, and what it forgets is not given again', async () => {
  let count = 9_990;
  const client = new ExamClient({
    baseUrl: 'http://localhost/api/v1',
    apiKey: 'key',
    fetch: async (url) => {
      const page = Number(new URL(url).searchParams.get('page') ?? 1);
      const first = count - (page - 1) * 100;
      const data = Array.from({ length: Math.max(0, Math.min(100, first)) }, (_, index) => ({
        ...delivery,
        id: String(first - index).padStart(6, '0'),
        created_at: new Date((first - index) * 1000).toISOString(),
      }));
      const last_page = Math.ceil(count / 100);
      const pagination = { total: count, per_page: 100, current_page: page, last_page, from: null, to: null };
      return Response.json({ success: true, data, meta: { pagination } });
    },
  });
  const { signal } = new AbortController();
  const deliveries = NewDeliveries.since(client.webhooks, 3, 0);
  expect(await deliveries.take(signal)).toHaveLength(9_990);
  for (const more of [20, 0, 150]) {
    count += more;
    const taken = await deliveries.take(signal);
    expect(taken.map(({ id }) => Number(id))).toEqual(
      Array.from({ length: more }, (_, index) => count - more + 1 + index),
    );
  }
});
