import { expect, test } from 'vitest';
import { connect } from '../../fixtures/responses/client.ts';
import { allStyles } from '../../fixtures/responses/lists.ts';
import { paged, range } from '../../fixtures/responses/paged.ts';
import { rejection } from '../../helpers/client.ts';

test('a page as JSON names the next one, and the last one none', async () => {
  const { 'a paginator': style = () => null } = allStyles;
  await using service = await connect(paged({ all: range(15), style }));
  const page = await service.client.exams.list();
  const written = async (one: unknown) => JSON.parse(JSON.stringify(one));
  const counts = { perPage: 10, total: 15, lastPage: 2 };
  expect(await written(page)).toEqual({ data: range(10), page: 1, ...counts, nextPageNumber: 2 });
  expect(await written(await page.nextPage())).toMatchObject({ page: 2, ...counts, nextPageNumber: null });
});

test('an iterator of no page says so', async () => {
  await using service = await connect({ body: range(3) });
  const { [Symbol.asyncIterator]: iterate } = await service.client.exams.list();
  const items = iterate.call({} as never);
  expect(await rejection(items.next())).toEqual(
    new TypeError('next() was called without its page: call it as page.next().'),
  );
});

test.each(['hasNextPage', 'nextPage', 'toJSON'] as const)(
  '%s() taken off its page says how to call it',
  async (name) => {
    await using service = await connect({ body: range(3) });
    const { [name]: method } = await service.client.exams.list();
    const call = async () => (method as () => unknown).call(undefined);
    expect(await rejection(call())).toEqual(
      new TypeError(`${name}() was called without its page: call it as page.${name}().`),
    );
  },
);
