import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createClient, nowhere } from '../../helpers/client.ts';
import { startService } from '../../helpers/server.ts';

test('an iterator that is given up leaves no listener on a signal that lives longer', async () => {
  const { signal } = new AbortController();
  const fetch = async (url: string) => {
    const page = Number(new URL(url).searchParams.get('page') ?? 1);
    return Response.json({ data: [{ id: page }], meta: { current_page: page, last_page: 9 } });
  };
  const client = createClient(nowhere, { fetch });
  const iterator = client.exams.list({}, { signal, concurrency: 3 })[Symbol.asyncIterator]();
  expect((await iterator.next()).value).toEqual({ id: 1 });
  await expect.poll(() => getEventListeners(signal, 'abort')).toEqual([]);
});

test.each([1, 3])(
  'return() cancels the pages that an iterator waits for (concurrency %i)',
  async (concurrency) => {
    await using server = startService(({ query }) =>
      query.get('page') === null
        ? { body: { data: [{ id: 1 }], meta: { current_page: 1, last_page: 9 } } }
        : undefined,
    );
    const ended: unknown[] = [];
    const hooks = { onEnd: ({ outcome }: { outcome: string }) => ended.push(outcome) };
    const list = createClient(server, { hooks }).exams.list({}, { concurrency });
    for (const iterator of [list[Symbol.asyncIterator](), list.pages()]) {
      await iterator.next();
      const pending = iterator.next();
      await server.arrival(server.requests.length + 1);
      expect(await iterator.return(undefined)).toEqual({ done: true, value: undefined });
      expect(await pending).toEqual({ done: true, value: undefined });
      expect(await iterator.next()).toEqual({ done: true, value: undefined });
    }
    expect(new Set(ended)).toEqual(new Set(['success', 'cancelled']));
  },
);
