import * as nodeCrypto from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { createWebhookHandler, eventKeyOf, safeVerifyWebhook } from '../../src/webhooks/index.ts';
import { delivery, describeEngines, mac, options, registered, runOn, secret, signedAt } from './helpers.ts';

const body = registered();

afterEach(() => vi.restoreAllMocks());

test('where there is node:crypto it makes the signature, and compares bytes of equal length', async () => {
  const createHmac = vi.fn(nodeCrypto.createHmac);
  const timingSafeEqual = vi.fn(nodeCrypto.timingSafeEqual);
  const subtleSign = vi.spyOn(crypto.subtle, 'sign');
  runOn({ ...nodeCrypto, createHmac, timingSafeEqual });
  expect(await safeVerifyWebhook(delivery(body), options)).toMatchObject({ ok: true });
  expect(createHmac).toHaveBeenCalledOnce();
  const digits = Buffer.from(mac(body));
  expect(timingSafeEqual).toHaveBeenCalledExactlyOnceWith(digits, digits);
  expect(subtleSign).not.toHaveBeenCalled();
});

test('without process.getBuiltinModule the engine is WebCrypto', async () => {
  runOn(undefined);
  const subtleSign = vi.spyOn(crypto.subtle, 'sign');
  expect(await safeVerifyWebhook(delivery(body), options)).toMatchObject({ ok: true });
  expect(subtleSign).toHaveBeenCalledOnce();
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

test('WebCrypto imports the key of a secret once, and keeps at most 32', async () => {
  // A copy of the package that knows no secret yet.
  vi.resetModules();
  const webhooks = await import('../../src/webhooks/index.ts');
  runOn(undefined);
  const importKey = vi.spyOn(crypto.subtle, 'importKey');
  const importsFor = async (...secrets: string[]) => {
    const before = importKey.mock.calls.length;
    const last = secrets.at(-1) ?? secret;
    const signed = delivery(body, `t=${signedAt},v1=${mac(body, signedAt, last)}`);
    expect(await webhooks.safeVerifyWebhook(signed, { ...options, secret: secrets })).toMatchObject({
      ok: true,
    });
    return importKey.mock.calls.length - before;
  };
  const secrets = Array.from({ length: 32 }, (_, number) => `secret ${number}`);
  expect(await importsFor(...secrets)).toBe(32);
  expect(await importsFor(...secrets)).toBe(0);
  expect(await importsFor('secret 32')).toBe(1);
  expect(await importsFor('secret 0')).toBe(1);
  expect(await importsFor('secret 32')).toBe(0);
});
