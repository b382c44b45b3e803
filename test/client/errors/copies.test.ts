import { afterEach, expect, test, vi } from 'vitest';
import {
  ApiError,
  type ExamClient,
  isApiError,
  isExamServiceError,
  NotFoundError,
  RateLimitError,
} from '../../../src/index.ts';
import { rejection } from '../../helpers/client.ts';
import { startServer } from '../../helpers/server.ts';

afterEach(() => {
  vi.resetModules();
});

type Package = typeof import('../../../src/index.ts');

async function importAnotherCopy(): Promise<Package> {
  vi.resetModules();
  return import('../../../src/index.ts');
}

test('an error from another copy of the package passes the guards and instanceof', async () => {
  await using server = await startServer({ status: 404, body: {} });
  const copy = await importAnotherCopy();
  expect(copy.ApiError).not.toBe(ApiError);
  const client: ExamClient = new copy.ExamClient({ baseUrl: server.url, apiKey: 'k', logLevel: 'off' });
  const error = await rejection(client.exams.list());
  expect(error instanceof ApiError).toBe(true);
  expect(error instanceof NotFoundError).toBe(true);
  expect(error instanceof copy.NotFoundError).toBe(true);
  expect(error instanceof RateLimitError).toBe(false);
  expect(isExamServiceError(error)).toBe(true);
  expect(isApiError(error)).toBe(true);
});
