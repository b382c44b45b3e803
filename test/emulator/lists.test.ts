import { expect, test } from 'vitest';
import type { ResultSeed } from '../../src/testing/index.ts';
import { longOrShort } from '../helpers/requirements.ts';
import { at, fieldErrors, startService } from './helpers.ts';

test('a list of participants with a wrong page and size gets a 422', async () => {
  await using service = await startService();
  const response = await service.call('GET', '/participants?page=-1&limit=101');
  expect(response.status).toBe(422);
  expect(fieldErrors(response)).toEqual({
    page: ['The page field must be at least 1.'],
    limit: ['The limit field must not be greater than 100.'],
  });
});

test('a page beyond the end is empty and still has the total', async () => {
  await using service = await startService();
  service.emulator.control.seedExams(3);
  const { json } = await service.call('GET', '/exams?page=9');
  expect(json).toMatchObject({
    data: [],
    meta: { current_page: 9, last_page: 1, total: 3, from: null, to: null },
  });
});

const many = longOrShort(10_000, 1000);

test(`of ten results of each of ${many} participants, a filter finds every page`, async () => {
  await using service = await startService();
  service.emulator.control.seedParticipants(many);
  service.emulator.control.seedExams(10);
  service.emulator.control.seedResults(
    Array.from(
      { length: 10 * many },
      (_, index): ResultSeed => ({
        participant_id: (index % many) + 1,
        exam_id: Math.floor(index / many) + 1,
        score: index % 100,
      }),
    ),
  );
  for (let page = 5; page <= many / 100; page += 5) {
    const { json } = await service.call('GET', `/exam-results?exam_id=5&limit=100&page=${page}`);
    expect(at(json, 'data', 99)).toMatchObject({
      exam: { id: 5 },
      participant: { id: many + 1 - page * 100 },
    });
  }
});
