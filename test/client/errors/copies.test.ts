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

const entries = {
  'exam-service-sdk': () => import('../../../src/index.ts'),
  'exam-service-sdk/webhooks': () => import('../../../src/webhooks/index.ts'),
  'exam-service-sdk/proxy': () => import('../../../src/proxy/index.ts'),
  'exam-service-sdk/opentelemetry': () => import('../../../src/opentelemetry/index.ts'),
  'exam-service-sdk/testing': () => import('../../../src/testing/index.ts'),
};

test.each(Object.entries(entries))(
  'every error of %s is recognised as one of its own class by another copy',
  async (_, load) => {
    const { ExamServiceError } = await import('../../../src/index.ts');
    type Exported = { readonly prototype?: unknown; readonly name: string };
    const exported = Object.values(await load()) as Exported[];
    const errors = exported.filter(
      ({ prototype }) => prototype instanceof Error && prototype !== Error.prototype,
    );
    const nameless = errors.filter((type) => type !== ExamServiceError && !Object.hasOwn(type, 'kind'));
    expect(nameless.map(({ name }) => name)).toEqual([]);
    const kinds = new Set(errors.map((type) => Reflect.get(type, 'kind')));
    expect(kinds.size).toBe(errors.length);
  },
);
