import { describe, expect, test } from 'vitest';
import { NotFoundError } from '../../../src/index.ts';
import { collect, connect, rejection } from '../../fixtures/responses/client.ts';
import { allStyles } from '../../fixtures/responses/lists.ts';
import { paged, range } from '../../fixtures/responses/paged.ts';

const [first, second, third] = [range(3), range(6).slice(3), range(9).slice(6)];

/** Answers page after page with these bodies, by their number, and with 404 beyond the last. */
const showing = (...bodies: readonly unknown[]) =>
  connect(({ query }) => {
    const body = bodies[Number(query.get('page') ?? 1) - 1];
    return body === undefined ? { status: 404, body: { message: 'no such page' } } : { body };
  });

const page = (data: readonly unknown[], meta: object = {}) => ({ data, meta });

describe('a page that came before repeats it', () => {
  test.each([
    ['though only its metadata has a total', {}, { total: 20 }],
    ['though only its metadata has a last page', {}, { last_page: 5 }],
    ['though the last page did not move', { last_page: 5 }, { last_page: 5 }],
  ])('%s', async (_, before, now) => {
    await using service = await showing(page(first, before), page(first, now), page(third));
    const error = await rejection(collect(service.client.exams.list()));
    expect(String(error)).toContain(
      'page 2 repeats page 1, although its metadata says that there is more: the service does not page this list by number',
    );
  });

  test.each([
    ['a total counts as many new rows', { total: 6 }, { total: 9 }],
    [
      'the last page moved as far, though only one of them has a total',
      { last_page: 2, total: 6 },
      { last_page: 3 },
    ],
  ])('unless %s', async (_, before, now) => {
    await using service = await showing(page(first, before), page(first, now), page(second, now));
    expect(await collect(service.client.exams.list())).toEqual([...first, ...first, ...second]);
  });
});

describe('a 404 beyond the first page', () => {
  test('is an error where a total promised the page, also to whoever began after page 1', async () => {
    await using service = await showing(page(first), page(second, { total: 20, per_page: 3 }));
    expect(await rejection(collect(service.client.exams.list({ page: 2 })))).toBeInstanceOf(NotFoundError);
  });

  test('is the end where rows that the total counts may have been filtered out', async () => {
    const meta = { total: 6, per_page: 3 };
    await using service = await showing(page(first, meta), page(second.slice(1), meta));
    expect(await collect(service.client.exams.list())).toEqual([...first, ...second.slice(1)]);
  });

  test('is the end where the metadata ended the list before its total', async () => {
    const meta = { total: 9, last_page: 1 };
    await using service = await showing(page(first, meta));
    const told: unknown[] = [];
    const client = service.client.withOptions({
      // As node-fetch 2 gives a body: with its byte order mark.
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        const body = `\uFEFF${await response.text()}`;
        return Object.assign(new Response(body, response), { text: async () => body });
      },
      validation: 'report',
      hooks: { onSchemaDrift: ({ issues }) => told.push(issues) },
      logLevel: 'off',
    });
    expect(await collect(client.exams.list())).toEqual(first);
    const message = 'counts items that have not come, although the metadata says that no page follows';
    expect(told).toEqual([[{ path: 'total', message }]]);
  });
});

test('a page as JSON names the next one, and the last one none', async () => {
  const { 'a paginator': style = () => null } = allStyles;
  await using service = await connect(paged({ all: range(15), style }));
  const page = await service.client.exams.list();
  const written = async (one: unknown) => JSON.parse(JSON.stringify(one));
  const counts = { perPage: 10, total: 15, lastPage: 2 };
  expect(await written(page)).toEqual({ data: range(10), page: 1, ...counts, nextPage: 2 });
  expect(await written(await page.nextPage())).toMatchObject({ page: 2, ...counts, nextPage: null });
});

test('an iterator of no page says so', async () => {
  await using service = await showing(page(first));
  const { [Symbol.asyncIterator]: iterate } = await service.client.exams.list();
  const items = iterate.call({} as never);
  expect(await rejection(items.next())).toEqual(
    new TypeError('next() was called without its page: call it as page.next().'),
  );
});

test.each(['hasNextPage', 'nextPage', 'toJSON'] as const)(
  '%s() taken off its page says how to call it',
  async (name) => {
    await using service = await showing(page(first));
    const { [name]: method } = await service.client.exams.list();
    const call = async () => (method as () => unknown).call(undefined);
    expect(await rejection(call())).toEqual(
      new TypeError(`${name}() was called without its page: call it as page.${name}().`),
    );
  },
);
