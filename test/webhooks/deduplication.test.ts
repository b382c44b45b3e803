import { describe, expect, test, vi } from 'vitest';
import { createMemoryStore, createWebhookHandler, eventKeyOf } from '../../src/webhooks/index.ts';
import { throwing } from '../helpers/client.ts';
import { nextTurn } from '../helpers/gate.ts';
import { elsewhere, recordedStore, startProcess } from './deduplication-helpers.ts';
import { completed, options, request, signedAt } from './helpers.ts';

test('a repetition is acknowledged and not handled, however it is signed and written', async () => {
  const store = recordedStore();
  const { handle, attempts, deliver, succeed } = startProcess(store);
  expect(await succeed()).toBe(204);
  expect(await deliver()).toBe(204);
  expect(await deliver(signedAt + 60)).toBe(204);
  const rewritten = request(JSON.stringify(completed, null, 3).replaceAll('/', '\\/'));
  expect((await handle(rewritten)).status).toBe(204);
  expect(attempts).toHaveLength(1);

  const key = await eventKeyOf(completed);
  const [[, owner]] = store.claim.mock.calls as [[string, string, number]];
  expect(store.claim.mock.calls).toHaveLength(4);
  expect(store.claim.mock.calls[0]).toEqual([key, expect.stringMatching(/^[\w-]{36}$/), 300]);
  expect(new Set(store.claim.mock.calls.map(([, each]) => each)).size).toBe(4);
  expect(store.complete.mock.calls).toEqual([[key, owner, 86_400]]);
  expect(store.release).not.toHaveBeenCalled();
});

test('a failure gives the claim up, and the next attempt is handled', async () => {
  const store = recordedStore();
  const receiver = startProcess(store);
  const first = await receiver.begin();
  first.attempt.fail(new Error('away'));
  expect(await first.pending).toBe(500);
  expect(await receiver.succeed()).toBe(204);
  expect(await receiver.deliver()).toBe(204);
  expect(receiver.attempts).toHaveLength(2);
  expect(store.release.mock.calls).toEqual([store.claim.mock.calls[0]?.slice(0, 2)]);
});

test('a duplicate that comes while the first is handled is not acknowledged before that succeeds', async () => {
  const receiver = startProcess(createMemoryStore());
  const { pending, attempt } = await receiver.begin();
  const answered = vi.fn();
  const duplicates = [receiver.deliver(), receiver.deliver()].map((one) => one.finally(answered));
  await nextTurn();
  await nextTurn();
  expect(answered).not.toHaveBeenCalled();
  attempt.open();
  expect(await Promise.all([pending, ...duplicates])).toEqual([204, 204, 204]);
  expect(receiver.attempts).toHaveLength(1);
});

test('a duplicate shares the failure of the first, so that the service delivers both again', async () => {
  const receiver = startProcess(createMemoryStore());
  const { pending, attempt } = await receiver.begin();
  const duplicate = receiver.deliver();
  await nextTurn();
  attempt.fail(new Error('away'));
  expect(await Promise.all([pending, duplicate])).toEqual([500, 500]);
  expect(receiver.attempts).toHaveLength(1);
  expect(await receiver.succeed()).toBe(204);
});

test('two receivers that are made with one store in a process join each other', async () => {
  const store = createMemoryStore();
  const one = startProcess(store);
  const two = startProcess(store);
  const { pending, attempt } = await one.begin();
  const joined = two.deliver();
  await nextTurn();
  attempt.open();
  expect(await Promise.all([pending, joined])).toEqual([204, 204]);
  expect(two.attempts).toHaveLength(0);
});

describe('across processes', () => {
  test('an event that another process is handling gets the response 503 until that has ended', async () => {
    const store = createMemoryStore();
    const one = startProcess(store);
    const two = startProcess(elsewhere(store));
    const { pending, attempt } = await one.begin();
    const busy = await two.handle(request());
    expect([busy.status, await busy.text()]).toEqual([503, 'The event is being handled.']);
    attempt.open();
    expect(await pending).toBe(204);
    expect(await two.deliver()).toBe(204);
    expect(two.attempts).toHaveLength(0);
  });

  test('when the other process fails, the next attempt is handled here', async () => {
    const store = createMemoryStore();
    const one = startProcess(store);
    const two = startProcess(elsewhere(store));
    const first = await one.begin();
    expect(await two.deliver()).toBe(503);
    first.attempt.fail(new Error('away'));
    expect(await first.pending).toBe(500);
    expect(await two.succeed()).toBe(204);
  });

  test('an event whose process died is handled when its claim has run out', async () => {
    let now = 0;
    const store = createMemoryStore({ now: () => now });
    const victim = startProcess(store, { processingSeconds: 120 });
    const { attempt, pending } = await victim.begin();
    const survivor = startProcess(elsewhere(store), { processingSeconds: 120 });
    now = 119_999;
    expect(await survivor.deliver()).toBe(503);
    now = 120_000;
    expect(await survivor.succeed()).toBe(204);
    now += 86_399_999;
    expect(await survivor.deliver()).toBe(204);
    expect(survivor.attempts).toHaveLength(1);
    attempt.open();
    await pending;
  });
});

describe('deduplication.key', () => {
  const receiver = (key: (event: { readonly event: string }) => string | Promise<string>) => {
    const onCompleted = vi.fn();
    const onError = vi.fn();
    const on = { 'exam_result.completed': onCompleted };
    const deduplication = { store: createMemoryStore(), ttlSeconds: 600, key };
    return { handle: createWebhookHandler({ ...options, on, onError, deduplication }), onCompleted, onError };
  };

  test('chooses what counts as the same event, while context.eventKey stays that of the event', async () => {
    const { handle, onCompleted } = receiver(async ({ event }) => `latest:${event}`);
    expect((await handle(request())).status).toBe(204);
    const later = request(JSON.stringify({ ...completed, created_at: 'later' }));
    expect((await handle(later)).status).toBe(204);
    expect(onCompleted).toHaveBeenCalledOnce();
    expect(onCompleted.mock.calls[0]?.[1]).toMatchObject({ eventKey: await eventKeyOf(completed) });
  });

  test.each([undefined, null, '', 7])('that gives %s is a mistake that loses no event', async (wrong) => {
    const { handle, onCompleted, onError } = receiver(() => wrong as string);
    expect((await handle(request())).status).toBe(500);
    const message = expect.stringContaining('`deduplication.key`');
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'configuration', message });
    expect(onCompleted).not.toHaveBeenCalled();
  });
});

describe('a store that fails', () => {
  const away = new Error('the store is away');

  test.each([
    ['rejects', () => Promise.reject(away)],
    ['throws at once', throwing(away)],
  ])('to claim, as it %s: nothing is handled, and the service delivers again', async (_, claim) => {
    const store = recordedStore();
    store.claim.mockImplementationOnce(claim);
    const { attempts, deliver, onError, succeed } = startProcess(store);
    expect(await deliver()).toBe(500);
    expect(attempts).toHaveLength(0);
    const error = { name: 'DeduplicationStoreError', method: 'claim', cause: away };
    expect(onError.mock.calls).toMatchObject([[error, expect.any(Request)]]);
    expect(await succeed()).toBe(204);
  });

  test('to report a claim that it has made: the next attempt is handled', async () => {
    const store = recordedStore();
    store.claim.mockImplementationOnce(async (...given) => {
      await store.claim(...given);
      throw away;
    });
    const { deliver, succeed } = startProcess(store);
    expect(await deliver()).toBe(500);
    expect(await succeed()).toBe(204);
  });

  test('to say whether the event was handled: the delivery is not acknowledged', async () => {
    const store = recordedStore();
    store.claim.mockReturnValueOnce(false);
    store.isComplete.mockRejectedValueOnce(away);
    const { deliver, onError } = startProcess(store);
    expect(await deliver()).toBe(500);
    expect(onError.mock.calls).toMatchObject([[{ method: 'isComplete' }, {}]]);
  });

  test.each([undefined, null, 'OK', 'false', 1])(
    'by returning %j: nothing is handled, and its claim is released',
    async (result) => {
      const store = recordedStore();
      store.claim.mockImplementationOnce((...given) => {
        store.claim(...given);
        return result as never;
      });
      const { attempts, deliver, onError, succeed } = startProcess(store);
      expect(await deliver()).toBe(500);
      expect(attempts).toHaveLength(0);
      const message = `\`claim\` of the deduplication store returned ${typeof result}, not true or false.`;
      expect(onError.mock.calls).toMatchObject([[{ name: 'DeduplicationStoreError', message }, {}]]);
      store.claim.mockReturnValueOnce(false);
      store.isComplete.mockReturnValueOnce(result as never);
      expect(await deliver()).toBe(500);
      expect(onError.mock.calls[1]).toMatchObject([{ method: 'isComplete' }, {}]);
      expect(await succeed()).toBe(204);
    },
  );

  test('to release: the failed delivery is not taken for handled', async () => {
    const store = recordedStore();
    store.release.mockRejectedValueOnce(away);
    const { begin, deliver, errors } = startProcess(store);
    const first = await begin();
    first.attempt.fail(new Error('handler'));
    expect(await first.pending).toBe(500);
    expect(errors()).toEqual(['`release` of the deduplication store failed.', 'handler']);
    // Until its claim has run out.
    expect(await deliver()).toBe(503);
  });

  test('to complete: the delivery was handled all the same', async () => {
    const store = recordedStore();
    store.complete.mockRejectedValueOnce(away);
    const { onError, succeed } = startProcess(store);
    expect(await succeed()).toBe(204);
    expect(onError.mock.calls).toMatchObject([[{ method: 'complete', cause: away }, {}]]);
  });
});
