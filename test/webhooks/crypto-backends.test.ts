import * as nodeCrypto from 'node:crypto';
import { expect, test, vi } from 'vitest';
import {
  createWebhookHandler,
  eventKeyOf,
  safeVerifyWebhook,
  type WebhookContext,
} from '../../src/webhooks/index.ts';
import { throwing } from '../helpers/client.ts';
import { delivery, describeEngines, options, registered, request, runOn } from './helpers.ts';

const body = registered();

test('where there is node:crypto it makes the signature', async () => {
  const createHmac = vi.fn(nodeCrypto.createHmac);
  const subtleSign = vi.spyOn(crypto.subtle, 'sign');
  runOn({ ...nodeCrypto, createHmac });
  expect(await safeVerifyWebhook(delivery(body), options)).toMatchObject({ ok: true, error: null });
  expect(createHmac).toHaveBeenCalledOnce();
  expect(subtleSign).not.toHaveBeenCalled();
});

test('without process.getBuiltinModule the engine is WebCrypto', async () => {
  runOn(undefined);
  const subtleSign = vi.spyOn(crypto.subtle, 'sign');
  expect(await safeVerifyWebhook(delivery(body), options)).toMatchObject({ ok: true, error: null });
  expect(subtleSign).toHaveBeenCalledOnce();
});

/** The key that a handler gets, which it reads twice, after it changed the event. */
async function keysOfDelivered(): Promise<string[]> {
  const keys: string[] = [];
  const handler = (event: object, context: WebhookContext) => {
    Object.assign(event, { created_at: 'changed by the handler' });
    keys.push(context.eventKey, context.eventKey);
  };
  const on = { 'exam_participant.registered': handler };
  expect((await createWebhookHandler({ ...options, on })(request(body))).status).toBe(204);
  return keys;
}

test('where the lookup of node:crypto throws, as in an edge runtime, the engine is WebCrypto', async () => {
  const notThere = throwing(new Error('A Node.js API is used (process.getBuiltinModule)'));
  vi.spyOn(process, 'getBuiltinModule').mockImplementation(notThere);
  const key = await eventKeyOf(JSON.parse(body));
  expect(await keysOfDelivered()).toEqual([key, key]);
});

describeEngines(() => {
  test('the key of a delivered event is that of its JSON, whatever the handler makes of it', async () => {
    const key = await eventKeyOf(JSON.parse(body));
    expect(await keysOfDelivered()).toEqual([key, key]);
  });
});

test('over WebCrypto the key of a secret cannot be read out, and may only sign', async () => {
  runOn(undefined);
  const importKey = vi.spyOn(crypto.subtle, 'importKey').mockClear();
  expect(await safeVerifyWebhook(delivery(body), options)).toMatchObject({ ok: true, error: null });
  expect(importKey.mock.calls[0]?.slice(2)).toEqual([{ name: 'HMAC', hash: 'SHA-256' }, false, ['sign']]);
});
