import { describe, expect, test } from 'vitest';
import {
  ConfigurationError,
  DeduplicationStoreError,
  explainWebhookFailure,
  safeVerifyWebhook,
  WebhookVerificationError,
  webhookEventSchema,
} from '../../src/webhooks/index.ts';
import { completed, mac, options, secret, signedAt } from './helpers.ts';

const sent = JSON.stringify({ ...completed, name: 'Zoë' });
const headers = (text: string | Uint8Array = sent) => ({
  'x-cbt-signature': `t=${signedAt},v1=${mac(text)}`,
});

/** The changes that would make what arrived be what was signed. */
async function changesTo(arrived: string | Uint8Array, signed: string | Uint8Array, more: object = {}) {
  const input = { body: arrived, headers: headers(signed) };
  return (await explainWebhookFailure(input, { ...options, ...more })).changes;
}

describe('finds', () => {
  test.each<[what: string, arrived: string | Uint8Array, signed: string | Uint8Array, change: string]>([
    ['whitespace around the body', `\t ${sent}\r\f`, sent, 'the body had no newline or space around it'],
    [
      'JSON with escapes that was serialised again, with a character at the end of ASCII',
      '{"a":"\u007Fé"}',
      String.raw`{"a":"${'\u007F'}\u00e9"}`,
      'the body were as it was sent, not parsed and serialised again',
    ],
  ])('%s', async (_, arrived, signed, change) => {
    expect(await changesTo(arrived, signed)).toEqual([change]);
  });

  test('a secret that is padded, though a function gives it', async () => {
    expect(await changesTo(sent, sent, { secret: () => `${secret} ` })).toEqual([
      'the secret had no whitespace around it',
    ]);
  });
});

test('a body of nothing but whitespace has no explanation', async () => {
  expect(await changesTo(' \n ', sent)).toEqual([]);
});

describe('the likely cause', () => {
  const messageOf = async (body: string | Uint8Array, more: object = {}) =>
    (await explainWebhookFailure({ body, headers: headers('other') }, { ...options, ...more })).message;

  test('is a secret that is not set only where none is', async () => {
    expect(await messageOf(sent, { secret: [''] })).toContain('no secret is set');
    expect(await messageOf(sent, { secret: ['', secret] })).not.toContain('no secret is set');
  });

  test('is not the clock where it is just within the tolerance', async () => {
    for (const [skew, isTold] of [
      [300, false],
      [301, true],
      [-301, true],
    ] as const) {
      const message = await messageOf(sent, { now: () => (signedAt + skew) * 1000 });
      expect(message.includes('It would also be rejected unless the clock were')).toBe(isTold);
    }
  });
});

describe('an error', () => {
  const rejectionOf = async (header: string, more: object = {}) => {
    const request = new Request('https://receiver.test/', {
      method: 'POST',
      body: sent,
      headers: { 'x-cbt-signature': header },
    });
    const result = await safeVerifyWebhook(request, { ...options, ...more });
    if (result.ok) throw new Error('The delivery is not rejected.');
    return result.error;
  };

  test('that you made yourself is explained by its message', async () => {
    const error = new WebhookVerificationError('header_missing', 'There is no header.');
    expect(await explainWebhookFailure(error, options)).toEqual({
      code: 'header_missing',
      changes: [],
      message: 'There is no header.',
    });
  });

  test('from before the body was read is explained by its header alone', async () => {
    const unread = 'The body was not read, so the signature was not checked.';
    const stale = await rejectionOf(`t=${signedAt - 400},v1=${mac(sent)}`);
    expect(await explainWebhookFailure(stale, options)).toEqual({
      code: 'timestamp_too_old',
      changes: ['the clock were 400 s earlier'],
      message: `It is rejected unless the clock were 400 s earlier. ${unread}`,
    });
    const large = await rejectionOf(`t=${signedAt},v1=${mac(sent)}`, { maxBodyBytes: 10 });
    expect(await explainWebhookFailure(large, options)).toEqual({
      code: 'body_too_large',
      changes: [],
      message: `The body is longer than 10 bytes. ${unread}`,
    });
  });
});

test('a secret of nothing but quotes is tried as far as it can be', async () => {
  expect(await changesTo(sent, 'other', { secret: '""' })).toEqual([]);
});

test.each(['', ' ', 'undefined', undefined])('a secret that is not set, %j, is not tried', async (unset) => {
  for (const key of ['undefined', 'whsec_', 'whsec_undefined']) {
    const signature = `t=${signedAt},v1=${mac(sent, `${signedAt}`, key)}`;
    const input = { body: sent, headers: { 'x-cbt-signature': signature } };
    const { changes } = await explainWebhookFailure(input, {
      ...options,
      secret: 'whsec_1',
      otherSecrets: [unset as string],
    });
    expect(changes).toEqual([]);
  }
});

test('the schema of events says where a payload differs', async () => {
  const result = await webhookEventSchema['~standard'].validate({ ...completed, created_at: 5 });
  expect(result.issues).toEqual([{ path: ['created_at'], message: 'is not as documented' }]);
  const atRoot = await webhookEventSchema['~standard'].validate('an event');
  expect(atRoot.issues).toEqual([{ path: [], message: 'is not as documented' }]);
});

describe('says that a handler failed, not that a delivery was rejected, for', () => {
  test.each<[what: string, failure: unknown]>([
    ['an error', new Error('the database is away')],
    ['an error with headers, as HTTP libraries throw', Object.assign(new Error('502'), { headers: {} })],
    ['an error of the store', new DeduplicationStoreError('claim', 'failed')],
    ['a time limit', new DOMException('The handler took longer than 5 ms.', 'TimeoutError')],
    ['nothing', undefined],
    ['null', null],
    ['a string', 'broken'],
    ['an object without headers', { status: 500 }],
  ])('%s', async (_, failure) => {
    expect(await explainWebhookFailure(failure as never, options)).toEqual({
      code: undefined,
      changes: [],
      message:
        'This is neither a rejection nor a delivery with headers: the handler failed, or something around it.',
    });
  });

  test('any error but that of a set-up at fault, which says itself what to change', async () => {
    const failure = new ConfigurationError('The `secret` function failed; see `cause`.');
    expect(await explainWebhookFailure(failure as never, options)).toEqual({
      code: 'configuration',
      changes: [],
      message: failure.message,
    });
  });
});
