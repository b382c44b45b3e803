import * as nodeCrypto from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { createWebhookHandler, eventKeyOf, safeVerifyWebhook } from '../../src/webhooks/index.ts';
import { throwing } from '../helpers/client.ts';
import { delivery, describeEngines, mac, options, registered, runOn, signedAt } from './helpers.ts';

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

test('where the lookup of node:crypto throws, as in the sandbox of an edge runtime, the engine is WebCrypto', async () => {
  vi.spyOn(process, 'getBuiltinModule').mockImplementation(
    throwing(new Error('A Node.js API is used (process.getBuiltinModule)')),
  );
  const keys: string[] = [];
  const handle = createWebhookHandler({
    ...options,
    on: { 'exam_participant.registered': (_, { eventKey }) => void keys.push(eventKey) },
  });
  const headers = { 'x-cbt-signature': `t=${signedAt},v1=${mac(body)}` };
  const request = new Request('https://receiver.test/', { method: 'POST', body, headers });
  expect((await handle(request)).status).toBe(204);
  expect(keys).toEqual([await eventKeyOf(JSON.parse(body))]);
});

describeEngines(() => {
  test('the key of a delivered event is that of its JSON, whatever the handler makes of the event', async () => {
    const keys: string[] = [];
    const handle = createWebhookHandler({
      ...options,
      on: {
        'exam_participant.registered'(event, context) {
          Object.assign(event, { created_at: 'changed by the handler' });
          keys.push(context.eventKey, context.eventKey);
        },
      },
    });
    const headers = { 'x-cbt-signature': `t=${signedAt},v1=${mac(body)}` };
    await handle(new Request('https://receiver.test/', { method: 'POST', body, headers }));
    const key = await eventKeyOf(JSON.parse(body));
    expect(keys).toEqual([key, key]);
  });
});

test('over WebCrypto the key of a secret cannot be read out, and may only sign', async () => {
  runOn(undefined);
  const importKey = vi.spyOn(crypto.subtle, 'importKey').mockClear();
  expect(await safeVerifyWebhook(delivery(body), options)).toMatchObject({ ok: true, error: null });
  expect(importKey.mock.calls[0]?.slice(2)).toEqual([{ name: 'HMAC', hash: 'SHA-256' }, false, ['sign']]);
});
