import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, type ExamClient, isApiError, isExamServiceError } from '../../../src/index.ts';
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

test('an error from another copy of the package passes the guards, though not instanceof', async () => {
  await using server = await startServer({ status: 404, body: {} });
  const copy = await importAnotherCopy();
  expect(copy.ApiError).not.toBe(ApiError);
  const client: ExamClient = new copy.ExamClient({ baseUrl: server.url, apiKey: 'k', logLevel: 'off' });
  const error = await rejection(client.exams.list());
  expect(error).not.toBeInstanceOf(ApiError);
  expect(isExamServiceError(error)).toBe(true);
  expect(isApiError(error)).toBe(true);
});
