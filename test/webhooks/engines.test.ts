import { afterEach, expect, test, vi } from 'vitest';
import { sha256 } from '../../src/webhooks/digest.ts';
import { safeVerifyWebhook } from '../../src/webhooks/index.ts';
import { equalInConstantTime, signerOf, signers } from '../../src/webhooks/signer.ts';
import { delivery, mac, options, registered, requiredNodeCrypto, secret, signedAt } from './helpers.ts';

const body = new TextEncoder().encode(registered());
const sign = (key: string) => signerOf(key)(String(signedAt), body);

afterEach(() => {
  vi.restoreAllMocks();
  signers.clear();
});

test('on Node a signature is made at once, over node:crypto', () => {
  expect(sign(secret)).toBe(mac(body));
});

test('without process.getBuiltinModule the engine is WebCrypto', async () => {
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
  const subtleSign = vi.spyOn(crypto.subtle, 'sign');
  expect(await safeVerifyWebhook(delivery(registered()), options)).toMatchObject({ ok: true });
  expect(subtleSign).toHaveBeenCalledOnce();
});

test('the digest of a body is the same with and without node:crypto', async () => {
  const digest = await sha256(body);
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
  expect(await sha256(body)).toBe(digest);
});

test('each engine makes one key for a secret', async () => {
  const crypto = requiredNodeCrypto();
  const createSecretKey = vi.fn(crypto.createSecretKey);
  const importKey = vi.spyOn(globalThis.crypto.subtle, 'importKey');
  const lookup = vi.spyOn(process, 'getBuiltinModule');
  for (const found of [{ ...crypto, createSecretKey }, undefined]) {
    lookup.mockReturnValue(found);
    for (let time = 0; time < 2; time++) expect(await sign(secret)).toBe(mac(body));
    signers.clear();
  }
  expect(createSecretKey).toHaveBeenCalledOnce();
  expect(importKey).toHaveBeenCalledOnce();
});

test('the engine of a secret is chosen once', () => {
  const first = signerOf(secret);
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
  expect(signerOf(secret)).toBe(first);
});

test('the keys of at most 32 secrets are kept', () => {
  const first = signerOf('secret 0');
  for (let number = 1; number < 32; number++) signerOf(`secret ${number}`);
  expect(signerOf('secret 0')).toBe(first);
  expect(signers.size).toBe(32);
  signerOf('secret 32');
  expect(signers.size).toBe(1);
  expect(signerOf('secret 0')).not.toBe(first);
});

test('signatures are equal when all characters are, and as many', () => {
  expect(equalInConstantTime('ab12', 'ab12')).toBe(true);
  expect(equalInConstantTime('ab12', 'ab13')).toBe(false);
  expect(equalInConstantTime('ab12', 'bb12')).toBe(false);
  expect(equalInConstantTime('ab12', 'ab1')).toBe(false);
  expect(equalInConstantTime('ab1', 'ab12')).toBe(false);
  expect(equalInConstantTime('', '')).toBe(true);
});
