import { afterEach, expect, test, vi } from 'vitest';
import { sha256 } from '../../src/webhooks/digest.ts';
import { safeVerifyWebhook } from '../../src/webhooks/index.ts';
import { keyCache } from '../../src/webhooks/key-cache.ts';
import { nodeEngine } from '../../src/webhooks/node-engine.ts';
import { setSignatureEngine, signatureEngine } from '../../src/webhooks/runtime-engine.ts';
import { equalInConstantTime } from '../../src/webhooks/signature-engine.ts';
import { webEngine } from '../../src/webhooks/web-engine.ts';
import { delivery, mac, options, registered, requiredNodeCrypto, secret, signedAt } from './helpers.ts';

const header = (signature: string) => ({ timestamp: String(signedAt), signatures: [signature] });
const body = new TextEncoder().encode(registered());

afterEach(() => {
  vi.restoreAllMocks();
  setSignatureEngine(undefined);
});

test('on Node the engine answers at once, over node:crypto', () => {
  expect(signatureEngine().matches(header(mac(body)), body, [secret])).toBe(true);
});

test('without process.getBuiltinModule the engine is WebCrypto', async () => {
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
  const sign = vi.spyOn(crypto.subtle, 'sign');
  expect(await safeVerifyWebhook(delivery(registered()), options)).toMatchObject({ ok: true });
  expect(sign).toHaveBeenCalledOnce();
});

test('the digest of a body is the same with and without node:crypto', async () => {
  const digest = await sha256(body);
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
  expect(await sha256(body)).toBe(digest);
});

test('the engine is chosen once', () => {
  const first = signatureEngine();
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
  expect(signatureEngine()).toBe(first);
});

test('each engine makes one key for a secret', async () => {
  const crypto = requiredNodeCrypto();
  const createSecretKey = vi.fn(crypto.createSecretKey);
  const node = nodeEngine({ ...crypto, createSecretKey });
  const importKey = vi.spyOn(globalThis.crypto.subtle, 'importKey');
  const web = webEngine();
  for (const engine of [node, web, node, web]) {
    expect(await engine.matches(header(mac(body)), body, [secret])).toBe(true);
  }
  expect(createSecretKey).toHaveBeenCalledOnce();
  expect(importKey).toHaveBeenCalledOnce();
});

test('the keys of at most 32 secrets are kept', () => {
  const make = vi.fn((text: string) => ({ text }));
  const keyOf = keyCache(make);
  const first = keyOf('secret 0');
  for (let number = 1; number < 32; number++) keyOf(`secret ${number}`);
  expect(keyOf('secret 0')).toBe(first);
  keyOf('secret 32');
  expect(keyOf('secret 0')).not.toBe(first);
  expect(make).toHaveBeenCalledTimes(34);
});

test('signatures are equal when all characters are, and as many', () => {
  expect(equalInConstantTime('ab12', 'ab12')).toBe(true);
  expect(equalInConstantTime('ab12', 'ab13')).toBe(false);
  expect(equalInConstantTime('ab12', 'bb12')).toBe(false);
  expect(equalInConstantTime('ab12', 'ab1')).toBe(false);
  expect(equalInConstantTime('ab1', 'ab12')).toBe(false);
  expect(equalInConstantTime('', '')).toBe(true);
});
