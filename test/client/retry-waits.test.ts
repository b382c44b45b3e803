import { describe, expect, test, vi } from 'vitest';
import { ApiError, type ClientOptions } from '../../src/index.ts';
import { createClient, failure, nowhere } from '../helpers/client.ts';
import { startFakeTime } from '../helpers/fake-time.ts';

startFakeTime();

/** The waits of a call whose every attempt gets this status and these headers. */
async function waits(status: number, headers: Record<string, string>, options: ClientOptions = {}) {
  const delays: number[] = [];
  const starts: number[] = [];
  const client = createClient(nowhere, {
    fetch: async () => {
      starts.push(Date.now());
      return new Response(null, { status, headers });
    },
    hooks: { onRetry: ({ delayMs }) => delays.push(delayMs) },
    maxRetries: 1,
    ...options,
  });
  const error = failure(client.exams.retrieve(3), ApiError);
  await vi.runAllTimersAsync();
  const { attempts } = await error;
  const waited = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
  expect(waited).toEqual(delays);
  return { delays, attempts };
}

describe('backoff', () => {
  test('doubles from half a second up to 8 s', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const { delays } = await waits(503, {}, { maxRetries: 7 });
    expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  });

  test('is a random part of that, from nothing to nearly all of it', async () => {
    vi.spyOn(Math, 'random').mockReturnValueOnce(0).mockReturnValueOnce(0.5).mockReturnValueOnce(0.999);
    expect((await waits(503, {}, { maxRetries: 3 })).delays).toEqual([0, 500, 1_998]);
  });

  test('stays at 8 s however many retries are allowed', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const { delays } = await waits(503, {}, { maxRetries: 40 });
    expect(delays.at(-1)).toBe(8_000);
  });
});

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toUTCString();

describe('Retry-After', () => {
  test.each([429, 503, 500, 502, 504, 408])('wins over the backoff for status %i', async (status) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    expect((await waits(status, { 'Retry-After': '7' })).delays).toEqual([7_000]);
  });

  test('is exceeded a little, so that clients rejected together do not come back together', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    expect((await waits(429, { 'Retry-After': '7' })).delays).toEqual([7_700]);
    expect((await waits(503, { 'Retry-After': '50' })).delays).toEqual([51_000]);
  });

  test.each(['0', inSeconds(-60), 'Wed, 21 Oct 2015 07:28:00 GMT', 'soon'])(
    'of %s does not switch the backoff off',
    async (value) => {
      vi.spyOn(Math, 'random').mockReturnValue(1);
      expect((await waits(503, { 'Retry-After': value })).delays).toEqual([500]);
    },
  );

  test.each([
    ['66', {}],
    ['3', { maxRetryAfter: 2_999 }],
    ['1', { maxRetryAfter: 0 }],
    ['99999999999999999999', {}],
  ])('of %s is not waited for with %o: the error is thrown at once', async (value, options) => {
    const result = await waits(429, { 'Retry-After': value }, { maxRetries: 5, ...options });
    expect(result).toEqual({ delays: [], attempts: 1 });
  });

  test('of exactly maxRetryAfter is waited for: by default a minute, with what rounding adds', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    for (const seconds of ['60', '61', '65'])
      expect((await waits(429, { 'Retry-After': seconds })).delays).toEqual([Number(seconds) * 1_000]);
    expect((await waits(429, { 'Retry-After': '3' }, { maxRetryAfter: 3_000 })).delays).toEqual([3_000]);
  });

  test('that is too long as a date is not waited for either', async () => {
    vi.setSystemTime(new Date('2026-03-01T08:00:00Z'));
    expect(await waits(503, { 'Retry-After': inSeconds(3_600) })).toEqual({ delays: [], attempts: 1 });
  });
});
