import { describe, expect, test, vi } from 'vitest';
import {
  ConfigurationError,
  createMemoryStore,
  createWebhookHandler,
  EventBusyError,
  eventKeyOf,
  recoverEvents,
  verifyWebhook,
  type WebhookEvent,
  type WebhookSchemas,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts';
import { delivery as recorded } from '../fixtures/responses/webhooks.ts';
import { failure } from '../helpers/client.ts';
import { createGate } from '../helpers/gate.ts';
import { elsewhere, startProcess } from './deduplication-helpers.ts';
import { completed, delivery, options, receiverOptions, request, schemaOf } from './helpers.ts';

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
    signedAt: null,
    request: null,
  });
  expect(onUnknown.mock.calls).toMatchObject([[published, { eventKey: 'k' }]]);
});

test('runs it for an event that JSON cannot hold, as a schema may make one, if its key is given', async () => {
  const handler = vi.fn();
  const { dispatch } = createWebhookHandler({ ...options, on: { 'exam_result.scored': handler } });
  const large = { event: 'exam_result.scored', created_at: completed.created_at, data: { id: 5n } } as const;
  expect(await dispatch(large, { eventKey: 'k' })).toBe('handled');
  expect(handler.mock.calls).toMatchObject([[large, { eventKey: 'k' }]]);
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
  await expect.poll(() => onError).toHaveBeenCalledExactlyOnceWith(late, null);
});

const { created_at: _, ...timeless } = completed;
const { data: __, ...empty } = completed;
const record = { ...recorded, event: completed.event, payload: completed };

test.each<[what: string, wrong: unknown, advice: string]>([
  ['nothing', undefined, 'an event'],
  ['null', null, 'an event'],
  ['a name', 'exam_result.completed', 'an event'],
  ['a text', JSON.stringify(completed), 'an event'],
  ['an empty object', {}, 'an event'],
  ['a promise', Promise.resolve(event), 'an event'],
  ['an event without a time', timeless, 'an event'],
  ['an event without a payload', empty, 'an event'],
  ['a recovered event without its record', { event, eventKey: 'k' }, 'what recoverEvents gives'],
  ['a delivery record', record, 'recoverEvents'],
])('%s is no event, and says what is', async (_, wrong, advice) => {
  const onEnd = vi.fn();
  const { dispatch } = createWebhookHandler({ ...receiverOptions, hooks: { onEnd } });
  const error = await failure(dispatch(wrong as never), ConfigurationError);
  expect(error.message).toContain(advice);
  expect(onEnd.mock.calls).toMatchObject([[{ outcome: 'failed', error }]]);
});

describe('what recoverEvents gives', () => {
  const scored = { event: 'exam_result.scored', created_at: completed.created_at, data: { score: '91' } };
  /** One record of this event, recovered with schemas of its own. */
  async function recover(payload: object, schemas: WebhookSchemas = {}) {
    const source = {
      async *deliveries() {
        yield { ...recorded, event: scored.event, payload: payload as Record<string, unknown> };
      },
    };
    for await (const recovered of recoverEvents(source, 1, { since: '2025-01-01T00:00:00Z', schemas }))
      return recovered;
    throw new Error('Nothing was recovered.');
  }
  const asNumber = schemaOf((data) => ({ value: Number(Object(data).score) }));
  const asText = schemaOf((data) => ({ value: String(Object(data).score) }));
  const rejecting = schemaOf(() => ({ issues: [{ message: 'no', path: ['score'] }] }));
  const ttlSeconds = 600;

  test.each([
    ['the whole body', scored],
    ['its data alone', scored.data],
  ])('of a record that keeps %s is read with the schemas of the handler', async (_, payload) => {
    const handler = vi.fn();
    const { dispatch } = createWebhookHandler({
      ...options,
      schemas: { 'exam_result.scored': asNumber },
      on: { 'exam_result.scored': handler },
    });
    const recovered = await recover(payload, { 'exam_result.scored': asText });
    expect(await dispatch(recovered)).toBe('handled');
    const { eventKey } = recovered;
    expect(handler.mock.calls).toMatchObject([[{ event: scored.event, data: 91 }, { eventKey }]]);
  });

  test('goes to onInvalid where it does not fit, with its JSON', async () => {
    const onInvalid = vi.fn();
    const { dispatch } = createWebhookHandler({
      ...receiverOptions,
      schemas: { 'exam_result.scored': rejecting },
      onInvalid,
    });
    const recovered = await recover(scored);
    expect(await dispatch(recovered)).toBe('handled');
    const rawBody = new TextEncoder().encode(JSON.stringify(scored));
    const invalid = { rawBody, body: scored, issues: [{ path: 'data.score', message: 'no' }] };
    expect(onInvalid.mock.calls).toMatchObject([[invalid, { eventKey: recovered.eventKey }]]);
  });

  test('is rejected where it does not fit and there is no onInvalid, as a delivery would be', async () => {
    const onEnd = vi.fn();
    const { dispatch } = createWebhookHandler({
      ...options,
      schemas: { 'exam_result.scored': rejecting },
      on: { 'exam_result.scored': () => {} },
      hooks: { onEnd },
    });
    const error = await failure(dispatch(await recover(scored)), WebhookVerificationError);
    expect(error).toMatchObject({ reason: 'payload_invalid', message: expect.stringContaining('onInvalid') });
    expect(onEnd.mock.calls).toMatchObject([[{ outcome: 'rejected', reason: 'payload_invalid', error }]]);
  });

  test('is not read where nothing handles it', async () => {
    const validate = vi.fn(() => ({ value: 1 }));
    const schemas = { 'exam_result.scored': schemaOf(validate) };
    const { dispatch } = createWebhookHandler({ ...receiverOptions, schemas });
    expect(await dispatch(await recover(scored))).toBe('handled');
    expect(validate).not.toHaveBeenCalled();
  });

  test.each(['recovered', 'delivered again'])(
    'or what onInvalid took, runs its handler once the schema is repaired: %s',
    async (way) => {
      const deduplication = { store: createMemoryStore(), ttlSeconds };
      const onInvalid = vi.fn();
      const handler = vi.fn();
      const receiver = (schema: WebhookSchemas['exam_result.scored']) => {
        const schemas = { 'exam_result.scored': schema };
        const on = { 'exam_result.scored': handler };
        return createWebhookHandler({ ...options, schemas, on, onInvalid, deduplication });
      };
      const recovered = await recover(scored);
      const broken = receiver(rejecting);
      const repaired = receiver(asNumber);
      const send = async (to: typeof broken) =>
        way === 'recovered' ? to.dispatch(recovered) : (await to(request(JSON.stringify(scored)))).status;
      await send(broken);
      await send(broken);
      expect(onInvalid).toHaveBeenCalledOnce();
      expect(handler).not.toHaveBeenCalled();
      await send(repaired);
      await send(repaired);
      expect(handler.mock.calls).toMatchObject([[{ data: 91 }, { eventKey: recovered.eventKey }]]);
      expect(onInvalid).toHaveBeenCalledOnce();
      expect(await repaired.dispatch(recovered)).toBe('duplicate');
    },
  );

  test('needs only its record and key, such as a queue keeps', async () => {
    const handler = vi.fn();
    const { dispatch } = createWebhookHandler({ ...options, on: { 'exam_result.scored': handler } });
    const { eventKey, delivery } = await recover(scored);
    expect(await dispatch({ eventKey, delivery })).toBe('handled');
    expect(handler.mock.calls).toMatchObject([[scored, { eventKey }]]);
  });

  test('takes the key of `eventKey` where both are given', async () => {
    const handler = vi.fn();
    const { dispatch } = createWebhookHandler({ ...options, on: { 'exam_result.scored': handler } });
    await dispatch(await recover(scored), { eventKey: 'mine' });
    expect(handler.mock.calls).toMatchObject([[{}, { eventKey: 'mine' }]]);
  });
});

test.each(['', 5])('an `eventKey` of %j is rejected under its own name', async (eventKey) => {
  const { handle } = startProcess(createMemoryStore());
  const error = await failure(handle.dispatch(event, { eventKey: eventKey as string }), ConfigurationError);
  expect(error.message).toBe('`eventKey` must be a non-empty string.');
});
