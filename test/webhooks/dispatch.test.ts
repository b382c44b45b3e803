import { describe, expect, test, vi } from 'vitest';
import {
  ConfigurationError,
  createMemoryStore,
  createWebhookHandler,
  EventBusyError,
  eventKeyOf,
  verifyWebhook,
  type WebhookEvent,
} from '../../src/webhooks/index.ts';
import { failure } from '../helpers/client.ts';
import { createGate } from '../helpers/gate.ts';
import { elsewhere, startProcess } from './deduplication-helpers.ts';
import { completed, delivery, options, receiverOptions, request } from './helpers.ts';

const event = await verifyWebhook(delivery(JSON.stringify(completed)), options);

test('runs the handler of the event, without a request', async () => {
  const onCompleted = vi.fn();
  const onUnknown = vi.fn();
  const on = { 'exam_result.completed': onCompleted };
  const { dispatch } = createWebhookHandler({ ...receiverOptions, on, onUnknown });
  expect(await dispatch(event)).toBe('handled');
  const published = { ...completed, event: 'exam.published' } as object as WebhookEvent;
  expect(await dispatch(published, { eventKey: 'k' })).toBe('handled');
  expect(onCompleted).toHaveBeenCalledExactlyOnceWith(event, {
    signal: expect.any(AbortSignal),
    eventKey: await eventKeyOf(completed),
    signedAt: undefined,
    request: undefined,
  });
  expect(onUnknown.mock.calls).toMatchObject([[published, { eventKey: 'k' }]]);
});

describe('with deduplication', () => {
  test('an event that was delivered is not handled again, nor one dispatched when it is delivered', async () => {
    const delivered = startProcess(createMemoryStore());
    const { pending, attempt } = await delivered.begin();
    const joined = delivered.handle.dispatch(event);
    attempt.open();
    expect([await pending, await joined]).toEqual([204, 'duplicate']);
    expect(await delivered.handle.dispatch(event)).toBe('duplicate');

    const dispatched = vi.fn();
    const on = { 'exam_result.completed': dispatched };
    const deduplication = { store: createMemoryStore(), ttlSeconds: 600 };
    const handle = createWebhookHandler({ ...receiverOptions, on, deduplication });
    expect(await handle.dispatch(event, { eventKey: await eventKeyOf(completed) })).toBe('handled');
    expect((await handle(request())).status).toBe(204);
    expect(dispatched).toHaveBeenCalledOnce();
  });

  test('an event that another process is handling rejects, says when to dispatch it again, and is reported as busy', async () => {
    const store = createMemoryStore();
    const one = startProcess(store);
    const { pending, attempt } = await one.begin();
    const onEnd = vi.fn();
    const other = startProcess(elsewhere(store), { processingSeconds: 60, hooks: { onEnd } });
    const error = await failure(other.handle.dispatch(event), EventBusyError);
    const facts = { name: 'EventBusyError', code: 'event_busy', outcome: 'unknown', retryable: true };
    expect(error).toMatchObject(facts);
    expect(error.message).toBe(
      'The event is being handled, or its process crashed: dispatch it again later, after 60 s at the latest.',
    );
    expect(onEnd.mock.calls).toMatchObject([[{ outcome: 'busy' }]]);
    attempt.open();
    expect(await pending).toBe(204);
    expect(await other.handle.dispatch(event)).toBe('duplicate');
  });

  test('an event whose handler hangs in this process rejects in the same way', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const one = startProcess(createMemoryStore(), { timeout: 50 });
    const first = failure(one.handle.dispatch(event), DOMException);
    await vi.advanceTimersByTimeAsync(50);
    expect(await first).toMatchObject({ name: 'TimeoutError' });
    const second = failure(one.handle.dispatch(event), EventBusyError);
    await vi.advanceTimersByTimeAsync(50);
    expect(await second).toMatchObject({ code: 'event_busy' });
  });

  test('a store that fails rejects: the event may have been handled, and is to be dispatched again', async () => {
    const store = { ...createMemoryStore(), claim: () => Promise.reject(new Error('away')) };
    const { handle, onError } = startProcess(store);
    const error = { name: 'DeduplicationStoreError', outcome: 'unknown', retryable: true };
    await expect(handle.dispatch(event)).rejects.toMatchObject(error);
    expect(onError).not.toHaveBeenCalled();
  });
});

test('rejects with what the handler throws, and leaves it to the caller', async () => {
  const away = new Error('away');
  const onError = vi.fn();
  const on = { 'exam_result.completed': () => Promise.reject(away) };
  const { dispatch } = createWebhookHandler({ ...receiverOptions, on, onError });
  await expect(dispatch(event)).rejects.toBe(away);
  expect(onError).not.toHaveBeenCalled();
});

test('rejects when the handler takes longer than timeout; how it ends is reported to onError', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const end = createGate();
  const onError = vi.fn();
  const on = { 'exam_result.completed': () => end.promise };
  const { dispatch } = createWebhookHandler({ ...receiverOptions, on, onError, timeout: 50 });
  const pending = expect(dispatch(event, { eventKey: 'k' })).rejects.toMatchObject({ name: 'TimeoutError' });
  await vi.advanceTimersByTimeAsync(50);
  await pending;
  const late = new Error('late');
  end.fail(late);
  await expect.poll(() => onError).toHaveBeenCalledExactlyOnceWith(late, undefined);
});

test.each([undefined, null, 'exam_result.completed', {}])('%j is no event', async (wrong) => {
  const { dispatch } = createWebhookHandler(receiverOptions);
  const error = await failure(dispatch(wrong as never), ConfigurationError);
  expect(error.message).toBe('`dispatch` takes an event.');
});

test.each(['', 5])('an `eventKey` of %j is rejected under its own name', async (eventKey) => {
  const { handle } = startProcess(createMemoryStore());
  const error = await failure(handle.dispatch(event, { eventKey: eventKey as string }), ConfigurationError);
  expect(error.message).toBe('`eventKey` must be a non-empty string.');
});
