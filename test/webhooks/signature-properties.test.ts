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

const position = fc.nat();
const mask = fc.integer({ min: 1, max: 255 });

async function codeOf(body: Uint8Array, header: string, changes = {}): Promise<string | undefined> {
  return verifyWebhookSignature(delivery(body, header), { ...options, ...changes }).then(
    () => undefined,
    (error: unknown) => (error instanceof WebhookVerificationError ? error.code : 'another error'),
  );
}

describeEngines(() => {
  test('what is signed verifies', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, async (body) => {
        expect(await codeOf(body, `t=${signedAt},v1=${mac(body)}`)).toBeUndefined();
      }),
    );
  });

  test('a change of any byte of the body is rejected', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, position, mask, async (body, at, bits) => {
        expect(await codeOf(flip(body, at, bits), `t=${signedAt},v1=${mac(body)}`)).toBe(
          'signature_mismatch',
        );
      }),
    );
  });

  test('a body that is longer or shorter is rejected', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, bytes, async (body, more) => {
        const header = `t=${signedAt},v1=${mac(body)}`;
        expect(await codeOf(body.subarray(1), header)).toBe('signature_mismatch');
        expect(await codeOf(Buffer.concat([body, more]), header)).toBe('signature_mismatch');
      }),
    );
  });

  test('a change of any digit of the timestamp is rejected', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, fc.integer({ min: 1, max: 999_999_999_999 }), async (body, timestamp) => {
        fc.pre(timestamp !== signedAt);
        const code = await codeOf(body, `t=${timestamp},v1=${mac(body)}`, { now: () => timestamp * 1000 });
        expect(code).toBe('signature_mismatch');
      }),
    );
  });

  test('a change of any digit of the signature is rejected', async () => {
    await fc.assert(
      fc.asyncProperty(
        bytes,
        fc.nat({ max: 63 }),
        fc.constantFrom(...'0123456789abcdef'),
        async (body, at, digit) => {
          const signature = mac(body);
          fc.pre(signature[at] !== digit);
          const changed = signature.slice(0, at) + digit + signature.slice(at + 1);
          expect(await codeOf(body, `t=${signedAt},v1=${changed}`)).toBe('signature_mismatch');
        },
      ),
    );
  });

  test('a change of any character of the secret is rejected', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, fc.string({ minLength: 1 }), async (body, other) => {
        fc.pre(other !== secret && other.trim() === other);
        const header = `t=${signedAt},v1=${mac(body)}`;
        expect(await codeOf(body, header, { secret: other })).toBe('signature_mismatch');
      }),
    );
  });
});

const fragment = fc.oneof(
  fc.constantFrom(
    't=',
    'v1=',
    'v0=',
    ',',
    ', ',
    '=',
    ' ',
    '\n',
    `t=${signedAt}`,
    `v1=${'0'.repeat(64)}`,
    '__proto__=1',
  ),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const header = fc.oneof(
  fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
);

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
  const pairs = entries.map(
    (entry) => [entry.split('=', 1)[0] ?? '', entry.slice(entry.indexOf('=') + 1)] as const,
  );
  const of = (name: string) => pairs.filter(([key]) => key === name).map(([, rest]) => rest);
  return (
    value.length <= 2048 &&
    entries.every((entry) => entry.indexOf('=') > 0 && !/\s/.test(entry)) &&
    of('t').length === 1 &&
    of('t').every((digits) => /^[1-9][0-9]*$/.test(digits) && digits.length <= 12) &&
    of('v1').length >= 1 &&
    of('v1').length <= 16 &&
    of('v1').every((digits) => digits.length === 64 && /^[0-9a-f]+$/.test(digits))
  );
}

test('the code is header_malformed exactly where the grammar is broken', async () => {
  const entry = fc.constantFrom(
    ...[
      `t=${signedAt}`,
      `v1=${'0'.repeat(64)}`,
      `v1=${'f'.repeat(63)}`,
      't=0',
      'a=b',
      'a=b=c',
      'v1x=1',
      'a',
      '=',
      'é=1',
      'a=é',
    ],
  );
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
