import * as nodeCrypto from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createWebhookHandler, eventKeyOf, safeVerifyWebhook } from '../../src/webhooks/index.ts';
import { delivery, describeEngines, mac, options, registered, runOn, signedAt } from './helpers.ts';

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

describe('over WebCrypto', () => {
  const fresh = () => `whsec_${crypto.randomUUID()}`;

  /** How many keys are imported to verify a delivery that is signed with the last of these secrets. */
  async function importsFor(...secrets: readonly string[]): Promise<number> {
    runOn(undefined);
    const importKey = vi.spyOn(crypto.subtle, 'importKey').mockClear();
    const signed = delivery(body, `t=${signedAt},v1=${mac(body, signedAt, secrets.at(-1))}`);
    const verification = await safeVerifyWebhook(signed, { ...options, secret: secrets });
    expect(verification).toMatchObject({ ok: true });
    return importKey.mock.calls.length;
  }

  test('the key of a secret is imported once, cannot be read out, and may only sign', async () => {
    const secret = fresh();
    expect(await importsFor(secret)).toBe(1);
    expect(await importsFor(secret)).toBe(0);
    const importKey = vi.spyOn(crypto.subtle, 'importKey').mockClear();
    await importsFor(fresh());
    expect(importKey.mock.calls[0]?.slice(2)).toEqual([{ name: 'HMAC', hash: 'SHA-256' }, false, ['sign']]);
  });

  test('as many keys are kept as all secrets of a project need, and no more than 32', async () => {
    const first = fresh();
    const others = Array.from({ length: 10 }, fresh);
    await importsFor(first);
    await importsFor(...others);
    await importsFor(...others, first);
    // All of them were kept now, whatever had been before.
    expect(await importsFor(...others, first)).toBe(0);
    await importsFor(...Array.from({ length: 32 }, fresh));
    expect(await importsFor(first)).toBe(1);
  });
});
