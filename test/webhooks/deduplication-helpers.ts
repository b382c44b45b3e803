import { expect, vi } from 'vitest';
import {
  createMemoryStore,
  createWebhookHandler,
  type DeduplicationStore,
  type WebhookContext,
  type WebhookHandlerOptions,
} from '../../src/webhooks/index.ts';
import { createGate, type Gate } from '../helpers/gate.ts';
import { body, options, request } from './helpers.ts';

/** A store in memory whose calls are recorded. */
export function recordedStore(now?: () => number) {
  const store = createMemoryStore({ now });
  return {
    claim: vi.fn<DeduplicationStore['claim']>(store.claim),
    complete: vi.fn<DeduplicationStore['complete']>(store.complete),
    release: vi.fn<DeduplicationStore['release']>(store.release),
    isComplete: vi.fn<DeduplicationStore['isComplete']>(store.isComplete),
  };
}

/** An attempt to handle the event, which ends when the test says so. */
type Attempt = Gate<void> & { readonly context: WebhookContext };

/** One process: a receiver whose handler ends each attempt when the test says so. */
export function startProcess(
  store: DeduplicationStore,
  { processingSeconds, ...more }: Partial<WebhookHandlerOptions> & { processingSeconds?: number } = {},
) {
  const attempts: Attempt[] = [];
  const onError = vi.fn<(error: unknown) => void>();
  const handler = (_: unknown, context: WebhookContext) => {
    const attempt = { ...createGate(), context };
    attempts.push(attempt);
    return attempt.promise;
  };
  const deduplication = { store, ttlSeconds: 86_400, processingSeconds };
  const on = { 'exam_result.completed': handler };
  const handle = createWebhookHandler({ ...options, onError, on, deduplication, ...more });
  const deliver = async (timestamp?: number, init?: RequestInit) =>
    (await handle(new Request(request(body, timestamp), init))).status;
  /** Delivers and waits until the handler has started. */
  const begin = async (init?: RequestInit) => {
    const started = attempts.length;
    const pending = deliver(undefined, init);
    await expect.poll(() => attempts.length).toBe(started + 1);
    return { pending, attempt: attempts[started] as Attempt };
  };
  /** Delivers, and gives the status once the handler has succeeded. */
  const succeed = async () => {
    const { pending, attempt } = await begin();
    attempt.open();
    return pending;
  };
  const errors = () => onError.mock.calls.map(([error]) => String((error as Error).message));
  return { handle, attempts, onError, errors, deliver, begin, succeed };
}

/** The same store seen from another process, which shares nothing but what the store holds. */
export const elsewhere = (store: DeduplicationStore): DeduplicationStore => ({ ...store });
