import { describe, expect, test } from 'vitest';
import { connect } from '../../fixtures/responses/client.ts';
import { allStyles } from '../../fixtures/responses/lists.ts';
import { paged, range } from '../../fixtures/responses/paged.ts';
import { rejection, throwing } from '../../helpers/client.ts';

const all = range(23);
const { 'a paginator': style = () => null } = allStyles;

describe('toMap()', () => {
  test('collects the items by key, in the order of the list', async () => {
    await using service = await connect(paged({ all, style }));
    const map = await service.client.exams.list().toMap(({ id }) => id * 10, { maxItems: 100 });
    expect([...map]).toEqual(all.map((exam) => [exam.id * 10, exam]));
  });

  test('keeps the last of the items with one key', async () => {
    await using service = await connect(paged({ all, style }));
    const map = await service.client.exams.list().toMap(({ id }) => id % 2, { maxItems: 100 });
    expect([...map]).toEqual([
      [1, { id: 23 }],
      [0, { id: 22 }],
    ]);
  });

  test.each([
    [10, 1],
    [11, 2],
  ])('reads at most maxItems: %i items in %i requests', async (maxItems, requests) => {
    await using service = await connect(paged({ all, style }));
    expect((await service.client.exams.list().toMap(({ id }) => id, { maxItems })).size).toBe(maxItems);
    expect(service.server.requests).toHaveLength(requests);
  });

  test('reads no more than the call allows', async () => {
    await using service = await connect(paged({ all, style }));
    const list = service.client.exams.list({}, { maxItems: 4 });
    expect((await list.toMap(({ id }) => id, { maxItems: 9 })).size).toBe(4);
  });

  test('rejects with what the function throws', async () => {
    await using service = await connect(paged({ all, style }));
    const reason = new Error('no key');
    const keyOf = throwing(reason);
    expect(await rejection(service.client.exams.list().toMap(keyOf, { maxItems: 5 }))).toBe(reason);
  });
});
