import { expect, test, vi } from 'vitest';
import { createClient, nowhere } from '../helpers/client.ts';

test('a success that comes after a faster rejection ends the row of rejections', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  let rejections = 0;
  const fetch = async (url: string) => {
    if (url.endsWith('/2')) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return Response.json({ id: 2 });
    }
    rejections += 1;
    if (rejections > 2) return Response.json({ id: 1 });
    return new Response('{}', { status: 429, headers: { 'retry-after': '1' } });
  };
  const client = createClient(nowhere, { fetch, maxRetries: 1 });
  const calls = Promise.all([client.exams.retrieve(1), client.exams.retrieve(2)]);
  const ended = calls.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await ended).toMatchObject([{ id: 1 }, { id: 2 }]);
  expect(rejections).toBe(3);
});
