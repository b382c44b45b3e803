import { describe, expect, test } from 'vitest';
import { collect, collectFrom, connect } from '../../fixtures/responses/client.ts';
import { allStyles } from '../../fixtures/responses/lists.ts';
import { paged, range } from '../../fixtures/responses/paged.ts';
import { rejection } from '../../helpers/client.ts';

const all = range(47);
const { 'a paginator': numbered = () => null, 'a bare array': plain = () => null } = allStyles;

describe.each(Object.entries(allStyles))('a page of %s', (_, style) => {
  test('is iterated from there on', async () => {
    await using service = await connect(paged({ all, style }));
    const third = await service.client.exams.list({ page: 3 });
    expect(await collect(third)).toEqual(all.slice(20));
    const fourth = await third.nextPage();
    expect(await collectFrom(fourth)).toEqual(all.slice(30));
  });
});

describe('a page is iterated by the options of its call', () => {
  test('maxItems and maxPages count from it', async () => {
    await using service = await connect(paged({ all, style: plain }));
    const options = [{ maxItems: 13 }, { maxPages: 2 }];
    const [items, pages] = await Promise.all(
      options.map(async (each) => collect(await service.client.exams.list({ page: 2 }, each))),
    );
    expect(items).toEqual(all.slice(10, 23));
    expect(pages).toEqual(all.slice(10, 30));
  });

  test('with pages fetched ahead', async () => {
    await using service = await connect(paged({ all, style: numbered }));
    const page = await service.client.exams.list({}, { concurrency: 4 });
    const items = page[Symbol.asyncIterator]();
    await items.next();
    await service.server.arrival(4);
    await items.return();
    expect(await collect(page)).toEqual(all);
  });

  test('until its signal aborts', async () => {
    await using service = await connect(paged({ all, style: numbered }));
    const controller = new AbortController();
    const page = await service.client.exams.list({}, { signal: controller.signal });
    const seen: number[] = [];
    const loop = async () => {
      for await (const { id } of page) {
        seen.push(id);
        if (id === 12) controller.abort('stop');
      }
    };
    expect(await rejection(loop())).toBe('stop');
    expect(seen).toHaveLength(12);
  });
});

test('a page that came from pages() is iterated from there on', async () => {
  await using service = await connect(paged({ all, style: numbered }));
  for await (const page of service.client.exams.list({}, { concurrency: 2 }).pages()) {
    expect(await collect(page)).toEqual(all.slice((page.page - 1) * 10));
  }
});
