import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { signedWebhook } from '../../src/testing/index.ts';
import {
  ConfigurationError,
  DeduplicationStoreError,
  explainWebhookFailure,
  safeVerifyWebhook,
  WebhookVerificationError,
  webhookEventSchema,
} from '../../src/webhooks/index.ts';
import { completed, describeEngines, mac, options, secret, signedAt } from './helpers.ts';

const sent = JSON.stringify({ ...completed, name: 'Zoë' });
const headers = (text: string | Uint8Array = sent) => ({
  'x-cbt-signature': `t=${signedAt},v1=${mac(text)}`,
});

/** The changes that would make what arrived be what was signed. */
async function changesTo(arrived: string | Uint8Array, signed: string | Uint8Array, more: object = {}) {
  const input = { body: arrived, headers: headers(signed) };
  return (await explainWebhookFailure(input, { ...options, ...more })).changes;
}

const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

describe('finds', () => {
  test.each<[what: string, arrived: string | Uint8Array, signed: string | Uint8Array, change: string]>([
    ['whitespace around the body', `\t ${sent}\r\f`, sent, 'the body had no newline or space around it'],
    [
      'a byte order mark that was dropped before a letter that begins like one',
      `\uFF71${sent}`,
      bytes([0xef, 0xbb, 0xbf], `\uFF71${sent}`),
      'the body had its byte order mark',
    ],
    [
      'line ends that were changed behind a byte order mark',
      bytes([0xef, 0xbb, 0xbf], '{\r\n}'),
      bytes([0xef, 0xbb, 0xbf], '{\n}'),
      'the body had LF in place of CRLF',
    ],
    [
      'base64 of the alphabet for URLs',
      Buffer.from(`${sent}>>>???ÿÿÿ`).toString('base64url'),
      `${sent}>>>???ÿÿÿ`,
      'the body were decoded from base64',
    ],
    [
      'base64 in lines',
      `${Buffer.from(sent).toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n`,
      sent,
      'the body were decoded from base64',
    ],
    [
      'UTF-8 that was read as Latin-1',
      Buffer.from(sent).toString('latin1'),
      sent,
      'the body had not been decoded as Latin-1',
    ],
    [
      'JSON with escapes that was serialised again, with a character at the end of ASCII',
      '{"a":"\u007Fé"}',
      String.raw`{"a":"${'\u007F'}\u00e9"}`,
      'the body were as it was sent, not parsed and serialised again',
    ],
    [
      'a body of 4 MiB that gzip compressed',
      gzipSync(Buffer.alloc(4 * 1_048_576, 'x')),
      Buffer.alloc(4 * 1_048_576, 'x'),
      'the body were decompressed from gzip',
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

describe('does not take for an explanation', () => {
  test.each<[what: string, arrived: string | Uint8Array, signed: string | Uint8Array]>([
    ['gzip that is cut off, though its contents came', gzipSync(sent).subarray(0, -8), sent],
    ['gzip of more than 4 MiB', gzipSync(Buffer.alloc(4_194_305, 'x')), Buffer.alloc(4_194_305, 'x')],
    ['a body of nothing but whitespace', ' \n ', sent],
  ])('%s', async (_, arrived, signed) => {
    expect(await changesTo(arrived, signed)).toEqual([]);
  });
});

describe('the likely cause', () => {
  const messageOf = async (body: string | Uint8Array, more: object = {}) =>
    (await explainWebhookFailure({ body, headers: headers('other') }, { ...options, ...more })).message;

  test('is gzip only where both of its first bytes are there', async () => {
    expect(await messageOf(gzipSync('damaged').subarray(0, 9))).toContain('compressed with gzip');
    expect(await messageOf(bytes([0x1f], 'damaged'))).not.toContain('gzip');
    expect(await messageOf(bytes([0x41, 0x8b], 'damaged'))).not.toContain('gzip');
  });

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
      expect(message.includes('It would also be refused unless the clock were')).toBe(isTold);
    }
  });
});

describe('a header', () => {
  test.each([
    ['no timestamp', `v1=${mac(sent)}`],
    ['no signature', `t=${signedAt}`],
    ['a date in place of the seconds', `t=2026-11-23T08:00:00Z,v1=${mac(sent)}`],
    ['a date in words', `t=23 Nov 2026, v1=${mac(sent)}`],
    ['a fraction of a second', `t=${signedAt}.5,v1=${mac(sent)}`],
    ['a timestamp in hexadecimal digits', `t=65a1bc00,v1=${mac(sent)}`],
    ['a token of another length', `t=${signedAt},v1=${'A'.repeat(50)}`],
  ])('with %s is told as one that holds nothing to compare', async (_, value) => {
    const explanation = await explainWebhookFailure(
      { body: sent, headers: { 'x-cbt-signature': value } },
      options,
    );
    expect(explanation).toEqual({
      code: 'header_malformed',
      changes: [],
      message: 'X-Cbt-Signature holds no timestamp and signature: is it dropped or rewritten on the way?',
    });
  });

  test.each([
    ['besides another key that ends like t', `sent-t=5,t=${signedAt},v1=${mac(sent)}`],
    ['besides a value that looks like one', `of=t=5,t=${signedAt},v1=${mac(sent)}`],
    ['in quotation marks, before a key', `t="${signedAt}" v1="${mac(sent)}"`],
    ['before a semicolon', `v1=${mac(sent)}; t=${signedAt} ;`],
    ['at the end of a value in quotation marks', `"v1=${mac(sent)},t=${signedAt}"`],
    ['before an ampersand', `t=${signedAt}&v1=${mac(sent)}`],
  ])('has its timestamp found %s', async (_, value) => {
    const input = { body: `${sent}\n`, headers: { 'x-cbt-signature': value } };
    expect((await explainWebhookFailure(input, options)).changes).toContain(
      'the body had no newline or space around it',
    );
  });
});

describe('an error', () => {
  const refusal = async (header: string, more: object = {}) => {
    const request = new Request('https://receiver.test/', {
      method: 'POST',
      body: sent,
      headers: { 'x-cbt-signature': header },
    });
    const result = await safeVerifyWebhook(request, { ...options, ...more });
    if (result.ok) throw new Error('The delivery is not refused.');
    return result.error;
  };

  test('of a body that was consumed says so', async () => {
    const error = new WebhookVerificationError('body_not_raw', 'The body must be raw.');
    expect(await explainWebhookFailure(error, options)).toEqual({
      code: 'body_not_raw',
      changes: [],
      message: 'The body must be raw.',
    });
  });

  test('of your own making is told by its message', async () => {
    const error = new WebhookVerificationError('header_missing', 'There is no header.');
    expect(await explainWebhookFailure(error, options)).toEqual({
      code: 'header_missing',
      changes: [],
      message: 'There is no header.',
    });
  });

  test('from before the body was read is explained by its header alone', async () => {
    const unread = 'The body was not read, so the signature was not checked.';
    const stale = await refusal(`t=${signedAt - 400},v1=${mac(sent)}`);
    expect(await explainWebhookFailure(stale, options)).toEqual({
      code: 'timestamp_too_old',
      changes: ['the clock were 400 s earlier'],
      message: `It is refused unless the clock were 400 s earlier. ${unread}`,
    });
    const inBase64 = Buffer.from(mac(sent), 'hex').toString('base64');
    const twice = await refusal(`t=${signedAt}000,v1=${inBase64}`);
    const changes = [
      'the signature were in hexadecimal digits, not in base64',
      't were in seconds instead of milliseconds',
    ];
    expect(await explainWebhookFailure(twice, options)).toMatchObject({
      changes,
      message: `It is refused unless ${changes.join(', and ')}. ${unread}`,
    });
    const large = await refusal(`t=${signedAt},v1=${mac(sent)}`, { maxBodyBytes: 10 });
    expect(await explainWebhookFailure(large, options)).toEqual({
      code: 'body_too_large',
      changes: [],
      message: `The body is longer than 10 bytes. ${unread}`,
    });
  });
});

describeEngines(() => {
  test('a secret of nothing but quotes is tried as far as it can be', async () => {
    expect(await changesTo(sent, 'other', { secret: '""' })).toEqual([]);
  });
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

test('a delivery signed by the testing helper needs no explanation', async () => {
  const request = signedWebhook({ body: sent, secret, timestamp: signedAt }).toRequest();
  expect(await explainWebhookFailure(request, options)).toMatchObject({ code: undefined, changes: [] });
});

describe('says that a handler failed, not that a delivery was refused, for', () => {
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
        'This is no refusal, and no delivery with headers: the handler failed, or something around it.',
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
