import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import {
  safeVerifyWebhook,
  verifyWebhookSignature,
  type WebhookParts,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts';
import { failure } from '../helpers/client.ts';
import { body, delivery, describeEngines, mac, options, secret, signedAt } from './helpers.ts';

const right = mac(body);
const wrong = '0'.repeat(64);
const t = `t=${signedAt}`;
const v1 = `v1=${right}`;
const clock = "(limit 300 s): check this machine's clock.";

interface Vector {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly now: number;
  readonly header: string | null;
  readonly body: string;
  readonly verdict: string;
  readonly source: string;
}

const published = createRequire(import.meta.url).resolve('exam-service-sdk/webhook-vectors.json');
const { vectors }: { vectors: readonly Vector[] } = JSON.parse(await readFile(published, 'utf8'));

const large: readonly (readonly [why: string, header: string])[] = [
  ['2,000 signatures', `${t},${v1}${`,v1=${wrong}`.repeat(1999)}`],
  ['2,000 other keys', `${t},${v1}${',a=1'.repeat(2000)}`],
  ['64 KiB of nothing', 'x'.repeat(65_536)],
];

const largeBodies: readonly (readonly [why: string, body: string | Uint8Array])[] = [
  ['64 KiB', 'a'.repeat(65_536)],
  ['10 MB', new Uint8Array(10_000_000).fill(120)],
];

async function reasonOf(input: ReturnType<typeof delivery>, changes = {}): Promise<string | undefined> {
  const result = await safeVerifyWebhook(input, { ...options, ...changes });
  return result.ok ? undefined : result.error.reason;
}

test('webhook-vectors.json holds over a hundred deliveries, each under a name of its own, and every verdict', () => {
  expect(vectors.length).toBeGreaterThan(100);
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
  const rejections = ['header_malformed', 'header_missing', 'signature_mismatch', 'timestamp_in_future'];
  const verdicts = new Set(vectors.map(({ verdict }) => verdict));
  expect([...verdicts].sort()).toEqual(['accepted', ...rejections, 'timestamp_too_old']);
});

/** What the service documents, to the letter: one form of the header, one secret, 300 seconds. */
function isDocumented({ header, secrets: [one], now, body: content }: Vector): boolean {
  const [, at = '', signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  return signature === mac(Buffer.from(content, 'base64'), at, one) && Math.abs(now - Number(at)) <= 300;
}

test('each verdict is of the interface, or of this package, which accepts more than the interface documents', () => {
  const sources = vectors.map(({ name, source }) => ({ name, source }));
  const expected = vectors.map((vector) => {
    const isSame = isDocumented(vector) === (vector.verdict === 'accepted');
    return { name: vector.name, source: isSame ? 'interface' : 'package' };
  });
  expect(sources).toEqual(expected);
  const own = vectors.filter(({ source }) => source === 'package');
  expect(own.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 18 }, () => 'accepted'));
});

describeEngines(() => {
  test.each(vectors)('$verdict: $name', async ({ secrets, now, header, body: content, verdict }) => {
    const headers = header === null ? {} : { 'X-Cbt-Signature': header };
    const input = { body: Buffer.from(content, 'base64'), headers };
    const verified = verifyWebhookSignature(input, { secret: secrets, now: () => now * 1000 });
    const outcome = await verified.catch((error: WebhookVerificationError) => error);
    expect('reason' in outcome ? outcome.reason : 'accepted').toBe(verdict);
  });

  test('reads a header of up to 2,048 characters', async () => {
    const padded = (length: number) => `${t},${v1},x=`.padEnd(length, 'y');
    expect(await reasonOf(delivery(body, padded(2_048)))).toBeUndefined();
    expect(await reasonOf(delivery(body, padded(2_049)))).toBe('header_malformed');
  });

  test.each(large)('rejects as malformed: %s', async (_, header) => {
    expect(await reasonOf(delivery(body, header))).toBe('header_malformed');
  });

  test.each(largeBodies)('verifies %s by its bytes', async (_, content) => {
    const verified = await verifyWebhookSignature(delivery(content), options);
    expect(verified.signedAt).toEqual(new Date(signedAt * 1000));
    expect(Buffer.from(verified.body).equals(Buffer.from(content))).toBe(true);
    const changed = Buffer.concat([Buffer.from(content), Buffer.from(' ')]);
    const rejected = verifyWebhookSignature(delivery(changed, `${t},v1=${mac(content)}`), options);
    await expect(rejected).rejects.toMatchObject({ reason: 'signature_mismatch', status: 400 });
  });

  test('the clock is read in whole seconds', async () => {
    const late = (signedAt + 300) * 1000 + 999;
    expect(await reasonOf(delivery(body), { now: () => late })).toBeUndefined();
    expect(await reasonOf(delivery(body), { now: () => late + 1 })).toBe('timestamp_too_old');
  });

  test('a tolerance of 0 accepts the same second only', async () => {
    expect(await reasonOf(delivery(body), { toleranceSeconds: 0 })).toBeUndefined();
    const changes = { toleranceSeconds: 0, now: () => (signedAt + 1) * 1000 };
    expect(await reasonOf(delivery(body), changes)).toBe('timestamp_too_old');
  });

  test('a clock that is not a number accepts nothing', async () => {
    expect(await reasonOf(delivery(body), { now: () => Number.NaN })).toBe('timestamp_too_old');
  });

  test('each of several secrets is tried with each signature', async () => {
    const rotation = { secret: ['whsec_next', secret] };
    expect(await reasonOf(delivery(body, `${t},v1=${wrong},${v1}`), rotation)).toBeUndefined();
  });

  test('a rejection is an error of this package, with a stack', async () => {
    const call = verifyWebhookSignature(delivery(body, ''), options);
    const error = await failure(call, WebhookVerificationError);
    expect(error).toMatchObject({
      name: 'WebhookVerificationError',
      reason: 'header_malformed',
      status: 400,
    });
    expect(error.stack).toContain('\n    at ');
  });
});

test.each<[reason: string, input: WebhookParts, message: string, skewSeconds?: number | null]>([
  [
    'signature_mismatch',
    delivery(body, `${t},v1=${wrong}`),
    "`secret` is not this endpoint's, or the body was changed.",
  ],
  ['header_missing', { body, headers: {} }, 'X-Cbt-Signature is missing: does a proxy drop it?'],
  ['header_malformed', delivery(body, v1), 'X-Cbt-Signature must be t=<unix seconds>,v1=<64 hex digits>.'],
  [
    'timestamp_too_old',
    delivery(body, `t=${signedAt - 301},${v1}`),
    `The delivery is 301 s old ${clock}`,
    301,
  ],
  [
    'timestamp_in_future',
    delivery(body, `t=${signedAt + 400},${v1}`),
    `The delivery is 400 s early ${clock}`,
    -400,
  ],
])('the message of %s says what to look at', async (reason, input, message, skewSeconds = null) => {
  const error = { reason, status: 400, message, skewSeconds };
  expect(await safeVerifyWebhook(input, options)).toMatchObject({ ok: false, event: null, error });
});
