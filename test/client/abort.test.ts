import { getEventListeners } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { ApiError, type ClientOptions, isExamServiceError } from '../../src/index.ts';
import { createClient, failure, nowhere, rejection } from '../helpers/client.ts';
import { createGate } from '../helpers/gate.ts';
import { type Handler, startServer, startService } from '../helpers/server.ts';

const never = <T>() => new Promise<T>(() => {});
const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

const reasons: [string, unknown][] = [
  ['an error', new Error('the user left')],
  ['a text', 'the user left'],
  ['a number', 0],
  ['null', null],
  ['an object', { because: 'the user left' }],
];

describe.each(reasons)('with %s as its reason, an abort', (_, reason) => {
  test('before the call sends nothing and asks for no key', async () => {
    await using server = startService({ body: [] });
    const apiKey = vi.fn(() => 'key-1');
    const client = createClient(server, { apiKey, maxRetries: 2 });
    expect(await rejection(client.exams.list({}, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(apiKey).not.toHaveBeenCalled();
    expect(server.requests).toHaveLength(0);
  });

  test('during the request rejects with it', async () => {
    await using server = startService(() => undefined);
    const controller = new AbortController();
    const call = rejection(createClient(server).exams.list({}, { signal: controller.signal }));
    await server.arrival(1);
    controller.abort(reason);
    expect(await call).toBe(reason);
  });
});

test.each([true, false])(
  'a signal of a polyfill that knows no reason ends the call (aborted before: %s)',
  async (aborted) => {
    await using server = startService(() => undefined);
    const signal = Object.defineProperties(new EventTarget(), {
      aborted: { value: aborted },
    }) as unknown as AbortSignal;
    const call = rejection(createClient(server).exams.list({}, { signal }));
    if (!aborted) {
      await server.arrival(1);
      signal.dispatchEvent(new Event('abort'));
    }
    expect(await call).toMatchObject({ name: 'AbortError' });
  },
);

test('an abort without a reason rejects with the AbortError of the platform', async () => {
  const signal = AbortSignal.abort();
  const error = await rejection(createClient(nowhere).exams.list({}, { signal }));
  expect(error).toBe(signal.reason);
  expect(error).toMatchObject({ name: 'AbortError' });
  expect(isExamServiceError(error)).toBe(false);
});

test('an abort with a failure of another call as its reason is not taken for one to retry', async () => {
  await using server = startService(({ path }) => (path === '/exams/1' ? { status: 503 } : undefined));
  const onRetry = vi.fn();
  const controller = new AbortController();
  const client = createClient(server, { hooks: { onRetry } });
  const slow = rejection(client.exams.retrieve(2, { signal: controller.signal, maxRetries: 2 }));
  const reason = await failure(client.exams.retrieve(1), ApiError);
  await server.arrival(2);
  controller.abort(reason);
  expect(await slow).toBe(reason);
  expect(onRetry).not.toHaveBeenCalled();
});

test('a signal that times out rejects with its own TimeoutError, not with one of ours', async () => {
  await using server = startService(() => undefined);
  const signal = AbortSignal.timeout(1);
  const error = await failure(createClient(server).exams.list({}, { signal }), DOMException);
  expect(error).toBe(signal.reason);
});

/** A function that hangs, and says when it was called. */
const hanging = (reached: () => void) => () => {
  reached();
  return never<never>();
};
const schemaOf = (validate: () => Promise<never>) => ({
  exam: { '~standard': { version: 1, vendor: 'test', validate } } as const,
});

/** The moments at which a call can be aborted, each with what brings a call there. */
const moments: [string, Handler, (reached: () => void) => ClientOptions][] = [
  ['while the key function is at work', () => ({ body: [] }), (reached) => ({ apiKey: hanging(reached) })],
  [
    'while the body arrives',
    (_, { begin }) => begin({}, '['),
    (reached) => ({ hooks: { onResponse: reached } }),
  ],
  [
    'while the body of an error arrives',
    (_, { begin }) => begin({ status: 500 }, '{'),
    (reached) => ({ hooks: { onResponse: reached }, maxRetries: 2 }),
  ],
  [
    'during the wait before a retry',
    () => ({ status: 503, headers: { 'Retry-After': '3600' } }),
    (reached) => ({ hooks: { onRetry: reached }, maxRetries: 2, maxRetryAfter: 3_600_000 }),
  ],
  [
    'while a fetch that does not care about its signal is at work',
    () => undefined,
    (reached) => ({ fetch: hanging(reached) }),
  ],
  [
    'while a schema of the caller is at work',
    () => ({ body: [{ id: 1 }] }),
    (reached) => ({ schemas: schemaOf(hanging(reached)) }),
  ],
];

describe.each(moments)('an abort %s', (_, handler, options) => {
  test('settles the call at once with the reason, and leaves no listener on the signal', async () => {
    await using server = startService(handler);
    const reached = createGate();
    const controller = new AbortController();
    const client = createClient(
      server,
      options(() => reached.open()),
    );
    const call = rejection(client.exams.list({}, { signal: controller.signal }));
    await reached.promise;
    const sent = server.requests.length;
    const reason = new Error('the user left');
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(server.requests).toHaveLength(sent);
    expect(listenersOf(controller.signal)).toBe(0);
  });
});

test('an abort reaches the service, which sees the connection close', async () => {
  const closed = createGate();
  await using server = await startServer((_, { response }) => {
    response.once('close', () => closed.open());
    return undefined;
  });
  const controller = new AbortController();
  const call = rejection(createClient(server).exams.list({}, { signal: controller.signal }));
  await server.arrival(1);
  controller.abort();
  await call;
  await closed.promise;
});

describe('a signal that lives longer than the call', () => {
  test.each<[string, Handler]>([
    ['succeeds', () => ({ body: { id: 3 } })],
    ['is rejected', () => ({ status: 404 })],
    [
      'succeeds at the second attempt',
      (_, { number }) => (number === 1 ? { status: 503 } : { body: { id: 3 } }),
    ],
    ['loses its connection', (_, { reset }) => reset()],
  ])('has no listener left when the call %s', async (_, handler) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { signal } = new AbortController();
    for (const form of ['data', 'response'] as const) {
      await using server = startService(handler);
      const call = createClient(server, { maxRetries: 1 }).exams.retrieve(3, { signal });
      await Promise.allSettled([form === 'data' ? call : call.asResponse()]);
      expect([form, listenersOf(signal)]).toEqual([form, 0]);
    }
  });

  test('is not listened to by a call that is rejected before sending', async () => {
    const { signal } = new AbortController();
    await rejection(createClient(nowhere).exams.retrieve(0, { signal }));
    expect(listenersOf(signal)).toBe(0);
  });
});

test('asResponse is aborted like any other call while the request is on its way', async () => {
  await using server = startService(() => undefined);
  const controller = new AbortController();
  const call = rejection(createClient(server).exams.list({}, { signal: controller.signal }).asResponse());
  await server.arrival(1);
  controller.abort('stop');
  expect(await call).toBe('stop');
});

test('a rejection is thrown rather than the reason of an abort that comes too late', async () => {
  await using server = startService({ status: 404, body: {} });
  const controller = new AbortController();
  const call = createClient(server).exams.list({}, { signal: controller.signal });
  await failure(call, ApiError);
  controller.abort();
  await failure(call, ApiError);
});
