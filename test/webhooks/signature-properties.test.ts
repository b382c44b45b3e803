import * as nodeCrypto from 'node:crypto';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import {
  safeVerifyWebhook,
  verifyWebhookSignature,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts';
import { numRuns } from '../helpers/requirements.ts';
import { delivery, describeEngines, mac, options, registered, runOn, secret, signedAt } from './helpers.ts';

const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 });

/** Flips at least one bit of one element. */
function flip(values: Uint8Array, at: number, mask: number): Uint8Array {
  const changed = values.slice();
  const index = at % values.length;
  changed[index] = (changed[index] ?? 0) ^ mask;
  return changed;
}

async function codeOf(body: Uint8Array, header: string, changes = {}): Promise<string | undefined> {
  return verifyWebhookSignature(delivery(body, header), { ...options, ...changes }).then(
    () => undefined,
    (error: unknown) => (error instanceof WebhookVerificationError ? error.code : 'another error'),
  );
}

/** A delivery, and ways to change it. */
const changed = fc.record({
  body: bytes,
  more: bytes,
  at: fc.nat(),
  mask: fc.integer({ min: 1, max: 255 }),
  timestamp: fc.integer({ min: 1, max: 999_999_999_999 }),
  digit: fc.constantFrom(...'0123456789abcdef'),
  other: fc.string({ minLength: 1 }),
});

describeEngines(() => {
  test('what is signed verifies, and not after a change of its body, time, signature or secret', async () => {
    await fc.assert(
      fc.asyncProperty(changed, async ({ body, more, at, mask, timestamp, digit, other }) => {
        const signature = mac(body);
        const header = `t=${signedAt},v1=${signature}`;
        const forged = [...signature].with(at % 64, digit).join('');
        fc.pre(timestamp !== signedAt && forged !== signature && other !== secret && other.trim() === other);
        const later = { now: () => timestamp * 1000 };
        expect(await codeOf(body, header)).toBeUndefined();
        expect([
          await codeOf(flip(body, at, mask), header),
          await codeOf(body.subarray(1), header),
          await codeOf(Buffer.concat([body, more]), header),
          await codeOf(body, `t=${timestamp},v1=${signature}`, later),
          await codeOf(body, `t=${signedAt},v1=${forged}`),
          await codeOf(body, header, { secret: other }),
        ]).toEqual(Array(6).fill('signature_mismatch'));
      }),
    );
  });
});

const whole = [`t=${signedAt}`, `v1=${'0'.repeat(64)}`, '__proto__=1'];
const fragment = fc.oneof(
  fc.constantFrom('t=', 'v1=', 'v0=', ',', ', ', '=', ' ', '\n', ...whole),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const fragments = fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join(''));
const header = fc.oneof(fragments, fc.string({ unit: 'binary' }));

test('no header makes anything but a rejection', async () => {
  await fc.assert(
    fc.asyncProperty(header, async (value) => {
      const result = await safeVerifyWebhook(delivery(registered(), value), options);
      expect(result).toMatchObject({ ok: false, error: { name: 'WebhookVerificationError', status: 400 } });
    }),
    { numRuns: numRuns(1000) },
  );
});

/** The grammar of `X-Cbt-Signature` written a second time, entry by entry. */
function isWellFormed(value: string): boolean {
  const entries = value.split(',').map((entry, index) => (index === 0 ? entry : entry.replace(/^ +/, '')));
  const of = (name: string) =>
    entries.filter((entry) => entry.startsWith(`${name}=`)).map((entry) => entry.slice(name.length + 1));
  return (
    value.length <= 2048 &&
    entries.every((entry) => entry.indexOf('=') > 0 && !/\s/.test(entry)) &&
    /^[1-9][0-9]{0,11}$/.test(of('t').join()) &&
    of('v1').length >= 1 &&
    of('v1').length <= 16 &&
    of('v1').every((digits) => /^[0-9a-f]{64}$/.test(digits))
  );
}

test('the code is header_malformed exactly where the grammar is broken', async () => {
  const some = ['t=0', 'a=b', 'a=b=c', 'v1x=1', 'a', '=', 'é=1', 'a=é'];
  const entry = fc.constantFrom(...some, ...whole.slice(0, 2), `v1=${'f'.repeat(63)}`);
  const separator = fc.constantFrom(',', ', ', ',  ', ' ,', ',\t', ';');
  const list = fc.array(fc.tuple(entry, separator), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(list, entry, async (before, last) => {
      const value = before.flat().join('') + last;
      const result = await safeVerifyWebhook(delivery(registered(), value), options);
      const code = result.ok ? undefined : result.error.code;
      expect(code === 'header_malformed').toBe(!isWellFormed(value));
    }),
    { numRuns: numRuns(2000) },
  );
});

test('a malformed, missing or stale header never reaches the cryptography', async () => {
  const createHmac = vi.fn(nodeCrypto.createHmac);
  const lookup = runOn({ ...nodeCrypto, createHmac });
  await fc.assert(
    fc.asyncProperty(header, async (value) => {
      fc.pre(!isWellFormed(value));
      await safeVerifyWebhook(delivery(registered(), value), options);
    }),
    { numRuns: numRuns(500) },
  );
  await safeVerifyWebhook({ body: registered(), headers: {} }, options);
  await safeVerifyWebhook(delivery(registered()), { ...options, now: () => 0 });
  expect(createHmac).not.toHaveBeenCalled();
  await safeVerifyWebhook(delivery(registered()), options);
  expect(createHmac).toHaveBeenCalledOnce();
  lookup.mockRestore();
});
