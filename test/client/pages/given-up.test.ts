import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createClient } from '../../helpers/client.ts';

test('an iterator that is given up leaves no listener on a signal that lives longer', async () => {
  const { signal } = new AbortController();
  const fetch = async (url: string) => {
    const page = Number(new URL(url).searchParams.get('page') ?? 1);
    return Response.json({ data: [{ id: page }], meta: { current_page: page, last_page: 9 } });
  };
  const client = createClient({ url: 'https://h.test' }, { fetch });
  const iterator = client.exams.list({}, { signal, concurrency: 3 })[Symbol.asyncIterator]();
  expect((await iterator.next()).value).toEqual({ id: 1 });
  await expect.poll(() => getEventListeners(signal, 'abort')).toEqual([]);
});
