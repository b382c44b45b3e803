import { expect, test } from 'bun:test';
import process from 'node:process';
import { AuthenticationError, ExamClient, RequestValidationError } from 'exam-service-sdk';

const { baseUrl, apiKey } = JSON.parse(process.env.TEST_ENVIRONMENT);
const client = new ExamClient({ baseUrl, apiKey });
const stranger = new ExamClient({ baseUrl, apiKey: 'another-key' });

test('expect(call).rejects', async () => {
  await expect(stranger.exams.list()).rejects.toBeInstanceOf(AuthenticationError);
  await expect(client.exams.retrieve(0)).rejects.toBeInstanceOf(RequestValidationError);
});

test('a returned call', () => client.exams.list());

test.failing('a returned call that fails', () => stranger.exams.list());
