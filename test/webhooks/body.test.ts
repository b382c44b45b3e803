import { beforeEach, describe, expect, test, vi } from 'vitest';
import { safeVerifyWebhook, verifyWebhook } from '../../src/webhooks/index.ts';
import { throwing } from '../helpers/client.ts';
import { never } from '../helpers/gate.ts';
import { body, mac, options, signedAt, streaming } from './helpers.ts';

const bytes = new TextEncoder().encode(body);
const signature = `t=${signedAt},v1=${mac(body)}`;

type Controller = ReadableStreamDefaultController;
type Pull = (controller: Controller) => unknown;

/** A request whose body comes as the test says, with what became of its stream. */
function streamed(pull: Pull, header = signature, more: HeadersInit = {}) {
  const seen = { pulls: 0, cancelled: false };
  const source = {
    pull(controller: Controller) {
      seen.pulls++;
      return pull(controller) as Promise<void>;
    },
    cancel: () => void Object.assign(seen, { cancelled: true }),
  };
  const stream = new ReadableStream(source, { highWaterMark: 0 });
  return { seen, request: streaming(stream, { 'X-Cbt-Signature': header, ...more }) };
}

/** A body of these chunks. */
function chunked(...chunks: readonly Uint8Array[]): Pull {
  const left = chunks.values();
  return (controller) => {
    const { done, value } = left.next();
    if (done) controller.close();
    else controller.enqueue(value);
  };
}
const breaking = (reason: Error) => () => Promise.reject(reason);
const endless: Pull = (controller) => controller.enqueue(new Uint8Array(100));

async function reasonOf(request: Request, more = {}): Promise<string | undefined> {
  const result = await safeVerifyWebhook(request, { ...options, ...more });
  return result.ok ? undefined : result.error.reason;
}

describe('before the body is read', () => {
  test.each([
    ['header_missing', ''],
    ['header_malformed', 'forged'],
    ['timestamp_too_old', `t=${signedAt - 301},v1=${mac(body)}`],
    ['timestamp_in_future', `t=${signedAt + 301},v1=${mac(body)}`],
  ])('%s is found', async (reason, header) => {
    const { request, seen } = streamed(never, header);
    if (header === '') request.headers.delete('x-cbt-signature');
    expect(await reasonOf(request)).toBe(reason);
    expect(seen).toEqual({ pulls: 0, cancelled: false });
  });

  test('a declared length beyond maxBodyBytes is rejected', async () => {
    const { request, seen } = streamed(endless, signature, { 'content-length': '1001' });
    expect(await reasonOf(request, { maxBodyBytes: 1_000 })).toBe('body_too_large');
    expect(seen.pulls).toBe(0);
  });
});

describe('maxBodyBytes', () => {
  test('stops reading at the chunk that exceeds it', async () => {
    const { request, seen } = streamed(endless);
    expect(await reasonOf(request, { maxBodyBytes: 250 })).toBe('body_too_large');
    expect(seen).toEqual({ pulls: 3, cancelled: true });
  });

  test('is 1 MiB for a request by default', async () => {
    const { request, seen } = streamed(endless);
    const message = 'The body is longer than 1048576 bytes.';
    const error = { reason: 'body_too_large', status: 413, message };
    await expect(verifyWebhook(request, options)).rejects.toMatchObject(error);
    expect(seen.cancelled).toBe(true);
  });

  test.each<[what: string, headers: HeadersInit]>([
    ['declares it', { 'content-length': String(bytes.length) }],
    ['does not say', {}],
  ])('is a length that a request may have which %s', async (_, headers) => {
    const whole = () => streamed(chunked(bytes), signature, headers).request;
    expect(await reasonOf(whole(), { maxBodyBytes: bytes.length })).toBeUndefined();
    expect(await reasonOf(whole(), { maxBodyBytes: bytes.length - 1 })).toBe('body_too_large');
  });

  test('counts for a body in memory when it is given', async () => {
    const parts = { body, headers: { 'x-cbt-signature': signature } };
    const exact = await safeVerifyWebhook(parts, { ...options, maxBodyBytes: bytes.length });
    const less = await safeVerifyWebhook(parts, { ...options, maxBodyBytes: bytes.length - 1 });
    expect(exact).toMatchObject({ ok: true });
    expect(less).toMatchObject({ ok: false, error: { reason: 'body_too_large' } });
  });
});

describe('readTimeout', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

  test.each([
    ['10 s by default', {}, 10_000],
    ['what is given', { readTimeout: 500 }, 500],
  ])('is %s: a body that takes longer is rejected and its stream cancelled', async (_, set, milliseconds) => {
    const { request, seen } = streamed(never);
    const settled = vi.fn();
    const pending = safeVerifyWebhook(request, { ...options, ...set }).finally(settled);
    await vi.advanceTimersByTimeAsync(milliseconds - 1);
    expect(settled).not.toHaveBeenCalled();
    // Then the event loop turns once more.
    await vi.advanceTimersByTimeAsync(2);
    const message = `The body took longer than ${milliseconds} ms.`;
    expect(await pending).toMatchObject({
      ok: false,
      error: { reason: 'body_timeout', status: 408, message },
    });
    expect(seen.cancelled).toBe(true);
  });

  test('covers the whole body, however steadily its chunks come', async () => {
    const trickle = (controller: Controller) =>
      new Promise<void>((resolve) => {
        setTimeout(() => resolve(controller.enqueue(new Uint8Array(1))), 900);
      });
    const pending = reasonOf(streamed(trickle).request, { readTimeout: 2_000 });
    await vi.advanceTimersByTimeAsync(2_001);
    expect(await pending).toBe('body_timeout');
  });

  test('leaves no timer behind', async () => {
    const { request } = streamed(chunked(bytes.subarray(0, 10), bytes.subarray(10)));
    expect(await reasonOf(request)).toBeUndefined();
    expect(await reasonOf(streamed(breaking(new Error('cut'))).request)).toBe('body_incomplete');
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('a body that breaks off is incomplete, and the error keeps the reason', async () => {
  const cause = new Error('cut off');
  const result = await safeVerifyWebhook(streamed(breaking(cause)).request, options);
  const error = { reason: 'body_incomplete', status: 400, message: 'The body broke off.', cause };
  expect(result).toMatchObject({ ok: false, error });
});

describe('a body that is not raw', () => {
  test('is one whose stream gives strings, as setEncoding makes it', async () => {
    const { request, seen } = streamed((controller) => controller.enqueue(body));
    expect(await reasonOf(request)).toBe('body_not_raw');
    expect(seen.cancelled).toBe(true);
  });

  test('is one that something else is reading', async () => {
    const { request } = streamed(endless);
    request.body?.getReader();
    expect(await reasonOf(request)).toBe('body_not_raw');
  });

  test.each([
    ['no stream at all', undefined],
    ['a string', body],
    ['bytes', bytes],
  ])('is that of a foreign Request which has %s for a body', async (_, foreign) => {
    const request = {
      headers: new Headers({ 'x-cbt-signature': signature }),
      bodyUsed: false,
      body: foreign,
      arrayBuffer: () => Promise.reject(new TypeError('Illegal invocation')),
    };
    expect(await reasonOf(request as object as Request)).toBe('body_not_raw');
  });
});

test.each<[string, () => unknown]>([
  ['throws', throwing(new Error('no'))],
  ['gives no promise', () => undefined],
])('a body is read where the `cancel` of its reader %s, as another library’s may', async (_, cancel) => {
  const steps = [{ done: false, value: bytes }, { done: true }];
  const request = {
    headers: new Headers({ 'X-Cbt-Signature': signature }),
    bodyUsed: false,
    body: { locked: false, getReader: () => ({ read: async () => steps.shift(), cancel }) },
  };
  expect(await reasonOf(request as object as Request)).toBeUndefined();
});
