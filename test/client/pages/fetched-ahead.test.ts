import { expect, test } from 'vitest';
import { collect } from '../../fixtures/responses/client.ts';
import { serve } from '../../fixtures/responses/served.ts';
import { rejection } from '../../helpers/client.ts';
import { createGate, nextTurn } from '../../helpers/gate.ts';

const missing = () => new Response(null, { status: 404 });

test.each<[what: string, metadata: (page: number) => object]>([
  ['a link', (page) => ({ links: { next: page < 3 ? '/next' : null } })],
  ['its rows alone', () => ({})],
])('where the end shows by %s, only the next page is fetched ahead', async (_, metadata) => {
  const { client, asked } = serve((page) => ({ data: page < 4 ? [{ id: page }] : [], ...metadata(page) }));
  const pages = client.exams.list({}, { concurrency: 8 }).pages();
  for (const ahead of [2, 3]) {
    await pages.next();
    await nextTurn();
    expect(asked).toHaveLength(ahead);
  }
  expect(await collect(pages)).toMatchObject([{ page: 3 }]);
  expect(asked.length).toBeLessThanOrEqual(4);
});

test.each([
  ['was announced when it was fetched', { last_page: 4 }],
  ['is the next one, and announced by a link', { next: '/next' }],
  ['was never announced', {}],
])('a page that failed, and %s, is an error', async (_, metadata) => {
  const { client, asked } = serve((page) => (page === 2 ? missing() : { data: [{ id: page }], ...metadata }));
  const list = client.exams.list({}, { concurrency: 3 });
  expect(await rejection(collect(list))).toMatchObject({ status: 404 });
  expect(asked.filter((page) => page === 2)).toHaveLength(1);
});

test('nothing is fetched ahead of a page whose link leads nowhere', async () => {
  const { client, asked } = serve(() => ({ data: [{ id: 1 }], links: { next: null } }));
  const pages = client.exams.list({}, { concurrency: 3 }).pages();
  await pages.next();
  await nextTurn();
  expect(await pages.next()).toEqual({ done: true, value: undefined });
  expect(asked).toEqual([1]);
});

test('a page that failed ahead names the caller in its stack as well', async () => {
  const gate = createGate();
  const { client, asked } = serve(async (page) => {
    if (page === 3) return missing();
    if (page === 2) await gate.promise;
    return { data: [{ id: page }], last_page: 4 };
  });
  async function callerOfItems() {
    for await (const _ of client.exams.list({}, { concurrency: 3 }));
  }
  const failed = rejection(callerOfItems());
  await expect.poll(() => asked).toContain(3);
  await nextTurn();
  gate.open();
  const error = await failed;
  expect(error).toMatchObject({ status: 404 });
  expect((error as Error).stack).toMatch(/callerOfItems .*fetched-ahead\.test\.ts/);
});

test.each([1, 3])(
  'a page that fails while it is waited for names the caller in its stack (concurrency %i)',
  async (concurrency) => {
    const gate = createGate();
    const { client, asked } = serve(async (page) => {
      if (page === 1) return [{ id: 1 }];
      await gate.promise;
      return missing();
    });
    async function callerOfItems() {
      for await (const _ of client.exams.list({}, { concurrency }));
    }
    const failed = rejection(callerOfItems());
    await expect.poll(() => asked).toContain(2);
    gate.open();
    expect(((await failed) as Error).stack).toMatch(/callerOfItems .*fetched-ahead\.test\.ts/);
  },
);
