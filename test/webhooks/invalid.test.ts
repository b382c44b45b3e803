import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { signedWebhook } from '../../src/testing/index.ts';
import {
  createMemoryStore,
  createWebhookHandler,
  eventKeyOf,
  type WebhookHandlerOptions,
} from '../../src/webhooks/index.ts';
import { recordedStore } from './deduplication-helpers.ts';
import { completed, options, secret, signedAt } from './helpers.ts';

const wrong = { ...completed, data: { ...completed.data, exam: null, score: 'high' } };

function request(json: unknown): Request {
  return signedWebhook({ body: JSON.stringify(json), secret, timestamp: signedAt }).toRequest();
}

function receiver(more: Partial<WebhookHandlerOptions> = {}) {
  const told = { onInvalid: vi.fn(), onRejected: vi.fn(), onError: vi.fn(), onCompleted: vi.fn() };
  const { onCompleted, ...observers } = told;
  const on = { 'exam_result.completed': onCompleted };
  return { ...told, handle: createWebhookHandler({ ...options, ...observers, on, ...more }) };
}

describe('a signed event of a documented name that differs', () => {
  test('goes to onInvalid as it was delivered, and is acknowledged when that succeeds', async () => {
    const { handle, onInvalid, onRejected, onCompleted } = receiver();
    const received = request(wrong);
    expect((await handle(received)).status).toBe(204);
    expect(onInvalid).toHaveBeenCalledExactlyOnceWith(
      {
        body: wrong,
        issues: [
          { path: 'data.exam', message: 'is not as documented' },
          { path: 'data.score', message: 'is not as documented' },
        ],
      },
      { signal: expect.any(AbortSignal), eventKey: await eventKeyOf(wrong), signedAt, request: received },
    );
    expect(onRejected).not.toHaveBeenCalled();
    expect(onCompleted).not.toHaveBeenCalled();
  });

  test('is answered with 500 when onInvalid fails, and told to onError', async () => {
    const failure = new Error('the disk is full');
    const { handle, onError } = receiver({ onInvalid: () => Promise.reject(failure) });
    expect((await handle(request(wrong))).status).toBe(500);
    expect(onError).toHaveBeenCalledExactlyOnceWith(failure, expect.anything());
  });

  test('is refused with 400 without onInvalid, and the refusal names the option', async () => {
    const { handle, onRejected } = receiver({ onInvalid: undefined });
    expect((await handle(request(wrong))).status).toBe(400);
    expect(onRejected.mock.calls).toMatchObject([
      [{ code: 'payload_invalid', message: expect.stringContaining('`onInvalid`') }, expect.anything()],
    ]);
  });

  test('is one that a schema refuses, too, with the messages of the schema', async () => {
    const schemas = { 'exam_result.completed': z.object({ grade: z.string('a grade is missing') }) };
    const { handle, onInvalid } = receiver({ schemas });
    expect((await handle(request(completed))).status).toBe(204);
    expect(onInvalid.mock.calls[0]?.[0]).toEqual({
      body: completed,
      issues: [{ path: 'data.grade', message: 'a grade is missing' }],
    });
  });

  test('is handled once where events are deduplicated, by its own key', async () => {
    const key = vi.fn(() => 'one for all');
    const deduplication = { store: createMemoryStore(), ttlSeconds: 600, key };
    const { handle, onInvalid } = receiver({ deduplication });
    expect((await handle(request(wrong))).status).toBe(204);
    expect((await handle(request(wrong))).status).toBe(204);
    expect(onInvalid).toHaveBeenCalledOnce();
    expect(key).not.toHaveBeenCalled();
  });
});

test('a documented event that nobody asks for is acknowledged whatever its payload is, and no schema is asked', async () => {
  const validate = vi.fn(() => ({ issues: [] }));
  const schema = { '~standard': { version: 1, vendor: 'test', validate } } as const;
  const { handle, onRejected, onCompleted } = receiver({
    onInvalid: undefined,
    onUnknown: () => {},
    on: { 'exam_result.scored': () => {} },
    schemas: { 'exam_result.completed': schema },
  });
  for (const event of [wrong, completed]) expect((await handle(request(event))).status).toBe(204);
  expect(validate).not.toHaveBeenCalled();
  expect(onRejected).not.toHaveBeenCalled();
  expect(onCompleted).not.toHaveBeenCalled();
});

test.each([
  ['no event', { hello: 'world' }],
  ['a name that is no text', { event: 5, created_at: '2025-03-01T09:45:13+07:00', data: {} }],
  ['a list', ['exam_result.completed']],
  ['null', null],
])('%s is refused, whatever onInvalid does', async (_, json) => {
  const { handle, onInvalid, onRejected } = receiver();
  expect((await handle(request(json))).status).toBe(400);
  expect(onRejected.mock.calls).toMatchObject([[{ code: 'payload_invalid' }, expect.anything()]]);
  expect(onInvalid).not.toHaveBeenCalled();
});

describe('an event that nobody asks for', () => {
  const odd = { event: 'exam.archived', created_at: 'x', data: [1] };

  test('is acknowledged unread, however odd it is, and refused as odd once somebody asks', async () => {
    const { handle, onInvalid, onRejected } = receiver();
    expect((await handle(request(odd))).status).toBe(204);
    expect(onInvalid).not.toHaveBeenCalled();
    expect(onRejected).not.toHaveBeenCalled();
    const asking = receiver({ onUnknown: () => {} });
    expect((await asking.handle(request(odd))).status).toBe(400);
    expect(asking.onRejected.mock.calls).toMatchObject([[{ code: 'payload_invalid' }, expect.anything()]]);
  });

  test.each([
    ['documented', completed],
    ['unknown', { ...completed, event: 'exam.archived' }],
  ])('and is %s is handled where a later release asks for it', async (_, event) => {
    const store = recordedStore();
    const key = vi.fn(() => 'one for all');
    const deduplication = { store, ttlSeconds: 600, key };
    const before = receiver({ on: { 'exam_result.scored': () => {} }, deduplication });
    expect((await before.handle(request(event))).status).toBe(204);
    expect(await before.handle.dispatch(event as never)).toBe('handled');
    expect(store.claim).not.toHaveBeenCalled();
    expect(key).not.toHaveBeenCalled();
    const onUnknown = vi.fn();
    const after = receiver({ onUnknown, deduplication });
    expect((await after.handle(request(event))).status).toBe(204);
    expect(after.onCompleted.mock.calls.length + onUnknown.mock.calls.length).toBe(1);
  });
});

test('what the readers change does not change the key of the event', async () => {
  const { handle, onCompleted } = receiver();
  const { participant_code: _, ...data } = completed.data;
  const sent = { ...completed, data: { ...data, exam_result_id: '7', score: '87.50' } };
  expect((await handle(request(sent))).status).toBe(204);
  const [event, context] = onCompleted.mock.calls[0] ?? [];
  expect(event.data).toMatchObject({ exam_result_id: 7, score: 87.5, participant_code: null });
  expect(context.eventKey).toBe(await eventKeyOf(sent));
});
