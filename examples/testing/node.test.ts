// Vitest in Node: the program under test talks to "the service" with its own client and its own fetch, and msw
// hands every request to an emulator in the same process. Nothing leaves the machine.
import { ExamClient, RateLimitError } from 'exam-service-sdk';
import { createEmulator } from 'exam-service-sdk/testing';
import { createMswHandlers } from 'exam-service-sdk/testing/msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const baseUrl = 'https://exams.example.com/api/v1';
const emulator = createEmulator();
const server = setupServer(...createMswHandlers(emulator, { baseUrl }));

beforeAll(() => server.listen({ onUnhandledFrame: 'error' })); // with msw 2: onUnhandledRequest
beforeEach(() => emulator.reset());
afterAll(() => server.close());

/** What you test: a part of your own program. */
async function averageScore(exam_id: number): Promise<number> {
  const client = new ExamClient({ baseUrl, apiKey: 'test-key', maxRetries: 0 });
  const results = await client.examResults.list({ exam_id, limit: 100 }).toArray({ maxItems: 10_000 });
  return results.reduce((sum, { score }) => sum + Number(score), 0) / results.length;
}

test('the average is taken over all pages', async () => {
  const participants = emulator.control.seedParticipants(250);
  emulator.control.seedExams(1);
  emulator.control.seedResults(
    participants.map(({ id }) => ({ participant_id: id, exam_id: 1, score: id % 2 === 0 ? 70 : 80 })),
  );
  expect(await averageScore(1)).toBe(75);
  expect(emulator.requests).toHaveLength(3);
});

test('a service that is too busy has its own error class', async () => {
  emulator.faults.inject({
    on: 'examResults.list',
    effect: 'respond',
    status: 429,
    headers: { 'Retry-After': '7' },
  });
  await expect(averageScore(1)).rejects.toBeInstanceOf(RateLimitError);
});
