import { describe, expect, test } from 'vitest';
import { ConfigurationError, createMemoryStore, createWebhookHandler } from '../../src/webhooks/index.ts';
import { throwing } from '../helpers/client.ts';
import { recordedStore, startProcess } from './deduplication-helpers.ts';
import { receiverOptions } from './helpers.ts';

const away = new Error('the store is away');

describe('a store that fails', () => {
  test('to claim: nothing is handled, and the service delivers again', async () => {
    const store = recordedStore();
    store.claim.mockRejectedValueOnce(away);
    const { attempts, deliver, onError, succeed } = startProcess(store);
    expect(await deliver()).toBe(500);
    expect(attempts).toHaveLength(0);
    expect(onError.mock.calls).toMatchObject([
      [{ name: 'DeduplicationStoreError', method: 'claim', cause: away }, expect.any(Request)],
    ]);
    expect(await succeed()).toBe(204);
  });

  test('by throwing at once: that is the same', async () => {
    const store = recordedStore();
    store.claim.mockImplementationOnce(throwing(away));
    const { deliver, onError } = startProcess(store);
    expect(await deliver()).toBe(500);
    expect(onError.mock.calls).toMatchObject([[{ method: 'claim', cause: away }, expect.anything()]]);
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
    expect(onError.mock.calls).toMatchObject([[{ method: 'isComplete' }, expect.anything()]]);
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
      expect(onError.mock.calls).toMatchObject([
        [{ name: 'DeduplicationStoreError', message }, expect.anything()],
      ]);
      store.claim.mockReturnValueOnce(false);
      store.isComplete.mockReturnValueOnce(result as never);
      expect(await deliver()).toBe(500);
      expect(onError.mock.calls[1]).toMatchObject([{ method: 'isComplete' }, expect.anything()]);
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
    expect(onError.mock.calls).toMatchObject([[{ method: 'complete', cause: away }, expect.anything()]]);
  });
});

describe('the options of deduplication', () => {
  const store = createMemoryStore();
  test.each([
    ['ttlSeconds', { store, ttlSeconds: 0 }],
    ['ttlSeconds', { store, ttlSeconds: Number.POSITIVE_INFINITY }],
    ['processingSeconds', { store, ttlSeconds: 600, processingSeconds: -1 }],
    ['processingSeconds', { store, ttlSeconds: 600, processingSeconds: 10 }],
    ['store', { ttlSeconds: 600 }],
    ['store.claim', { store: new Map(), ttlSeconds: 600 }],
    ['store.isComplete', { store: { ...store, isComplete: undefined }, ttlSeconds: 600 }],
    ['store.release', { store: { ...store, release: 'del' }, ttlSeconds: 600 }],
    ['key', { store, ttlSeconds: 600, key: 'event' }],
  ])('a wrong %s is rejected when the receiver is made', (name, deduplication) => {
    const make = () => createWebhookHandler({ ...receiverOptions, deduplication: deduplication as never });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(`\`${name}\``);
  });

  test('a processingSeconds that is not longer than the handler may take is rejected with that time', () => {
    const deduplication = { store, ttlSeconds: 600, processingSeconds: 10 };
    const make = () => createWebhookHandler({ ...receiverOptions, deduplication });
    expect(make).toThrow('`processingSeconds` must be longer than `timeout`, 10000 ms');
  });

  test('a ttlSeconds below twice the tolerance is rejected with the least that would do', () => {
    const make = () =>
      createWebhookHandler({ ...receiverOptions, deduplication: { store, ttlSeconds: 599 } });
    expect(make).toThrow('`ttlSeconds` must be at least 600, twice `toleranceSeconds`');
  });

  test('the least values that fit the tolerance and the time limit are taken', () => {
    const set = { ...receiverOptions, toleranceSeconds: 60, timeout: 1_999 };
    expect(() =>
      createWebhookHandler({ ...set, deduplication: { store, ttlSeconds: 120, processingSeconds: 2 } }),
    ).not.toThrow();
    expect(() =>
      createWebhookHandler({
        ...receiverOptions,
        timeout: false,
        deduplication: { store, ttlSeconds: 600, processingSeconds: 1 },
      }),
    ).not.toThrow();
  });
});
