import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../../src/index.ts';
import { createClient, failure, nowhere } from '../../helpers/client.ts';

const date = 'Sun, 01 Mar 2026 08:00:00 GMT';
const unix = Date.parse(date) / 1_000;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse(date), toFake: ['Date'] });
});

const clientOf = (status: number, body: unknown, headers: HeadersInit) =>
  createClient(nowhere, { fetch: async () => Response.json(body, { status, headers }) });

async function retryAfterOf(headers: HeadersInit, status = 429): Promise<number | null> {
  return (await failure(clientOf(status, {}, headers).exams.list(), ApiError)).retryAfterMs;
}

async function rateLimitOf(headers: HeadersInit) {
  return (await clientOf(200, [], headers).exams.list().withResponse()).meta.rateLimit;
}

describe('Retry-After', () => {
  test.each<[value: string, milliseconds: number | null]>([
    ['7', 7_000],
    ['0', 0],
    ['1.5', 1_500],
    ['1.0005', 1_001],
    // IMF-fixdate, RFC 850 and asctime.
    ['Sun, 01 Mar 2026 08:00:12 GMT', 12_000],
    ['Sunday, 01-Mar-26 08:00:05 GMT', 5_000],
    ['Sun Mar  1 08:00:09 2026', 9_000],
    ['Tue Mar 31 08:00:00 2026', 30 * 24 * 3_600_000],
    // In the past: now.
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
    ['5, 6', 6_000],
    ['60,5', 60_000],
    ['5, Sun, 01 Mar 2026 08:00:12 GMT', 12_000],
    ['Sun, 01 Mar 2026 08:00:12 GMT, 20', 20_000],
    ['5, -6', 5_000],
  ])('%j is %s ms', async (value, milliseconds) => {
    expect(await retryAfterOf({ 'Retry-After': value }, 503)).toBe(milliseconds);
  });

  const inWords = ['soon', 'soon, 5', 'may', 'May', 'later 5', 'Monday 5', 'never'];
  const notDates = ['2026-03-01', '2026-03-01T08:00:12Z', 'Wed, 99 Foo 2026 99:99:99 GMT'];
  const notNumbers = ['-5', '5s', '1e3', '0x10', 'NaN', 'Infinity', '', ' '];
  test.each([...inWords, ...notDates, ...notNumbers])('%j makes no sense', async (value) => {
    expect(await retryAfterOf({ 'Retry-After': value }, 503)).toBeNull();
  });

  test('is the longest of several headers', async () => {
    const headers: [string, string][] = [
      ['Retry-After', '3'],
      ['Retry-After', '30'],
      ['Retry-After', '4'],
    ];
    expect(await retryAfterOf(headers)).toBe(30_000);
  });

  test.each<[value: string, milliseconds: number]>([
    ['Sun, 01 Mar 2026 07:00:00 GMT', 3_612_000],
    ['Sunday, 01-Mar-26 07:00:00 GMT', 3_612_000],
    ['Sun, 01 Mar 2026 09:00:00 GMT', 0],
    ['yesterday', 12_000],
    ['Sun, 99 Mar 2026 07:00:00 GMT', 12_000],
  ])(
    'as a date is compared with the Date of the response, if that is valid: %s',
    async (now, milliseconds) => {
      const headers = { Date: now, 'Retry-After': 'Sun, 01 Mar 2026 08:00:12 GMT' };
      expect(await retryAfterOf(headers)).toBe(milliseconds);
    },
  );
});

describe('the wait after a 429 without Retry-After', () => {
  test.each<[headers: Record<string, string>, milliseconds: number | null]>([
    [{ 'RateLimit-Reset': '30' }, 30_000],
    [{ 'X-RateLimit-Reset': '30' }, 30_000],
    [{ 'X-RateLimit-Reset': String(unix + 60) }, 60_000],
    [{ 'X-RateLimit-Reset': String(unix - 60) }, 0],
    [{ 'X-RateLimit-Reset': String(unix + 60), Date: 'Sun, 01 Mar 2026 07:59:00 GMT' }, 120_000],
    [{ 'X-RateLimit-Reset': '5, 40' }, 40_000],
    [{ 'X-RateLimit-Reset': '30s' }, null],
    [{ RateLimit: '"default";r=0;t=30' }, 30_000],
    [{ RateLimit: '"default";r=0' }, null],
    // The limit of which the least is left is the one that was met.
    [{ RateLimit: '"daily";r=500;t=86000, "burst";r=0;t=5' }, 5_000],
    [{ RateLimit: '"a";r=0;t=5, "b";r=0;t=50' }, 50_000],
    [{ 'Retry-After': '7', 'X-RateLimit-Reset': '30' }, 7_000],
    [{ 'Retry-After': 'soon', 'X-RateLimit-Reset': '30' }, 30_000],
    [{}, null],
  ])('%o is %s ms', async (headers, milliseconds) => {
    expect(await retryAfterOf(headers)).toBe(milliseconds);
  });

  test('is not read from a response of another status', async () => {
    expect(await retryAfterOf({ 'X-RateLimit-Reset': '30' }, 503)).toBeNull();
  });
});

describe('the rate limit of a response', () => {
  const resetAt = new Date('2026-03-01T08:00:30Z');
  test.each<[headers: Record<string, string>, limit: unknown]>([
    [
      { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59' },
      { limit: 60, remaining: 59, resetAt: null },
    ],
    [
      { 'RateLimit-Limit': '60', 'RateLimit-Reset': '30' },
      { limit: 60, remaining: null, resetAt },
    ],
    [{ 'X-RateLimit-Reset': String(unix + 30) }, { limit: null, remaining: null, resetAt }],
    [{ 'RateLimit-Remaining': '0' }, { limit: null, remaining: 0, resetAt: null }],
    // Two limiters sent one each.
    [
      { 'X-RateLimit-Limit': '60, 1000', 'X-RateLimit-Remaining': '9, 7' },
      { limit: 60, remaining: 7, resetAt: null },
    ],
    [
      { 'X-RateLimit-Limit': '60', 'RateLimit-Limit': '70', 'RateLimit-Remaining': '5;w=60' },
      { limit: 60, remaining: null, resetAt: null },
    ],
    [{ 'RateLimit-Limit': '100, 100;w=60' }, { limit: 100, remaining: null, resetAt: null }],
    [{ RateLimit: '"default";r=50;t=30' }, { limit: null, remaining: 50, resetAt }],
    [
      {
        RateLimit: '"daily";r=500;t=86000 , "burst" ;r=1, "a, b"; r=8; t=30',
        'RateLimit-Policy': '"daily";q=1000;w=86400,"a, b";q=10;w=60;pk=:YQ==:',
      },
      { limit: 10, remaining: 8, resetAt },
    ],
    [
      { RateLimit: '"default";r=50', 'X-RateLimit-Remaining': '3' },
      { limit: null, remaining: 3, resetAt: null },
    ],
    [{ RateLimit: '"default";r=-1;t=x, "b";r=5x' }, null],
    [{ RateLimit: 'r=50' }, null],
    [{ 'X-RateLimit-Limit': 'many', 'X-RateLimit-Remaining': '-1', 'X-RateLimit-Reset': '30s' }, null],
    [{}, null],
  ])('%o', async (headers, limit) => {
    expect(await rateLimitOf(headers)).toEqual(limit);
  });
});
