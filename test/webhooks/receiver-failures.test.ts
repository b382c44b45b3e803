import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type WebhookContext, WebhookVerificationError } from '../../src/webhooks/index.ts';
import { throwing } from '../helpers/client.ts';
import { createGate, never, nextTurn } from '../helpers/gate.ts';
import { completed, request, schemaOf, secret, signedAt, startReceiver, unsigned } from './helpers.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
// biome-ignore lint/suspicious/noThenProperty: that is what a query builder has.
const toThenable = (work: Promise<void>) => ({ then: work.then.bind(work) });

describe('a handler that fails', () => {
  const failure = new Error('the database is away');

  test.each([
    ['throws', throwing(failure)],
    ['rejects', () => Promise.reject(failure)],
  ])('gets the response 500 when it %s, and is reported to onError', async (_, handler) => {
    const { handle, onError } = startReceiver(handler);
    const received = request();
    const response = await handle(received);
    expect(response.status).toBe(500);
    expect(await response.text()).toBe('The delivery could not be handled.');
    expect(onError).toHaveBeenCalledExactlyOnceWith(failure, received);
  });

  test('is not a rejected delivery, even when it throws a verification error', async () => {
    const own = new WebhookVerificationError('signature_mismatch', 'of something else');
    const { deliver, onError, onRejected } = startReceiver(() => Promise.reject(own));
    expect(await deliver()).toBe(500);
    expect(onError).toHaveBeenCalledExactlyOnceWith(own, expect.anything());
    expect(onRejected).not.toHaveBeenCalled();
  });

  const failed = () => new Response(null, { status: 500 });
  test.each<[what: string, make: () => unknown]>([
    ['a Response', async () => new Response()],
    ['one that says 500', async () => failed()],
    ['a list of Responses', () => [failed()]],
    ['a list of promises of them', () => [Promise.resolve(failed())]],
  ])('is one that returns %s, since it would be acknowledged unseen', async (_, make) => {
    const { deliver, onError } = startReceiver(make);
    expect(await deliver()).toBe(500);
    const message = expect.stringContaining('Response');
    expect(onError.mock.calls).toMatchObject([[{ code: 'configuration', message }, {}]]);
  });

  test.each<[what: string, make: (work: Promise<void>) => unknown]>([
    ['a list of promises', (work) => [undefined, work, 'done']],
    ['a promise of a list of promises', async (work) => [work]],
    ['a thenable, as a query builder is', toThenable],
    ['a list of thenables', (work) => [toThenable(work)]],
  ])('is awaited where it returns %s, and fails with it', async (_, make) => {
    for (const fails of [false, true]) {
      const gate = createGate();
      const handler = vi.fn(() => make(gate.promise));
      const { deliver, onError } = startReceiver(handler);
      const responses: number[] = [];
      const handled = deliver().then((status) => responses.push(status));
      await expect.poll(() => handler).toHaveBeenCalled();
      await nextTurn();
      expect(responses).toEqual([]);
      if (fails) gate.fail(failure);
      else gate.open();
      await handled;
      expect(responses).toEqual([fails ? 500 : 204]);
      expect(onError.mock.calls.map(([error]) => error)).toEqual(fails ? [failure] : []);
    }
  });

  test('is one that returns a list of promises of which several reject: none is left unhandled', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    onTestFinished(() => void process.off('unhandledRejection', unhandled));
    const handler = () => [1, 2, 3].map(async (number) => Promise.reject(new Error(`item ${number}`)));
    const { handle, deliver } = startReceiver(handler);
    expect(await deliver()).toBe(500);
    await expect(handle.dispatch(completed as never)).rejects.toThrow('item 1');
    await nextTurn();
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('is not one that returns anything else, which is ignored', async () => {
    const values = [new Blob(), { status: 500 }, [], [null], 'next', { next: '/page/2', items: [] }];
    const methods = [new Map().entries(), { subscribe() {}, pipe() {} }, { json() {}, status() {} }];
    for (const given of [...values, ...methods]) expect(await startReceiver(() => given).deliver()).toBe(204);
  });

  test('is logged when there is no onError', async () => {
    const { deliver } = startReceiver(() => Promise.reject(failure), { onError: undefined });
    expect(await deliver()).toBe(500);
    expect(console.error).toHaveBeenCalledExactlyOnceWith(failure);
  });
});

test('a handler without a time limit sets no timer, and leaves none behind with one', async () => {
  const timers: number[] = [];
  const handler = async () => {
    await nextTurn();
    timers.push(vi.getTimerCount());
  };
  await startReceiver(handler, { timeout: false }).deliver();
  await startReceiver(handler, { timeout: 10_000 }).deliver();
  expect(timers).toEqual([0, 1]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a request that was aborted before it is handled aborts the signal of the handler', async () => {
  const signals: AbortSignal[] = [];
  const { deliver } = startReceiver((_, context) => void signals.push(context.signal));
  await deliver(new Request(request(), { signal: AbortSignal.abort('gone') }));
  expect(signals.map(({ aborted: isAborted, reason }) => [isAborted, reason])).toEqual([[true, 'gone']]);
});

test('a schema that throws gets the response 500', async () => {
  const schemas = { 'exam_result.completed': schemaOf(throwing(new Error('broken'))) };
  const { deliver, onError } = startReceiver(undefined, { schemas });
  expect(await deliver()).toBe(500);
  expect(onError.mock.calls).toMatchObject([[{ message: 'broken' }, {}]]);
});

test('a schema that hangs gets the response 503 after timeout, like a handler', async () => {
  const schemas = { 'exam_result.completed': schemaOf(never) };
  const { handle, onError } = startReceiver(undefined, { timeout: 50, schemas });
  const pending = handle(request());
  await nextTurn();
  await vi.advanceTimersByTimeAsync(50);
  const response = await pending;
  expect([response.status, await response.text()]).toEqual([503, 'The schema took longer than 50 ms.']);
  expect(onError.mock.calls).toMatchObject([[{ name: 'TimeoutError' }, {}]]);
});

test('a TimeoutError that a handler throws gets the response 500', async () => {
  const slow = new DOMException('slow', 'TimeoutError');
  expect(await startReceiver(() => Promise.reject(slow)).deliver()).toBe(500);
});

describe('an observer that fails', () => {
  const error = new Error('observer');

  test('changes no response, and is logged', async () => {
    for (const observer of [throwing(error), () => Promise.reject(error)]) {
      const observers = { onError: observer, onRejected: observer };
      const { deliver } = startReceiver(throwing(new Error('handler')), observers);
      expect(await deliver()).toBe(500);
      expect(await deliver(unsigned())).toBe(400);
    }
    await nextTurn();
    expect(console.error).toHaveBeenCalledTimes(4);
    expect(console.error).toHaveBeenCalledWith(expect.objectContaining({ message: 'observer' }));
  });

  test('gets no settings of the receiver as `this`, since the secret is one of them', async () => {
    const seen: unknown[] = [];
    const watch = function (this: unknown) {
      seen.push(this);
      return signedAt * 1000;
    };
    const observers = { now: watch, onRejected: watch, onError: watch, onUnknown: watch };
    const provide = function (this: unknown) {
      seen.push(this);
      return secret;
    };
    const { deliver } = startReceiver(throwing(new Error('handler')), { ...observers, secret: provide });
    expect(await deliver()).toBe(500);
    expect(await deliver(unsigned())).toBe(400);
    const unknown = '{"event":"x","created_at":"2025-03-01T08:00:00Z","data":{}}';
    expect(await deliver(request(unknown))).toBe(204);
    expect(seen.length).toBeGreaterThan(5);
    expect(new Set(seen)).toEqual(new Set([undefined]));
  });

  test('is not waited for', async () => {
    const { deliver } = startReceiver(undefined, { onRejected: never });
    expect(await deliver(unsigned())).toBe(400);
  });
});

/** A receiver whose handler hangs until the gate is opened. */
function hanging(timeout?: number | false) {
  const started = createGate<WebhookContext>();
  const end = createGate();
  const handler = (_: unknown, context: WebhookContext) => {
    started.open(context);
    return end.promise;
  };
  return { ...startReceiver(handler, { timeout }), started: started.promise, end };
}

describe('the time limit', () => {
  test('beyond it the response is 503 and says so, and the signal aborts', async () => {
    const { handle, onError, started } = hanging(5_000);
    const pending = handle(request());
    const { signal } = await started;
    await vi.advanceTimersByTimeAsync(4_999);
    expect(signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    const response = await pending;
    expect(response.status).toBe(503);
    expect(await response.text()).toBe('The handler took longer than 5000 ms.');
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
    expect(onError).toHaveBeenCalledExactlyOnceWith(signal.reason, expect.anything());
  });

  test('a failure after it is reported to onError, too', async () => {
    const { handle, onError, started, end } = hanging(5_000);
    const pending = handle(request());
    await started;
    await vi.advanceTimersByTimeAsync(5_000);
    await pending;
    end.fail(new Error('late'));
    await nextTurn();
    const messages = onError.mock.calls.map(([error]) => Object(error).message);
    expect(messages).toEqual(['The handler took longer than 5000 ms.', 'late']);
  });

  test('it is 10 s by default, and false lifts it', async () => {
    const limited = hanging();
    const unlimited = hanging(false);
    const responses = [limited.deliver(), unlimited.deliver()] as const;
    await limited.started;
    await unlimited.started;
    await vi.advanceTimersByTimeAsync(9_999);
    expect(limited.onError).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await responses[0]).toBe(503);
    await vi.advanceTimersByTimeAsync(3_600_000);
    unlimited.end.open();
    expect(await responses[1]).toBe(204);
  });

  test('a limit beyond what a timer can count does not fire at once, and no timer is left behind', async () => {
    const { deliver, started, end } = hanging(1e12);
    const pending = deliver();
    await started;
    await vi.advanceTimersByTimeAsync(1_000);
    end.open();
    expect(await pending).toBe(204);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('the signal aborts when the request does', async () => {
  const leaving = new AbortController();
  const { deliver, started, end } = hanging();
  const pending = deliver(new Request(request(), { signal: leaving.signal }));
  const { signal } = await started;
  leaving.abort(new Error('the sender left'));
  expect(signal.reason).toMatchObject({ message: 'the sender left' });
  end.open();
  expect(await pending).toBe(204);
});

/** A request as other platforms and libraries make it. */
function requestWith(signal: unknown): Request {
  return new Proxy(request(), {
    get: (target, name) => {
      if (name === 'signal') return signal;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

test('a request without a signal, as some platforms give, is handled', async () => {
  expect(await startReceiver().deliver(requestWith(undefined))).toBe(204);
});
