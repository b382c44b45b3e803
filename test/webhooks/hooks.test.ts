import { AsyncLocalStorage } from 'node:async_hooks';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ConfigurationError } from '../../src/index.ts';
import {
  createMemoryStore,
  createWebhookHandler,
  type OnDeliveryEndEvent,
  toNodeListener,
  type WebhookHandler,
  type WebhookHandlerOptions,
  type WebhookHooks,
  type WebhookRejectionReason,
} from '../../src/webhooks/index.ts';
import { throwing, thrown } from '../helpers/client.ts';
import { createGate, never, nextTurn } from '../helpers/gate.ts';
import { listen } from '../helpers/server.ts';
import { aged, completed, receiverOptions, request, signed, streaming, unsigned } from './helpers.ts';

const name = completed.event;
const failure = new Error('the database is away');

/** How a delivery is made, with the status of its response. */
type Act = (handle: WebhookHandler) => Promise<number | null>;

const deliver =
  (given?: Request, waitMs = 0): Act =>
  async (handle) => {
    const pending = handle(given ?? request());
    if (waitMs > 0) await nextTurn().then(() => vi.advanceTimersByTimeAsync(waitMs));
    return (await pending).status;
  };
const deliverRead: Act = async (handle) => {
  const read = request();
  await read.text();
  return deliver(read)(handle);
};
const dispatch: Act = async (handle) => {
  await handle.dispatch(completed as never).catch(() => {});
  return null;
};
const storing = (more: object = {}) => ({ store: { ...createMemoryStore(), ...more }, ttlSeconds: 86_400 });
const reject = () => Promise.reject(failure);
const on = { [name]: () => {} };
const failing = { [name]: reject };
const invalid = () => request(JSON.stringify({ ...completed, data: null }));
const moved = () => request(JSON.stringify({ ...completed, event: 'exam.moved', data: {} }));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
function receiver(more: Partial<WebhookHandlerOptions> = {}) {
  const onStart = vi.fn<NonNullable<WebhookHooks['onStart']>>();
  const onEnd = vi.fn<NonNullable<WebhookHooks['onEnd']>>();
  const quiet = { onRejected: () => {}, onError: () => {} };
  const handle = createWebhookHandler({ ...receiverOptions, ...quiet, hooks: { onStart, onEnd }, ...more });
  return { handle, onStart, onEnd };
}

type Facts = Partial<OnDeliveryEndEvent>;
const nothing = { event: null, reason: null, skewSeconds: null, status: null } as const;
const handled: Facts = { ...nothing, outcome: 'handled', event: name, status: 204, skewSeconds: 0 };
const failed = (status: number, error?: Error): Facts => ({ ...handled, outcome: 'failed', status, error });
const rejected = (reason: WebhookRejectionReason | null, status = 400): Facts => ({
  ...nothing,
  outcome: 'rejected',
  reason,
  status,
});
const dispatched = { ...nothing, event: name, method: null };

/** How deliveries can end, what `onEnd` gets, and the options that make it so. */
const endings: [what: string, act: Act, expected: Facts, options?: Partial<WebhookHandlerOptions>][] = [
  ['is handled', deliver(), handled],
  ['is handled, 12 seconds old', deliver(aged(12)), { ...handled, skewSeconds: 12 }],
  ['is of an unknown event', deliver(moved()), { ...handled, event: 'exam.moved' }],
  ['goes to onInvalid', deliver(invalid()), handled, { onInvalid: () => {} }],
  ['is rejected before its body is read', deliver(unsigned()), rejected('header_missing')],
  ['is too old', deliver(aged(301)), { ...rejected('timestamp_too_old'), skewSeconds: 301 }],
  ['is forged', deliver(), rejected('signature_mismatch'), { secret: 'another secret' }],
  ['is too large', deliver(), rejected('body_too_large', 413), { maxBodyBytes: 10 }],
  ['is signed and no event', deliver(invalid()), rejected('payload_invalid'), { on }],
  ['has a body that was read before', deliverRead, rejected('body_not_raw', 500)],
  [
    'does not arrive in time',
    deliver(streaming(new ReadableStream(), request().headers), 1_001),
    rejected('body_timeout', 408),
    { readTimeout: 1_000 },
  ],
  [
    'is another method',
    deliver(new Request('https://receiver.test/')),
    { ...rejected(null, 405), method: 'GET' },
  ],
  ['has a handler that fails', deliver(), failed(500, failure), { on: failing }],
  ['has a handler that is late', deliver(request(), 50), failed(503), { timeout: 50, on: { [name]: never } }],
  ['finds the store away', deliver(), failed(500), { on, deduplication: storing({ claim: reject }) }],
  [
    'is being handled elsewhere',
    deliver(),
    { ...handled, outcome: 'busy', status: 503 },
    { on, deduplication: storing({ claim: () => false }) },
  ],
  ['is dispatched', dispatch, { ...dispatched, outcome: 'handled' }],
  ['is dispatched in vain', dispatch, { ...dispatched, outcome: 'failed', error: failure }, { on: failing }],
];

describe('onStart and onEnd are called once each for a delivery that', () => {
  test.each(endings)('%s', async (_, act, expected, more) => {
    const { handle, onStart, onEnd } = receiver(more);
    expect(await act(handle)).toBe(expected.status);
    expect(onStart).toHaveBeenCalledOnce();
    expect(onEnd).toHaveBeenCalledOnce();
    const [start] = onStart.mock.calls[0] ?? [];
    const [end] = onEnd.mock.calls[0] ?? [];
    const method = 'method' in expected ? expected.method : 'POST';
    expect(start).toEqual({ deliveryId: expect.any(String), method });
    const { error, durationMs, ...facts } = end as OnDeliveryEndEvent;
    expect(facts).toEqual({ ...expected, ...start, error: undefined });
    expect(durationMs).toBeGreaterThanOrEqual(0);
    const fails = expected.outcome === 'failed' || expected.reason !== null;
    if (fails) expect(error).toBeInstanceOf(Error);
    else expect(error).toBeNull();
    if (expected.error) expect(error).toBe(expected.error);
  });
});

test('repetitions are duplicates, those that join a handling under way too', async () => {
  const gate = createGate();
  const { handle, onEnd } = receiver({ deduplication: storing(), on: { [name]: () => gate.promise } });
  const first = handle(request());
  const joined = handle(request());
  await nextTurn();
  expect(onEnd).not.toHaveBeenCalled();
  gate.open();
  await Promise.all([first, joined]);
  await handle(request());
  const outcomes = onEnd.mock.calls.map(([{ outcome, status }]) => `${outcome} ${status}`);
  expect(outcomes).toEqual(['handled 204', 'duplicate 204', 'duplicate 204']);
  expect(new Set(onEnd.mock.calls.map(([{ deliveryId }]) => deliveryId)).size).toBe(3);
});

test('onStart is called while the request is passed to the receiver, on Node too', async () => {
  const order: string[] = [];
  const { handle } = receiver({ hooks: { onStart: () => order.push('start') } });
  const listener = toNodeListener(handle);
  await using server = await listen((message, response) => {
    listener(message, response);
    order.push('passed');
  });
  const init = { method: 'POST', ...signed().toNodeParts() } as RequestInit;
  expect((await fetch(server.origin, init)).status).toBe(204);
  const pending = handle(request());
  order.push('passed');
  await pending;
  expect(order).toEqual(['start', 'passed', 'start', 'passed']);
});

describe('a function that onStart returns', () => {
  test('has the delivery handled inside it, with one set or several', async () => {
    const one = new AsyncLocalStorage<string>();
    const two = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const inOne = { onStart: () => (run: () => void) => one.run('one', run) };
    const inTwo = { onStart: () => (run: () => void) => two.run('two', run) };
    const see = () => void seen.push(`${one.getStore()} ${two.getStore()}`);
    const { handle } = receiver({ hooks: [inOne, inTwo], on: { [name]: see } });
    await handle(request());
    await handle.dispatch(completed as never);
    expect(seen).toEqual(['one two', 'one two']);
    expect(one.getStore()).toBeUndefined();
  });

  test.each<[string, (run: () => void) => unknown]>([
    ['throws before', throwing(new Error('of the hook'))],
    ['throws after', (run) => [run(), throwing(new Error('of the hook'))()]],
    ['never calls run', () => {}],
    ['calls run twice', (run) => [run(), run()]],
    ['calls run late', async (run) => Promise.resolve().then(run)],
    ['hangs', never],
  ])(
    'changes nothing when it %s: one handling, one response, and the other sets go on',
    async (_, around) => {
      const handler = vi.fn();
      const storage = new AsyncLocalStorage<string>();
      const inner = vi.fn((run: () => void) => storage.run('mine', run));
      const { handle } = receiver({
        hooks: [{ onStart: () => inner }, { onStart: () => around }],
        on: { [name]: () => handler(storage.getStore()) },
      });
      expect((await handle(request())).status).toBe(204);
      await nextTurn();
      expect(handler).toHaveBeenCalledExactlyOnceWith('mine');
      expect(inner).toHaveBeenCalledOnce();
    },
  );
});

test.each<[string, () => unknown, number]>([
  ['throw', throwing(new Error('of the hook')), 2],
  ['reject', () => Promise.reject(new Error('of the hook')), 2],
  ['hang', never, 0],
])(
  'hooks that %s change no response; what they throw is logged, and the next set is called',
  async (_, hook, logged) => {
    const next = { onStart: vi.fn(), onEnd: vi.fn() };
    const { handle } = receiver({ hooks: [{ onStart: hook, onEnd: hook }, next] });
    expect((await handle(request())).status).toBe(204);
    await nextTurn();
    expect(console.error).toHaveBeenCalledTimes(logged);
    expect(next.onStart).toHaveBeenCalledOnce();
    expect(next.onEnd).toHaveBeenCalledOnce();
  },
);

test('durationMs is the time from start to end', async () => {
  vi.spyOn(performance, 'now').mockReturnValueOnce(1_000).mockReturnValueOnce(1_250);
  const { handle, onEnd } = receiver();
  await handle(request());
  expect(onEnd.mock.calls[0]?.[0]).toMatchObject({ durationMs: 250 });
});

test('what a dispatched event fails with is given to its caller and not logged', async () => {
  const { handle } = receiver({ hooks: { onStart: () => (run: () => unknown) => run() }, on: failing });
  await expect(handle.dispatch(completed as never)).rejects.toBe(failure);
  await nextTurn();
  expect(console.error).not.toHaveBeenCalled();
});

test.each<[string, unknown]>([
  ['`hooks` must be an object.', 'yes'],
  ['`hooks` must be an object.', [undefined]],
  ['`hooks.onEnd` must be a function.', { onEnd: 'yes' }],
  ['Unknown name in `hooks`: `onended` (did you mean `onEnd`?).', { onended() {} }],
  ['Unknown name in `hooks`: `onended` (did you mean `onEnd`?).', [{}, { onended() {} }]],
  [expect.stringMatching(/^Unknown name in `hooks`: .*Map/), new Map([['onEnd', () => {}]])],
])('the receiver rejects others: %s', (message, hooks) => {
  const make = () => createWebhookHandler({ ...receiverOptions, hooks: hooks as WebhookHooks });
  expect(thrown(make, ConfigurationError).message).toEqual(message);
});

test('a set may hold hooks of the client as well, since one can watch both', async () => {
  const onEnd = vi.fn();
  const { handle } = receiver({ hooks: { onRequest: () => {}, onRetry: () => {}, onEnd } as WebhookHooks });
  expect((await handle(request())).status).toBe(204);
  expect(onEnd).toHaveBeenCalledOnce();
});

test('sets share their events, so none can change them for the next', async () => {
  const change = (event: object) => void Object.assign(event, { deliveryId: 'mine', durationMs: -1 });
  const next = { onStart: vi.fn(), onEnd: vi.fn() };
  const { handle } = receiver({ hooks: [{ onStart: change, onEnd: change }, next] });
  expect((await handle(request())).status).toBe(204);
  for (const { mock } of [next.onStart, next.onEnd])
    expect(mock.calls).toEqual([[expect.not.objectContaining({ deliveryId: 'mine' })]]);
  expect(console.error).toHaveBeenCalledTimes(2);
});
