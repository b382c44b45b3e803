import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import {
  explainWebhookFailure,
  safeVerifyWebhook,
  verifyWebhookSignature,
  type WebhookInput,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts';
import { rejection } from '../helpers/client.ts';
import { aged, body, completed, delivery, mac, options, secret, signedAt } from './helpers.ts';

const header = `t=${signedAt},v1=${mac(body)}`;

async function rejectionOf(input: WebhookInput): Promise<WebhookVerificationError> {
  const result = await safeVerifyWebhook(input, options);
  if (result.ok) throw new Error('The delivery is not rejected.');
  return result.error;
}

test('an error has the headers of its delivery, and the bytes that were read', async () => {
  const input = delivery(`${body} `, header);
  const mismatch = await rejectionOf(input);
  expect(mismatch.headers).toBe(input.headers);
  expect(new TextDecoder().decode(mismatch.body ?? undefined)).toBe(`${body} `);
  const old = aged(301);
  const stale = await rejectionOf(old);
  expect(stale.headers).toBe(old.headers);
  expect(stale.body).toBeNull();
  expect((await rejectionOf(delivery('{}'))).body).toEqual(Uint8Array.of(0x7b, 0x7d));
});

test('an error of your own making has neither', () => {
  const { headers, body: bytes } = new WebhookVerificationError('header_missing', 'of another check');
  expect([headers, bytes]).toEqual([null, null]);
});

test('printing an error shows nothing of its delivery', async () => {
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
  for (const kept of ['P-0001', mac(body), 'key-of-a-proxy']) expect(printed).not.toContain(kept);
});

test('neither rejections nor explanations show the secret, the right signature or the payload', async () => {
  const notes = 'a very private note';
  const text = JSON.stringify({ ...completed, data: { ...completed.data, notes, score: notes } });
  const right = `t=${signedAt},v1=${mac(text)}`;
  const shown: unknown[] = [];
  const rejected = [
    delivery(text),
    delivery(`${text} `, right),
    delivery(text, `${right},`),
    delivery(text.slice(1)),
    delivery(Buffer.from(`${text}\xff`, 'latin1')),
    { body: JSON.parse(text), headers: delivery(text).headers },
  ];
  for (const input of rejected) {
    const result = await safeVerifyWebhook(input, options);
    const wrong = { ...options, secret: `${secret}\n`, otherSecrets: [secret] };
    for (const given of [options, wrong]) shown.push(await explainWebhookFailure(input, given));
    shown.push(result);
    if (!result.ok) shown.push(result.error.message, result.error.stack);
  }
  shown.push(await rejection(verifyWebhookSignature(delivery(text), { ...options, secret: ` ${secret}` })));
  for (const value of shown) {
    const printed = `${inspect(value, { depth: null, showHidden: true })} ${JSON.stringify(value)} ${String(value)}`;
    for (const kept of [secret, mac(text), notes, 'P-0001', 'ana@example.test'])
      expect(printed).not.toContain(kept);
  }
});
