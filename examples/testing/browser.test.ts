// Vitest in a browser (https://vitest.dev/guide/browser): the emulator runs in the page itself, and msw's service
// worker hands it what the program under test requests. Once, for the worker: npx msw init public
import { ExamClient, NotFoundError } from 'exam-service-sdk';
import { createEmulator } from 'exam-service-sdk/testing';
import { createMswHandlers } from 'exam-service-sdk/testing/msw';
import { setupWorker } from 'msw/browser';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const baseUrl = 'https://exams.example.com/api/v1';
const emulator = createEmulator();
const worker = setupWorker(...createMswHandlers(emulator, { baseUrl }));

beforeAll(() => worker.start({ quiet: true }));
beforeEach(() => emulator.reset());
afterAll(() => worker.stop());

/** What you test: a part of your own page. Its key is only ever the emulator's. */
async function linkText(participant_id: number, exam_id: number): Promise<string> {
  const client = new ExamClient({ baseUrl, apiKey: 'test-key', dangerouslyAllowBrowser: true });
  try {
    const { url } = await client.examParticipants.link({ participant_id, exam_id });
    return `Go to ${new URL(url).host}`;
  } catch (error) {
    if (error instanceof NotFoundError) return 'You are not registered for this exam.';
    throw error;
  }
}

test('a participant who is registered is shown the way', async () => {
  emulator.control.seedParticipants(1);
  emulator.control.seedExams(1);
  emulator.control.seedAssignments([{ participant_id: 1, exam_id: 1 }]);
  expect(await linkText(1, 1)).toBe('Go to exam.example.test');
});

test('anybody else sees that they are not registered', async () => {
  emulator.control.seedParticipants(1);
  emulator.control.seedExams(1);
  expect(await linkText(1, 1)).toBe('You are not registered for this exam.');
});
