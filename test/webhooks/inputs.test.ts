import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';
import { describe, expect, test, vi } from 'vitest';
import { type SignedWebhookOptions, signedWebhook } from '../../src/testing/index.ts';
import {
  ConfigurationError,
  createWebhookHandler,
  safeVerifyWebhook,
  verifyWebhook,
  verifyWebhookSignature,
  type WebhookInput,
  type WebhookParts,
} from '../../src/webhooks/index.ts';
import { failure, throwing } from '../helpers/client.ts';
import {
  delivery,
  describeEngines,
  mac,
  options,
  receiverOptions,
  registered,
  request,
  secret,
  signedAt,
} from './helpers.ts';

const body = registered({ name: 'Zoë 😀' });
const header = `t=${signedAt},v1=${mac(body)}`;
const bytes = new TextEncoder().encode(body);
const foreign = runInNewContext('(bytes) => new Uint8Array(bytes)');
const built: SignedWebhookOptions = { body, secret, timestamp: signedAt };

async function reasonOf(input: unknown): Promise<string | undefined> {
  const result = await safeVerifyWebhook(input as WebhookInput, options);
  return result.ok ? undefined : result.error.reason;
}

describeEngines(() => {
  const bodies: readonly (readonly [what: string, body: WebhookParts['body']])[] = [
    ['a string', body],
    ['a Uint8Array', bytes],
    ['a Buffer', Buffer.from(body)],
    ['a view into a larger buffer', new Uint8Array([0, ...bytes, 0]).subarray(1, -1)],
    ['an ArrayBuffer', bytes.slice().buffer],
    ['a Uint8Array of another realm', foreign(bytes)],
    ['an ArrayBuffer of another realm', foreign(bytes).buffer],
  ];
  test.each(bodies)('takes the body as %s', async (_, raw) => {
    const event = await verifyWebhook({ body: raw, headers: { 'x-cbt-signature': header } }, options);
    expect(event).toMatchObject({ event: 'exam_participant.registered', data: { name: 'Zoë 😀' } });
  });

  test('takes a Request whose bytes come from another realm', async () => {
    const steps = [{ done: false, value: foreign(bytes) }, { done: true }];
    const body = { getReader: () => ({ read: async () => steps.shift(), cancel: async () => {} }) };
    const headers = new Headers({ 'x-cbt-signature': header });
    const request = { arrayBuffer: throwing(new Error('not asked')), headers, bodyUsed: false, body };
    expect(await reasonOf(request)).toBeUndefined();
  });

  const headers: readonly (readonly [what: string, headers: WebhookParts['headers']])[] = [
    ['Headers', new Headers({ 'X-Cbt-Signature': header })],
    ['names in lower case', { 'x-cbt-signature': header }],
    ['names as sent', { 'X-Cbt-Signature': header }],
    ['names in upper case', { 'X-CBT-SIGNATURE': header }],
    ['a list of one', { 'x-cbt-signature': [header] }],
    ['an object without prototype', Object.assign(Object.create(null), { 'x-cbt-signature': header })],
    ['an undefined spelling beside it', { 'X-Cbt-Signature': undefined, 'x-cbt-signature': header }],
  ];
  test.each(headers)('takes the headers as %s', async (_, given) => {
    expect(await reasonOf({ body, headers: given })).toBeUndefined();
  });

  test('takes a Request, and Lambda events once their body is decoded', async () => {
    const webhook = signedWebhook(built);
    expect(await reasonOf(webhook.toRequest())).toBeUndefined();
    expect(await reasonOf(webhook.toNodeParts())).toBeUndefined();
    const { headers, body: sent } = webhook.toNodeParts();
    const event = { httpMethod: 'POST', headers, body: Buffer.from(sent).toString('base64') };
    expect(await reasonOf(event)).toBe('signature_mismatch');
    expect(await reasonOf({ ...event, body: Buffer.from(event.body, 'base64') })).toBeUndefined();
  });

  test('takes the event from the bytes that were signed, whatever becomes of the buffer that they came in', async () => {
    const shared = bytes.slice();
    const secretThen = async () => {
      shared.fill(0);
      return secret;
    };
    const given = { body: shared, headers: { 'x-cbt-signature': header } };
    const verified = await verifyWebhookSignature(given, { ...options, secret: secretThen });
    expect(verified.body).toEqual(bytes);
    const pooled = Buffer.from(body);
    const pending = verifyWebhook({ ...given, body: pooled }, options);
    pooled.fill(0);
    expect(await pending).toMatchObject({ data: { name: 'Zoë 😀' } });
  });

  test('verifies what PHP has encoded and signed', async () => {
    const file = new URL('../fixtures/webhooks/signed-by-php.json', import.meta.url);
    const { vectors } = JSON.parse(await readFile(file, 'utf8'));
    expect(vectors).toHaveLength(3);
    for (const vector of vectors) {
      const set = { secret: vector.secret, now: () => vector.timestamp * 1000 };
      const headers = { 'x-cbt-signature': vector.header };
      const input = { body: Buffer.from(vector.bodyHex, 'hex'), headers };
      const event = await verifyWebhook(input, set);
      expect(event).toEqual({ ...JSON.parse(vector.body), data: expect.any(Object) });
      expect(await verifyWebhook({ ...input, body: vector.body }, set)).toEqual(event);
      const { data } = JSON.parse(vector.body);
      expect(event.data).toEqual(Array.isArray(data) ? {} : data);
    }
  });
});

describe('a missing header', () => {
  const without: readonly (readonly [what: string, headers: unknown])[] = [
    ['there are none', {}],
    ['Headers have none', new Headers()],
    ['its list is empty', { 'x-cbt-signature': [] }],
    ['it is undefined', { 'x-cbt-signature': undefined }],
    ['it is null', { 'x-cbt-signature': null }],
    ['only the prototype has it', Object.create({ 'x-cbt-signature': header })],
    ['another name ends like it', { 'my-x-cbt-signature': header }],
  ];
  test.each(without)('is named when %s', async (_, headers) => {
    expect(await reasonOf({ body, headers })).toBe('header_missing');
  });
});

const twice = new Headers({ 'X-Cbt-Signature': header });
twice.append('X-Cbt-Signature', header);
test.each<[what: string, headers: unknown]>([
  ['twice in Headers', twice],
  ['twice in a list', { 'x-cbt-signature': [header, header] }],
  ['in two spellings', { 'x-cbt-signature': header, 'X-Cbt-Signature': header }],
  ['as a number', { 'x-cbt-signature': 5 }],
  ['as an object', { 'x-cbt-signature': {} }],
  ['as a truth value', { 'x-cbt-signature': true }],
])('a header that is there %s is malformed', async (_, headers) => {
  expect(await reasonOf({ body, headers })).toBe('header_malformed');
});

test('a header that came in two parts is joined as HTTP joins it', async () => {
  const [t, v1] = header.split(',');
  expect(await reasonOf({ body, headers: { 'x-cbt-signature': t, 'X-Cbt-Signature': v1 } })).toBeUndefined();
});

test.each([
  ['an object', JSON.parse(body)],
  ['a list', []],
  ['null', null],
  ['undefined', undefined],
  ['a number', 5],
  ['a stream', new ReadableStream()],
])('a body that is %s is not raw, and the message names the fix', async (_, parsed) => {
  const parts = { body: parsed, headers: { 'x-cbt-signature': header } } as WebhookParts;
  const message = expect.stringMatching(/^The body was parsed\. .*express\.raw.*rawBody: true/);
  const error = { reason: 'body_not_raw', status: 400, message };
  await expect(verifyWebhook(parts, options)).rejects.toMatchObject(error);
});

test('verifyWebhookSignature hands out the bytes and the time, and does not read the payload', async () => {
  const noEvent = '{"not": "an event"';
  const verified = await verifyWebhookSignature(delivery(noEvent), options);
  const sent = new TextEncoder().encode(noEvent);
  expect(verified).toEqual({ body: sent, signedAt: new Date(signedAt * 1000) });
  expect(await reasonOf(delivery(noEvent))).toBe('payload_invalid');
});

const isMissing = '`secret` is missing or empty: set EXAM_SERVICE_WEBHOOK_SECRET.';
const isPadded = '`secret` has spaces around it.';
const isNoText = '`secret` must be a string.';
const isQuoted = expect.stringMatching(/^`secret` is in quotes/);
const secrets: readonly (readonly [what: string, secret: unknown, message: unknown])[] = [
  ['empty', '', isMissing],
  ['blank', '  ', isMissing],
  ['padded in front', ` ${secret}`, isPadded],
  ['padded behind', `${secret}\n`, isPadded],
  ['padded with a no-break space', `\u00a0${secret}`, isPadded],
  ['missing', undefined, isMissing],
  ['null', null, isMissing],
  ['a number', 5, isNoText],
  ['bytes', Buffer.from(secret), isNoText],
  ['an empty list', [], '`secret` is missing or empty: set EXAM_SERVICE_WEBHOOK_SECRET.'],
  ['a list with an empty one', [secret, ''], isMissing],
  ['a list with a missing one', [secret, undefined], isMissing],
  ['a list with a padded one', [secret, `${secret} `], isPadded],
  ...['"', "'", '`'].map((mark) => [`in ${mark}`, `${mark}${secret}${mark}`, isQuoted] as const),
  ['of quotes alone', '""', isQuoted],
  ['a list with a quoted one', [secret, `"${secret}"`], isQuoted],
];
test.each(secrets)('a secret that is %s is a mistake in the set-up', async (_, given, message) => {
  const call = verifyWebhook(delivery(body), { ...options, secret: given as string });
  const error = await failure(call, ConfigurationError);
  expect(error).toMatchObject({ code: 'configuration', message });
  const onError = vi.fn();
  const create = (from: unknown) =>
    createWebhookHandler({ ...receiverOptions, secret: from as string, onError });
  expect(() => create(given)).toThrow(ConfigurationError);
  // The service delivers again.
  expect((await create(() => given)(request())).status).toBe(500);
  expect(onError.mock.calls).toMatchObject([[{ code: 'configuration', message }, {}]]);
});

test('a secret with a quotation mark at one end, or two that differ, is a secret', async () => {
  for (const odd of [`"${secret}`, `${secret}'`, `"${secret}'`, '"'])
    expect(createWebhookHandler({ ...receiverOptions, secret: odd })).toBeTypeOf('function');
});

test('a quoted secret in EXAM_SERVICE_WEBHOOK_SECRET is a mistake in the set-up', () => {
  vi.stubEnv('EXAM_SERVICE_WEBHOOK_SECRET', `"${secret}"`);
  expect(() => createWebhookHandler({ ...receiverOptions, secret: undefined })).toThrow('is in quotes');
});
