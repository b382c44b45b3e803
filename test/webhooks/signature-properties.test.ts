import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifyWebhookSignature, WebhookVerificationError } from '../../src/webhooks/index.ts';
import { delivery, describeEngines, mac, options, secret, signedAt } from './helpers.ts';

const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 });

/** Flips at least one bit of one element. */
function flip(values: Uint8Array, at: number, mask: number): Uint8Array {
  const changed = values.slice();
  const index = at % values.length;
  changed[index] = (changed[index] ?? 0) ^ mask;
  return changed;
}

async function reasonOf(body: Uint8Array, header: string, changes = {}): Promise<string | undefined> {
  return verifyWebhookSignature(delivery(body, header), { ...options, ...changes }).then(
    () => undefined,
    (error: unknown) => (error instanceof WebhookVerificationError ? error.reason : 'another error'),
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
        fc.pre(timestamp !== signedAt && forged !== signature);
        // What is rejected as a secret before it is tried.
        fc.pre(other !== secret && other.trim() === other && !/^(["'`]).*\1$/.test(other));
        const later = { now: () => timestamp * 1000 };
        expect(await reasonOf(body, header)).toBeUndefined();
        expect([
          await reasonOf(flip(body, at, mask), header),
          await reasonOf(body.subarray(1), header),
          await reasonOf(Buffer.concat([body, more]), header),
          await reasonOf(body, `t=${timestamp},v1=${signature}`, later),
          await reasonOf(body, `t=${signedAt},v1=${forged}`),
          await reasonOf(body, header, { secret: other }),
        ]).toEqual(Array(6).fill('signature_mismatch'));
      }),
    );
  });
});
