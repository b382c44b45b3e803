import { describe, expect, test } from 'vitest';
import { connect } from '../../fixtures/responses/client.ts';
import { examResult } from '../../fixtures/responses/records.ts';

async function readScore(score: unknown) {
  await using service = await connect({ body: [{ ...examResult, score }] });
  const [result] = (await service.client.examResults.list()).data;
  return result?.['score'];
}

describe('a score', () => {
  test.each([
    ['87.50', 87.5],
    ['100', 100],
    ['0.00', 0],
    ['-2.25', -2.25],
  ])('of %j is read as a number', async (sent, read) => {
    expect(await readScore(sent)).toBe(read);
  });

  test.each([87.5, 0, null, '', 'absent', '87,5', '1e3', ' 5'])('of %j stays as it is', async (sent) => {
    expect(await readScore(sent)).toBe(sent);
  });
});

test('a result without a score gets none', async () => {
  const { score: _, ...unscored } = examResult;
  await using service = await connect({ body: [unscored] });
  expect((await service.client.examResults.list()).data).toEqual([unscored]);
});

test('the three notations of time stay as they were sent', async () => {
  await using service = await connect({ body: [examResult] });
  const [result] = (await service.client.examResults.list()).data;
  expect(result).toMatchObject({
    start_at: '2026-03-01T08:00:00+07:00',
    end_at: '2026-03-01T02:45:12.000000Z',
    created_at: '2026-03-01 09:45:12',
  });
});

test('a result needs no id: none is documented for the list', async () => {
  await using service = await connect({ body: [{ participant_code: 'P-1' }, {}] });
  expect((await service.client.examResults.list()).data).toEqual([{ participant_code: 'P-1' }, {}]);
});

test('only the score of the result itself is read as a number', async () => {
  const result = { passing_grade: '61.00', exam: { score: '1.00' }, score: '2.00' };
  await using service = await connect({ body: [result] });
  expect((await service.client.examResults.list()).data).toEqual([{ ...result, score: 2 }]);
});
