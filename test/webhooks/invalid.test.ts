import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { createMemoryStore, eventKeyOf, type WebhookHandlerOptions } from '../../src/webhooks/index.ts';
import { recordedStore } from './deduplication-helpers.ts';
import { completed, request as requestOf, schemaOf, signedAt, startReceiver } from './helpers.ts';

// The participant was deleted since.
const wrong = { ...completed, data: { ...completed.data, participant: null, score: 'high' } };

const request = (json: unknown) => requestOf(JSON.stringify(json));

function receiver(more: Partial<WebhookHandlerOptions> = {}) {
  const onInvalid = vi.fn();
  const onCompleted = vi.fn();
  return { ...startReceiver(onCompleted, { onInvalid, ...more }), onInvalid, onCompleted };
}

describe('a signed event of a documented name that differs', () => {
  test('goes to onInvalid as it was delivered, and is acknowledged when that succeeds', async () => {
    const { handle, onInvalid, onRejected, onCompleted } = receiver();
    const received = request(wrong);
    expect((await handle(received)).status).toBe(204);
    expect(onInvalid).toHaveBeenCalledExactlyOnceWith(
      {
        rawBody: new TextEncoder().encode(JSON.stringify(wrong)),
        body: wrong,
        issues: ['data.participant', 'data.score'].map((path) => ({ path, message: 'is not as documented' })),
      },
      {
        signal: expect.any(AbortSignal),
        eventKey: await eventKeyOf(wrong),
        signedAt: new Date(signedAt * 1000),
        request: received,
      },
    );
    expect(onRejected).not.toHaveBeenCalled();
    expect(onCompleted).not.toHaveBeenCalled();
  });

  test('gets the response 500 when onInvalid fails, and is reported to onError', async () => {
    const failure = new Error('the disk is full');
    const { deliver, onError } = receiver({ onInvalid: () => Promise.reject(failure) });
    expect(await deliver(request(wrong))).toBe(500);
    expect(onError).toHaveBeenCalledExactlyOnceWith(failure, expect.anything());
  });

  test('is rejected with 400 without onInvalid, and the error names the option', async () => {
    const { deliver, onRejected } = receiver({ onInvalid: undefined });
    expect(await deliver(request(wrong))).toBe(400);
    const message = 'Invalid payload: data.participant, data.score. See `onInvalid`.';
    expect(onRejected.mock.calls).toMatchObject([[{ reason: 'payload_invalid', message }, {}]]);
  });

  test('is one that a schema rejects, too, with the messages of the schema', async () => {
    const schemas = { 'exam_result.completed': z.object({ grade: z.string('a grade is missing') }) };
    const { deliver, onInvalid } = receiver({ schemas });
    expect(await deliver(request(completed))).toBe(204);
    expect(onInvalid.mock.calls[0]?.[0]).toEqual({
      rawBody: new TextEncoder().encode(JSON.stringify(completed)),
      body: completed,
      issues: [{ path: 'data.grade', message: 'a grade is missing' }],
    });
  });

  test('is handled once where events are deduplicated, by its own key', async () => {
    const key = vi.fn(() => 'one for all');
    const deduplication = { store: createMemoryStore(), ttlSeconds: 600, key };
    const { deliver, onInvalid } = receiver({ deduplication });
    expect(await deliver(request(wrong))).toBe(204);
    expect(await deliver(request(wrong))).toBe(204);
    expect(onInvalid).toHaveBeenCalledOnce();
    expect(key).not.toHaveBeenCalled();
  });
});

test('a documented event that nobody asks for is acknowledged whatever its payload is, and no schema is asked', async () => {
  const validate = vi.fn(() => ({ issues: [] }));
  const { deliver, onRejected, onCompleted } = receiver({
    onInvalid: undefined,
    onUnknown: () => {},
    on: { 'exam_result.scored': () => {} },
    schemas: { 'exam_result.completed': schemaOf(validate) },
  });
  for (const event of [wrong, completed]) expect(await deliver(request(event))).toBe(204);
  expect(validate).not.toHaveBeenCalled();
  expect(onRejected).not.toHaveBeenCalled();
  expect(onCompleted).not.toHaveBeenCalled();
});

test.each([
  ['no event', { hello: 'world' }],
  ['a name that is no text', { event: 5, created_at: '2025-03-01T09:45:13+07:00', data: {} }],
  ['a list', ['exam_result.completed']],
  ['null', null],
])('%s is rejected, whatever onInvalid does', async (_, json) => {
  const { deliver, onInvalid, onRejected } = receiver();
  expect(await deliver(request(json))).toBe(400);
  expect(onRejected.mock.calls).toMatchObject([[{ reason: 'payload_invalid' }, {}]]);
  expect(onInvalid).not.toHaveBeenCalled();
});

describe('an event that nobody asks for', () => {
  const odd = { event: 'exam.archived', created_at: 'x', data: [1] };

  test('is acknowledged unread, however odd it is, and rejected as odd once somebody asks', async () => {
    const { deliver, onInvalid, onRejected } = receiver();
    expect(await deliver(request(odd))).toBe(204);
    expect(onInvalid).not.toHaveBeenCalled();
    expect(onRejected).not.toHaveBeenCalled();
    const asking = receiver({ onUnknown: () => {} });
    expect(await asking.deliver(request(odd))).toBe(400);
    expect(asking.onRejected.mock.calls).toMatchObject([[{ reason: 'payload_invalid' }, {}]]);
  });

  test.each([
    ['documented', completed],
    ['unknown', { ...completed, event: 'exam.archived' }],
  ])('and is %s is handled where a later release asks for it', async (_, event) => {
    const store = recordedStore();
    const key = vi.fn(() => 'one for all');
    const deduplication = { store, ttlSeconds: 600, key };
    const before = receiver({ on: { 'exam_result.scored': () => {} }, deduplication });
    expect(await before.deliver(request(event))).toBe(204);
    expect(await before.handle.dispatch(event as never)).toBe('handled');
    expect(store.claim).not.toHaveBeenCalled();
    expect(key).not.toHaveBeenCalled();
    const onUnknown = vi.fn();
    const after = receiver({ onUnknown, deduplication });
    expect(await after.deliver(request(event))).toBe(204);
    expect(after.onCompleted.mock.calls.length + onUnknown.mock.calls.length).toBe(1);
  });
});

test('what the readers change does not change the key of the event', async () => {
  const { deliver, onCompleted } = receiver();
  const { participant_code: _, ...data } = completed.data;
  const sent = { ...completed, data: { ...data, exam_result_id: '7', score: '87.50' } };
  expect(await deliver(request(sent))).toBe(204);
  const [event, context] = onCompleted.mock.calls[0] ?? [];
  expect(event.data).toMatchObject({ exam_result_id: 7, score: 87.5, participant_code: null });
  expect(context.eventKey).toBe(await eventKeyOf(sent));
});
