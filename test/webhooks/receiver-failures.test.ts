import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { signedWebhook } from '../../src/testing/index.ts';
import {
  createWebhookHandler,
  type WebhookContext,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts';
import { createGate, nextTurn } from '../helpers/gate.ts';
import { completed, receiverOptions, secret, signedAt, throwingSchema } from './helpers.ts';

const body = JSON.stringify(completed);
const request = () => signedWebhook({ body, secret, timestamp: signedAt }).toRequest();
const forged = () => new Request('https://receiver.test/', { method: 'POST', body });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

// biome-ignore lint/suspicious/noThenProperty: that is what a query builder has.
const toThenable = (work: Promise<void>) => ({ then: work.then.bind(work) });

describe('a handler that fails', () => {
  const failure = new Error('the database is away');

  test.each([
    [
      'throws',
      () => {
        throw failure;
      },
    ],
    [
      'rejects',
      async () => {
        throw failure;
      },
    ],
  ])('is answered with 500 when it %s, and told to onError', async (_, handler) => {
    const onError = vi.fn();
    const handle = createWebhookHandler({
      ...receiverOptions,
      onError,
      on: { 'exam_result.completed': handler },
    });
    const received = request();
    const response = await handle(received);
    expect(response.status).toBe(500);
    expect(await response.text()).toBe('The delivery could not be handled.');
    expect(onError).toHaveBeenCalledExactlyOnceWith(failure, received);
  });

  test('is not a refused delivery, even when it throws a verification error of its own', async () => {
    const own = new WebhookVerificationError('signature_mismatch', 'of something else');
    const observers = { onError: vi.fn(), onRejected: vi.fn() };
    const handle = createWebhookHandler({
      ...receiverOptions,
      ...observers,
      on: { 'exam_result.completed': () => Promise.reject(own) },
    });
    expect((await handle(request())).status).toBe(500);
    expect(observers.onError).toHaveBeenCalledExactlyOnceWith(own, expect.anything());
    expect(observers.onRejected).not.toHaveBeenCalled();
  });

  test.each([204, 500])(
    'is one that returns a Response, since the receiver would acknowledge it with status %s unseen',
    async (status) => {
      const onError = vi.fn();
      const forward = (async () => new Response(null, { status })) as () => Promise<never>;
      const handle = createWebhookHandler({
        ...receiverOptions,
        onError,
        on: { 'exam_result.completed': forward },
      });
      expect((await handle(request())).status).toBe(500);
      expect(onError.mock.calls).toMatchObject([
        [
          {
            code: 'configuration',
            message: expect.stringContaining('Response'),
          },
          {},
        ],
      ]);
    },
  );

  test.each<[what: string, make: (work: Promise<void>) => unknown]>([
    ['a list of promises', (work) => [undefined, work, 'done']],
    ['a promise of a list of promises', async (work) => [work]],
    ['a thenable, as a query builder is', toThenable],
    ['a list of thenables', (work) => [toThenable(work)]],
  ])('is awaited where it returns %s, and fails with it', async (_, make) => {
    for (const fails of [false, true]) {
      const gate = createGate();
      const onError = vi.fn();
      const handler = vi.fn(() => make(gate.promise));
      const on = { 'exam_result.completed': handler as () => undefined };
      const responses: number[] = [];
      const handle = createWebhookHandler({ ...receiverOptions, onError, on });
      const handled = handle(request()).then(({ status }) => responses.push(status));
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
    try {
      const handler = () => [1, 2, 3].map(async (number) => Promise.reject(new Error(`item ${number}`)));
      const on = { 'exam_result.completed': handler };
      const handle = createWebhookHandler({ ...receiverOptions, on, onError: () => {} });
      expect((await handle(request())).status).toBe(500);
      await expect(handle.dispatch(completed as never)).rejects.toThrow('item 1');
      await nextTurn();
      expect(unhandled).not.toHaveBeenCalled();
    } finally {
      process.off('unhandledRejection', unhandled);
    }
  });

  test('is one that returns a list of Responses, or of promises of them', async () => {
    for (const given of [[new Response()], [Promise.resolve(new Response(null, { status: 500 }))]]) {
      const on = { 'exam_result.completed': () => given };
      const handle = createWebhookHandler({ ...receiverOptions, on, onError: () => {} });
      expect((await handle(request())).status).toBe(500);
    }
  });

  test('is not one that returns anything else, which is ignored', async () => {
    const values = [new Blob(), { status: 500 }, [], [null], 'next', { next: '/page/2', items: [] }];
    const withMethods = [new Map().entries(), { subscribe() {}, pipe() {} }, { json() {}, status() {} }];
    for (const given of [...values, ...withMethods]) {
      const on = { 'exam_result.completed': () => given as object };
      expect((await createWebhookHandler({ ...receiverOptions, on })(request())).status).toBe(204);
    }
  });

  test('is logged when there is no onError', async () => {
    const handle = createWebhookHandler({
      ...receiverOptions,
      on: { 'exam_result.completed': () => Promise.reject(failure) },
    });
    expect((await handle(request())).status).toBe(500);
    expect(console.error).toHaveBeenCalledExactlyOnceWith(failure);
  });
});

test('a handler without a time limit sets no timer, and leaves none behind with one', async () => {
  const timers: number[] = [];
  const on = {
    'exam_result.completed': async () => {
      await nextTurn();
      timers.push(vi.getTimerCount());
    },
  };
  await createWebhookHandler({ ...receiverOptions, on, timeout: false })(request());
  await createWebhookHandler({ ...receiverOptions, on, timeout: 10_000 })(request());
  expect(timers).toEqual([0, 1]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a request that was aborted before it is handled aborts the signal of the handler', async () => {
  const signals: AbortSignal[] = [];
  const on = {
    'exam_result.completed': (_: unknown, context: WebhookContext) => void signals.push(context.signal),
  };
  const signal = AbortSignal.abort('gone');
  await createWebhookHandler({ ...receiverOptions, on })(new Request(request(), { signal }));
  expect(signals.map(({ aborted: isAborted, reason }) => [isAborted, reason])).toEqual([[true, 'gone']]);
});

test('a schema that throws is answered with 500', async () => {
  const onError = vi.fn();
  const handle = createWebhookHandler({
    ...receiverOptions,
    onError,
    on: { 'exam_result.completed': () => {} },
    schemas: { 'exam_result.completed': throwingSchema },
  });
  expect((await handle(request())).status).toBe(500);
  expect(onError.mock.calls.map(([error]) => error.message)).toEqual(['broken']);
});

test('a schema that never answers is answered with 503 after timeout, like a handler', async () => {
  const onError = vi.fn();
  const hanging = { version: 1, vendor: 'test', validate: () => new Promise<never>(() => {}) } as const;
  const handle = createWebhookHandler({
    ...receiverOptions,
    onError,
    timeout: 50,
    schemas: { 'exam_result.completed': { '~standard': hanging } },
    on: { 'exam_result.completed': () => {} },
  });
  const pending = handle(request());
  await nextTurn();
  await vi.advanceTimersByTimeAsync(50);
  const response = await pending;
  expect([response.status, await response.text()]).toEqual([503, 'The schema took longer than 50 ms.']);
  expect(onError.mock.calls).toMatchObject([[{ name: 'TimeoutError' }, {}]]);
});

test('an error of a time limit that a handler had of its own is answered with 500', async () => {
  const on = { 'exam_result.completed': () => Promise.reject(new DOMException('slow', 'TimeoutError')) };
  expect((await createWebhookHandler({ ...receiverOptions, on })(request())).status).toBe(500);
});

describe('an observer that fails', () => {
  const failing = [
    () => {
      throw new Error('observer');
    },
    () => Promise.reject(new Error('observer')),
  ];

  test('changes no answer, and is logged', async () => {
    for (const observer of failing) {
      const on = { 'exam_result.completed': () => Promise.reject(new Error('handler')) };
      const handle = createWebhookHandler({
        ...receiverOptions,
        on,
        onError: observer,
        onRejected: observer,
      });
      expect((await handle(request())).status).toBe(500);
      expect((await handle(forged())).status).toBe(400);
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
    const handle = createWebhookHandler({
      ...receiverOptions,
      now: watch,
      secret: function (this: unknown) {
        seen.push(this);
        return secret;
      },
      onRejected: watch,
      onError: watch,
      onUnknown: watch,
      on: {
        'exam_result.completed': () => {
          throw new Error('handler');
        },
      },
    });
    expect((await handle(request())).status).toBe(500);
    expect((await handle(forged())).status).toBe(400);
    const unknown = signedWebhook({
      body: '{"event":"x","created_at":"2025-03-01T08:00:00Z","data":{}}',
      secret,
      timestamp: signedAt,
    });
    expect((await handle(unknown.toRequest())).status).toBe(204);
    expect(seen.length).toBeGreaterThan(5);
    expect(new Set(seen)).toEqual(new Set([undefined]));
  });

  test('is not waited for', async () => {
    const handle = createWebhookHandler({ ...receiverOptions, onRejected: () => new Promise(() => {}) });
    expect((await handle(forged())).status).toBe(400);
  });
});

describe('the time limit', () => {
  /** A receiver whose handler hangs until the gate is opened. */
  function hanging(timeout?: number | false) {
    const started = createGate<WebhookContext>();
    const end = createGate();
    const onError = vi.fn();
    const handle = createWebhookHandler({
      ...receiverOptions,
      timeout,
      onError,
      on: {
        'exam_result.completed': (_, context) => {
          started.open(context);
          return end.promise;
        },
      },
    });
    return { handle, onError, started: started.promise, end };
  }

  test('beyond it the answer is 503, says so, and the signal aborts', async () => {
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

  test('a failure after it is told to onError, too', async () => {
    const { handle, onError, started, end } = hanging(5_000);
    const pending = handle(request());
    await started;
    await vi.advanceTimersByTimeAsync(5_000);
    await pending;
    end.fail(new Error('late'));
    await nextTurn();
    expect(onError.mock.calls.map(([error]) => error.message)).toEqual([
      'The handler took longer than 5000 ms.',
      'late',
    ]);
  });

  test('it is 10 s by default, and false lifts it', async () => {
    const limited = hanging();
    const unlimited = hanging(false);
    const answers = [limited.handle(request()), unlimited.handle(request())] as const;
    await limited.started;
    await unlimited.started;
    await vi.advanceTimersByTimeAsync(9_999);
    expect(limited.onError).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect((await answers[0]).status).toBe(503);
    await vi.advanceTimersByTimeAsync(3_600_000);
    unlimited.end.open();
    expect((await answers[1]).status).toBe(204);
  });

  test('a limit beyond what a timer can count does not fire at once, and no timer is left behind', async () => {
    const { handle, started, end } = hanging(1e12);
    const pending = handle(request());
    await started;
    await vi.advanceTimersByTimeAsync(1_000);
    end.open();
    expect((await pending).status).toBe(204);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('the signal aborts when the request does', async () => {
  const leaving = new AbortController();
  const started = createGate<AbortSignal>();
  const end = createGate();
  const handle = createWebhookHandler({
    ...receiverOptions,
    on: {
      'exam_result.completed': (_, { signal }) => {
        started.open(signal);
        return end.promise;
      },
    },
  });
  const pending = handle(new Request(request(), { signal: leaving.signal }));
  const signal = await started.promise;
  leaving.abort(new Error('the sender left'));
  expect(signal.reason).toMatchObject({ message: 'the sender left' });
  end.open();
  expect((await pending).status).toBe(204);
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
  const handle = createWebhookHandler(receiverOptions);
  expect((await handle(requestWith(undefined))).status).toBe(204);
});

test('a signal of another library aborts the handler as the platform’s own does', async () => {
  const foreign = Object.assign(new EventTarget(), { aborted: false, reason: new Error('the sender left') });
  const signals: AbortSignal[] = [];
  const handle = createWebhookHandler({
    ...receiverOptions,
    on: {
      'exam_result.completed': (_, { signal }) => {
        foreign.dispatchEvent(new Event('abort'));
        signals.push(signal);
      },
    },
  });
  expect((await handle(requestWith(foreign))).status).toBe(204);
  expect(signals).toMatchObject([{ aborted: true, reason: foreign.reason }]);
});

describe('the text of an answer, or of an error, says what is wrong', () => {
  test('to another method', async () => {
    const response = await createWebhookHandler(receiverOptions)(new Request('https://receiver.test/'));
    expect([response.status, await response.text()]).toEqual([405, 'Deliveries are sent with POST.']);
  });

  test('to an event that another process is handling', async () => {
    const store = { claim: () => false, isComplete: () => false, complete() {}, release() {} };
    const on = { 'exam_result.completed': () => {} };
    const handle = createWebhookHandler({
      ...receiverOptions,
      on,
      deduplication: { store, ttlSeconds: 600 },
    });
    const response = await handle(request());
    expect([response.status, await response.text()]).toEqual([503, 'This event is being handled.']);
  });

  test('to whoever dispatches what is no event', async () => {
    const handle = createWebhookHandler(receiverOptions);
    await expect(handle.dispatch(undefined as never)).rejects.toThrow('`dispatch` takes an event.');
  });

  test.each([
    ['no JSON', 'not JSON', 'The body is not JSON in UTF-8.'],
    ['a number', '5', 'The payload is wrong at: its root.'],
    [
      'a documented event of another shape',
      JSON.stringify({ ...completed, data: null }),
      'The payload is wrong at: data. See `onInvalid`.',
    ],
  ])('to onRejected, for a signed body that is %s', async (_, text, message) => {
    const onRejected = vi.fn();
    const signed = signedWebhook({ body: text, secret, timestamp: signedAt }).toRequest();
    const on = { 'exam_result.completed': () => {} };
    expect((await createWebhookHandler({ ...receiverOptions, on, onRejected })(signed)).status).toBe(400);
    expect(onRejected.mock.calls).toMatchObject([[{ code: 'payload_invalid', message }, expect.anything()]]);
  });

  test('for a body that comes too slowly or breaks off', async () => {
    const onRejected = vi.fn();
    const handle = createWebhookHandler({ ...receiverOptions, onRejected, readTimeout: 50 });
    const { headers } = request();
    const receive = (stream: ReadableStream) =>
      handle(
        new Request('https://receiver.test/', {
          method: 'POST',
          headers,
          body: stream,
          duplex: 'half',
        } as RequestInit),
      );
    const slow = receive(new ReadableStream());
    await nextTurn();
    await vi.advanceTimersByTimeAsync(51);
    await slow;
    await receive(new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) }));
    expect(onRejected.mock.calls.map(([error]) => error.message)).toEqual([
      'The body took longer than 50 ms.',
      'The body broke off.',
    ]);
  });
});
