import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError, type OnRequestEvent, ResponseFormatError } from '../../src/index.ts';
import { createClient, failure, nowhere, recordLog, rejection } from '../helpers/client.ts';
import { createGate, nextTurn } from '../helpers/gate.ts';

const target = nowhere;
const empty = () => Response.json([]);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
describe('after an abort', () => {
  test.each(['the key is asked for', 'onRequest runs'])('while %s, nothing is sent', async (when) => {
    const logger = recordLog();
    const controller = new AbortController();
    const { signal } = controller;
    const fetch = vi.fn(async () => empty());
    const onRequest = vi.fn(() => controller.abort('enough'));
    const apiKey = async () => {
      controller.abort('enough');
      return 'test-key';
    };
    const options = when === 'onRequest runs' ? { hooks: { onRequest } } : { hooks: { onRequest }, apiKey };
    const client = createClient(target, { fetch, logger, logLevel: 'debug', ...options });
    expect(await rejection(client.exams.list({}, { signal }))).toBe('enough');
    await nextTurn();
    expect(fetch).not.toHaveBeenCalled();
    const times = when === 'onRequest runs' ? 1 : 0;
    expect(onRequest).toHaveBeenCalledTimes(times);
    expect(logger.lines.filter(({ message }) => message.endsWith(' sent'))).toHaveLength(times);
  });

  test('no hook hears of a response that came all the same', async () => {
    const controller = new AbortController();
    const onResponse = vi.fn();
    const fetch = async () => {
      controller.abort('enough');
      return empty();
    };
    const client = createClient(target, { fetch, hooks: { onResponse } });
    expect(await rejection(client.exams.list({}, { signal: controller.signal }))).toBe('enough');
    await nextTurn();
    expect(onResponse).not.toHaveBeenCalled();
  });
});

test('onRequest has half of the time of an attempt, whenever the process was started', async () => {
  await vi.advanceTimersByTimeAsync(3_600_000);
  const gate = createGate();
  const sent: unknown[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    sent.push(new Headers(init?.headers).get('x-tenant'));
    return empty();
  };
  const onRequest = async ({ headers }: OnRequestEvent) => {
    await gate.promise;
    headers.set('X-Tenant', 'north');
  };
  const call = createClient(target, { fetch, hooks: { onRequest }, timeout: 400 }).exams.list();
  await vi.advanceTimersByTimeAsync(199);
  gate.open();
  await call;
  expect(sent).toEqual(['north']);
});

test('durationMs of onResponse is the time from the request to the response', async () => {
  await vi.advanceTimersByTimeAsync(3_600_000);
  const onResponse = vi.fn();
  const fetch = async () => {
    await vi.advanceTimersByTimeAsync(25);
    return empty();
  };
  await createClient(target, { fetch, hooks: { onResponse } }).exams.list();
  expect(onResponse.mock.calls).toMatchObject([[{ status: 200, durationMs: 25 }]]);
});

test.each(['Bearer proxy-secret', 'Bearer  proxy-secret', 'Negotiate\tproxy-secret'])(
  'without a key, the credential of an own Authorization is hidden: %s',
  async (authorization) => {
    const message = 'proxy-secret is unknown to Bearer and Negotiate';
    const fetch = async () => Response.json({ message }, { status: 401 });
    const client = createClient(target, { fetch, apiKey: null, headers: { authorization } });
    const error = await failure(client.exams.list(), ApiError);
    expect(error.serviceMessage).toBe('[redacted] is unknown to Bearer and Negotiate');
  },
);

test('calls that share a signal share one listener on it, which goes with the last of them', async () => {
  const { signal } = new AbortController();
  const add = vi.spyOn(signal, 'addEventListener');
  const remove = vi.spyOn(signal, 'removeEventListener');
  const gate = createGate();
  const fetch = async () => {
    await gate.promise;
    return empty();
  };
  const client = createClient(target, { fetch });
  const calls = Array.from({ length: 12 }, () => client.exams.list({}, { signal }));
  await nextTurn();
  expect(add).toHaveBeenCalledOnce();
  gate.open();
  await Promise.all(calls);
  expect(remove).toHaveBeenCalledOnce();
});

test('a 503 that asks to wait holds back its own call alone', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  let calls = 0;
  const fetch = async () => {
    calls += 1;
    return calls === 1 ? new Response('', { status: 503, headers: { 'Retry-After': '30' } }) : empty();
  };
  const client = createClient(target, { fetch, maxRetries: 1 });
  const first = client.exams.list();
  await nextTurn();
  expect((await client.exams.list()).data).toEqual([]);
  expect(calls).toBe(2);
  await vi.advanceTimersByTimeAsync(30_000);
  expect((await first).data).toEqual([]);
});

test('an error for which no body was read keeps an empty one', async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) });
  const cut = createClient(target, { fetch: async () => new Response(broken) });
  expect(Reflect.get(await failure(cut.exams.list(), ResponseFormatError), 'body')).toBe('');

  const fetch = async () => new Response(new ReadableStream(), { status: 500 });
  const endless = createClient(target, { fetch, maxRetries: 0, totalTimeout: 1_000 });
  const failed = failure(endless.exams.list(), ApiError);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(Reflect.get(await failed, 'body')).toBe('');
});

test('a response that knows nothing but its text and length is read', async () => {
  const init = { headers: { 'content-length': '2' } };
  const fetch = async () =>
    Object.defineProperties(new Response('[]', init), {
      arrayBuffer: { value: undefined },
      body: { value: undefined },
    });
  const { data } = await createClient(target, { fetch }).exams.list();
  expect(data).toEqual([]);
});

test('a raw response comes without a reason phrase that the platform rejects', async () => {
  const fetch = async () => Object.defineProperty(empty(), 'statusText', { value: 'done \u2026' });
  const response = await createClient(target, { fetch }).exams.list().asResponse();
  expect(response.statusText).toBe('');
  expect(await response.text()).toBe('[]');
});
