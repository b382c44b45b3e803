import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ConfigurationError, safeVerifyWebhook, verifyWebhook } from '../../src/webhooks/index.ts';
import { throwing } from '../helpers/client.ts';
import { body, mac, options, signedAt } from './helpers.ts';

const bytes = new TextEncoder().encode(body);
const signature = `t=${signedAt},v1=${mac(body)}`;

/** A request whose body comes as the test says, with what became of its stream. */
function streamed(source: UnderlyingDefaultSource<unknown>, header = signature, more: HeadersInit = {}) {
  const seen = { pulls: 0, cancelled: false };
  const stream = new ReadableStream(
    {
      pull(controller) {
        seen.pulls++;
        return source.pull?.(controller);
      },
      cancel() {
        seen.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { 'X-Cbt-Signature': header, ...more };
  const init = { method: 'POST', body: stream, headers, duplex: 'half' } as RequestInit;
  return { seen, request: new Request('https://receiver.test/', init) };
}

const endless = {
  pull: (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(100)),
};
const stalled = { pull: () => new Promise<void>(() => {}) };

async function codeOf(request: Request, more = {}): Promise<string | undefined> {
  const result = await safeVerifyWebhook(request, { ...options, ...more });
  return result.ok ? undefined : result.error.code;
}

describe('before the body is read', () => {
  test.each([
    ['header_missing', ''],
    ['header_malformed', 'forged'],
    ['timestamp_too_old', `t=${signedAt - 301},v1=${mac(body)}`],
    ['timestamp_in_future', `t=${signedAt + 301},v1=${mac(body)}`],
  ])('%s is found', async (code, header) => {
    const { request, seen } = streamed(stalled, header);
    if (header === '') request.headers.delete('x-cbt-signature');
    expect(await codeOf(request)).toBe(code);
    expect(seen).toEqual({ pulls: 0, cancelled: false });
  });

  test('a declared length beyond maxBodyBytes is rejected', async () => {
    const { request, seen } = streamed(endless, signature, { 'content-length': '1001' });
    expect(await codeOf(request, { maxBodyBytes: 1_000 })).toBe('body_too_large');
    expect(seen.pulls).toBe(0);
  });
});

describe('maxBodyBytes', () => {
  test('stops reading at the chunk that exceeds it', async () => {
    const { request, seen } = streamed(endless);
    expect(await codeOf(request, { maxBodyBytes: 250 })).toBe('body_too_large');
    expect(seen).toEqual({ pulls: 3, cancelled: true });
  });

  test('is 1 MiB for a request by default', async () => {
    const { request, seen } = streamed(endless);
    await expect(verifyWebhook(request, options)).rejects.toMatchObject({
      code: 'body_too_large',
      status: 413,
      message: 'The body is longer than 1048576 bytes.',
    });
    expect(seen.cancelled).toBe(true);
  });

  test('is a length that a request may declare', async () => {
    const whole = {
      pull(controller: ReadableStreamDefaultController) {
        controller.enqueue(bytes);
        controller.close();
      },
    };
    const { request } = streamed(whole, signature, { 'content-length': String(bytes.length) });
    expect(await codeOf(request, { maxBodyBytes: bytes.length })).toBeUndefined();
  });

  test('counts for a body in memory when it is given', async () => {
    const parts = { body, headers: { 'x-cbt-signature': signature } };
    const exact = await safeVerifyWebhook(parts, { ...options, maxBodyBytes: bytes.length });
    const less = await safeVerifyWebhook(parts, { ...options, maxBodyBytes: bytes.length - 1 });
    expect(exact).toMatchObject({ ok: true });
    expect(less).toMatchObject({ ok: false, error: { code: 'body_too_large' } });
  });

  test.each([0, -1, Number.NaN, '1'])('of %s is a mistake in the set-up', async (wrong) => {
    for (const name of ['maxBodyBytes', 'readTimeout']) {
      const set = { ...options, [name]: wrong };
      await expect(verifyWebhook(streamed(endless).request, set)).rejects.toThrow(ConfigurationError);
      await expect(safeVerifyWebhook(streamed(endless).request, set)).rejects.toThrow(`\`${name}\``);
    }
  });
});

describe('readTimeout', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  test.each([
    ['10 s by default', {}, 10_000],
    ['what is given', { readTimeout: 500 }, 500],
  ])('is %s: a body that takes longer is rejected and its stream cancelled', async (_, set, milliseconds) => {
    const { request, seen } = streamed(stalled);
    const settled = vi.fn();
    const pending = safeVerifyWebhook(request, { ...options, ...set }).finally(settled);
    await vi.advanceTimersByTimeAsync(milliseconds - 1);
    expect(settled).not.toHaveBeenCalled();
    // Then the event loop turns once more.
    await vi.advanceTimersByTimeAsync(2);
    expect(await pending).toMatchObject({ ok: false, error: { code: 'body_timeout', status: 408 } });
    expect(seen.cancelled).toBe(true);
  });

  test('covers the whole body, however steadily its chunks come', async () => {
    const trickle = {
      pull: (controller: ReadableStreamDefaultController) =>
        new Promise<void>((resolve) => {
          setTimeout(() => resolve(controller.enqueue(new Uint8Array(1))), 900);
        }),
    };
    const pending = codeOf(streamed(trickle).request, { readTimeout: 2_000 });
    await vi.advanceTimersByTimeAsync(2_001);
    expect(await pending).toBe('body_timeout');
  });

  test('leaves no timer behind', async () => {
    let rest = [bytes.subarray(0, 10), bytes.subarray(10)];
    const inTwo = {
      pull(controller: ReadableStreamDefaultController) {
        const [next, ...others] = rest;
        rest = others;
        if (next) controller.enqueue(next);
        else controller.close();
      },
    };
    expect(await codeOf(streamed(inTwo).request)).toBeUndefined();
    expect(await codeOf(streamed({ pull: () => Promise.reject(new Error('cut')) }).request)).toBe(
      'body_incomplete',
    );
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('a body that breaks off is incomplete, and the error keeps the reason', async () => {
  const cause = new Error('cut off');
  const result = await safeVerifyWebhook(streamed({ pull: () => Promise.reject(cause) }).request, options);
  expect(result).toMatchObject({ ok: false, error: { code: 'body_incomplete', status: 400, cause } });
});

describe('a body that is not raw', () => {
  test('is one whose stream gives strings, as setEncoding makes it', async () => {
    const { request, seen } = streamed({ pull: (controller) => controller.enqueue(body) });
    expect(await codeOf(request)).toBe('body_not_raw');
    expect(seen.cancelled).toBe(true);
  });

  test('is one that something else is reading', async () => {
    const { request } = streamed(endless);
    request.body?.getReader();
    expect(await codeOf(request)).toBe('body_not_raw');
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
    expect(await codeOf(request as object as Request)).toBe('body_not_raw');
  });
});

test.each<[string, () => unknown]>([
  ['throws', throwing(new Error('no'))],
  ['gives no promise', () => undefined],
])(
  'a body is read where the `cancel` of its reader %s, as that of another library may',
  async (_, cancel) => {
    const steps = [{ done: false, value: bytes }, { done: true }];
    const request = {
      method: 'POST',
      headers: new Headers({ 'X-Cbt-Signature': signature }),
      bodyUsed: false,
      arrayBuffer() {},
      body: { locked: false, getReader: () => ({ read: async () => steps.shift(), cancel }) },
    };
    expect(await codeOf(request as object as Request)).toBeUndefined();
  },
);
