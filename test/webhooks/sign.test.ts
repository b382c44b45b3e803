import { expect, test } from 'vitest';
import { signedWebhook, signWebhook } from '../../src/testing/index.ts';
import { mac, secret, signedAt } from './helpers.ts';

test('signWebhook makes the documented header, for a string and bytes alike', () => {
  const expected = `t=${signedAt},v1=${mac('Zoë')}`;
  expect(signWebhook({ body: 'Zoë', secret, timestamp: signedAt })).toBe(expected);
  expect(signWebhook({ body: Buffer.from('Zoë'), secret, timestamp: signedAt })).toBe(expected);
});

test('the time is now unless it is given', () => {
  const before = Math.floor(Date.now() / 1000);
  const timestamp = Number(/^t=(\d+),/.exec(signWebhook({ body: '', secret }))?.[1]);
  expect(timestamp).toBeGreaterThanOrEqual(before);
  expect(timestamp).toBeLessThanOrEqual(Math.floor(Date.now() / 1000));
});

test('a signed delivery comes in the forms of each platform', async () => {
  const url = 'https://receiver.test/hooks/exams?x=1';
  const webhook = signedWebhook({ body: '{"a":"ë"}', secret, timestamp: signedAt, url });
  const { signature } = webhook;
  expect(signature).toBe(`t=${signedAt},v1=${mac('{"a":"ë"}')}`);

  const request = webhook.toRequest();
  expect(request).toMatchObject({ method: 'POST', url });
  expect(request.headers.get('x-cbt-signature')).toBe(signature);
  expect(await request.text()).toBe('{"a":"ë"}');
  expect(webhook.toRequest().bodyUsed).toBe(false);

  const headers = { 'content-type': 'application/json', 'x-cbt-signature': signature };
  expect(webhook.toNodeParts()).toEqual({ headers, body: Buffer.from('{"a":"ë"}') });

  const base64 = Buffer.from('{"a":"ë"}').toString('base64');
  expect(webhook.toLambdaV1()).toMatchObject({
    httpMethod: 'POST',
    path: '/hooks/exams',
    headers: { 'X-Cbt-Signature': signature },
    multiValueHeaders: { 'X-Cbt-Signature': [signature] },
    body: '{"a":"ë"}',
    isBase64Encoded: false,
  });
  expect(webhook.toLambdaV1({ base64: true })).toMatchObject({ body: base64, isBase64Encoded: true });
  expect(webhook.toLambdaV2()).toMatchObject({
    version: '2.0',
    rawPath: '/hooks/exams',
    headers,
    requestContext: { http: { method: 'POST', path: '/hooks/exams' } },
    body: '{"a":"ë"}',
    isBase64Encoded: false,
  });
  expect(webhook.toLambdaV2({ base64: true })).toMatchObject({ body: base64, isBase64Encoded: true });
});

test('headers can be added and replaced', () => {
  const headers = { 'X-Cbt-Signature': 'forged', 'X-Trace': '1' };
  const webhook = signedWebhook({ body: '', secret, headers });
  expect(webhook.toNodeParts().headers).toMatchObject({ 'x-cbt-signature': 'forged', 'x-trace': '1' });
});

test.each(['X-Cbt-Signature', 'x-cbt-signature'])('a forged %s replaces the right one everywhere', (name) => {
  const webhook = signedWebhook({ body: '', secret, headers: { [name]: 'forged' } });
  expect(webhook.toRequest().headers.get('x-cbt-signature')).toBe('forged');
  expect(webhook.toNodeParts().headers).toMatchObject({ 'x-cbt-signature': 'forged' });
  const { headers } = webhook.toLambdaV1();
  expect(headers).toEqual({ 'Content-Type': 'application/json', [name]: 'forged' });
});
