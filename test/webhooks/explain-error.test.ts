import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { signedWebhook } from '../../src/testing/index.ts';
import {
  createWebhookHandler,
  explainWebhookFailure,
  safeVerifyWebhook,
  type WebhookInput,
  type WebhookVerificationError,
} from '../../src/webhooks/index.ts';
import { completed, delivery, mac, options, secret, signedAt } from './helpers.ts';

const body = JSON.stringify({ ...completed, data: { ...completed.data, participant_code: 'Ana/1' } });
const header = `t=${signedAt},v1=${mac(body)}`;

async function rejectionOf(input: WebhookInput, more: object = {}): Promise<WebhookVerificationError> {
  const result = await safeVerifyWebhook(input, { ...options, ...more });
  if (result.ok) throw new Error('The delivery is not rejected.');
  return result.error;
}

test.each<[what: string, input: WebhookInput, secret: string, change: RegExp]>([
  ['a secret without its prefix', delivery(body), secret.slice('whsec_'.length), /secret had its prefix/],
  ['JSON serialised again', delivery(body, signedAsPhp()), secret, /serialised again/],
])('the error alone explains %s', async (_, input, given, change) => {
  const error = await rejectionOf(input, { secret: given });
  const explanation = await explainWebhookFailure(error, { secret: given });
  expect(explanation).toMatchObject({
    code: 'signature_mismatch',
    changes: [expect.stringMatching(change)],
    message: expect.stringMatching(/^The signature would be right if /),
  });
});

test('a prefix that the service does not sign with is explained, too', async () => {
  const bare = secret.slice('whsec_'.length);
  const signed = delivery(body, `t=${signedAt},v1=${mac(body, signedAt, bare)}`);
  const explanation = await explainWebhookFailure(signed, options);
  expect(explanation.changes).toEqual(['the secret had no prefix whsec_']);
});

/** The event as PHP signs it: its slash escaped. */
function signedAsPhp(): string {
  return `t=${signedAt},v1=${mac(body.replaceAll('/', '\\/'))}`;
}

test('JSON with a slash and a letter beyond ASCII is found as PHP wrote it', async () => {
  const text = JSON.stringify({ a: '/é試😀' });
  const sent = String.raw`{"a":"\/\u00e9\u8a66\ud83d\ude00"}`;
  const error = await rejectionOf(delivery(text, `t=${signedAt},v1=${mac(sent)}`));
  expect((await explainWebhookFailure(error, options)).changes).toEqual([
    'the body were as it was sent, not parsed and serialised again',
  ]);
});

test.each([undefined, '', ' ', 'undefined', 'null', [[]]])(
  'a secret that is %j is explained as not set',
  async (unset) => {
    const error = await rejectionOf(delivery(`${body} `, header));
    const explanation = await explainWebhookFailure(error, { secret: unset as string | undefined });
    expect(explanation.changes).toEqual([]);
    expect(explanation.message).toContain('no secret is set');
  },
);

test('the drift is that of the moment of the rejection, however late it is explained', async () => {
  const late = { now: () => (signedAt + 1_000) * 1000 };
  const error = await rejectionOf(delivery(body), late);
  expect(await explainWebhookFailure(error, { secret })).toMatchObject({
    code: 'timestamp_too_old',
    changes: ['the clock were 1000 s earlier'],
  });
  const mismatch = await rejectionOf(delivery(body), { secret: 'whsec_other' });
  const explanation = await explainWebhookFailure(mismatch, {
    secret: 'whsec_other',
    otherSecrets: [secret],
  });
  expect(explanation.changes).toEqual(['the secret were otherSecrets[0]']);
});

test('a body that was consumed and one that is empty are explained', async () => {
  const request = signedWebhook({ body, secret, timestamp: signedAt }).toRequest();
  await request.text();
  const consumed = await explainWebhookFailure(await rejectionOf(request), options);
  expect(consumed).toMatchObject({ code: 'body_not_raw', message: expect.stringContaining('express.raw()') });
  const empty = await explainWebhookFailure(await rejectionOf(delivery('', header)), options);
  expect(empty.message).toContain('the body is empty');
});

test('a payload at fault is named beside a signature that is right', async () => {
  const explanation = await explainWebhookFailure(await rejectionOf(delivery('{}')), options);
  expect(explanation).toMatchObject({ code: undefined, changes: [] });
  expect(explanation.message).toMatch(/^The signature is right as it is\. The payload is wrong at: /);
});

test('in onRejected the error is enough', async () => {
  const explained: unknown[] = [];
  const wrong = `${secret} other`;
  const handle = createWebhookHandler({
    ...options,
    onUnknown: () => {},
    secret: wrong,
    onRejected: async (error) => {
      explained.push(await explainWebhookFailure(error, { secret: wrong, otherSecrets: [secret] }));
    },
  });
  const response = await handle(signedWebhook({ body, secret, timestamp: signedAt }).toRequest());
  expect(response.status).toBe(400);
  await expect
    .poll(() => explained)
    .toEqual([expect.objectContaining({ changes: ['the secret were otherSecrets[0]'] })]);
});

describe('what the error carries', () => {
  test('headers always, and the bytes that were read', async () => {
    const input = delivery(`${body} `, header);
    const mismatch = await rejectionOf(input);
    expect(mismatch.headers).toBe(input.headers);
    expect(new TextDecoder().decode(mismatch.body)).toBe(`${body} `);
    const request = signedWebhook({ body, secret, timestamp: signedAt - 301 }).toRequest();
    const stale = await rejectionOf(request);
    expect(stale.headers).toBe(request.headers);
    expect(stale.body).toBeUndefined();
    expect((await rejectionOf(delivery('{}'))).body).toEqual(Uint8Array.of(0x7b, 0x7d));
  });

  test('is printed by nothing', async () => {
    const error = await rejectionOf({
      body: `${body} `,
      headers: { 'x-cbt-signature': header, authorization: 'Bearer key-of-a-proxy' },
    });
    const copy = structuredClone(error);
    const printed = [
      ...[error, copy].map((one) => inspect(one, { depth: 9, showHidden: true, getters: false })),
      ...[error, copy].flatMap((one) => [JSON.stringify(one), String(one), one.stack]),
      JSON.stringify({ ...error }),
      Object.getOwnPropertyNames(error).join(),
    ].join('\n');
    for (const kept of ['Ana/1', mac(body), 'key-of-a-proxy']) {
      expect(printed).not.toContain(kept);
    }
  });
});
