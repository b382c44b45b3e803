import { beforeEach, describe, expect, test, vi } from 'vitest';
import { signedWebhook } from '../../src/testing/index.ts';
import {
  ConfigurationError,
  createWebhookHandler,
  DeduplicationStoreError,
  type ExplainOptions,
  explainWebhookFailure,
  safeVerifyWebhook,
  type WebhookFailureExplanation,
  type WebhookInput,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts';
import { throwing } from '../helpers/client.ts';
import { never } from '../helpers/gate.ts';
import { completed, delivery, mac, options, secret, signedAt, streaming } from './helpers.ts';

/** As PHP writes it by default: slashes and everything beyond ASCII escaped. */
const sent = String.raw`{"event":"exam_result.scored","created_at":"2025-03-01T09:45:13+07:00","data":{"name":"Zo\u00eb \/ \u2116 1"}}`;
const parsed = JSON.parse(sent);
const plain = JSON.stringify(completed);
const mixed = JSON.stringify({ a: '/é試😀' });
const bare = secret.slice('whsec_'.length);

/** What arrives, unless it is what was sent; what was signed, and with which key; and the options that differ. */
interface Case extends ExplainOptions {
  readonly arrived?: unknown;
  readonly signed?: string | Uint8Array;
  readonly key?: string;
  readonly header?: string;
}

function inputOf({ arrived = sent, signed = sent, key = secret, header }: Case) {
  const right = `t=${signedAt},v1=${mac(signed, signedAt, key)}`;
  return { body: arrived, headers: { 'x-cbt-signature': header ?? right } };
}

function optionsOf({ arrived: _, signed: __, key: ___, header: ____, ...more }: Case): ExplainOptions {
  return { ...options, ...more };
}

const explain = (given: Case) => explainWebhookFailure(inputOf(given) as WebhookInput, optionsOf(given));

async function rejectionOf(input: WebhookInput, more: object = {}): Promise<WebhookVerificationError> {
  const result = await safeVerifyWebhook(input, { ...options, ...more });
  if (result.ok) throw new Error('The delivery is not rejected.');
  return result.error;
}

const skewedBy = (seconds: number) => () => (signedAt + seconds) * 1000;
/** What is said of a body whose bytes are lost. */
const lost = (what: string) =>
  `The body was ${what}. Pass the raw bytes: express.raw({ type: '*/*' }) before express.json(), rawBody: true in NestJS.`;
const serialised = 'The body was parsed and serialised again: pass the raw bytes.';
const gained = 'The body gained whitespace around it.';
const padded = 'Your `secret` has whitespace around it.';
const quoted = 'Your `secret` has quotes around it.';
const clock = (off: string) => `The delivery is ${off} (limit 300 s): check this machine's clock.`;
const old = (seconds: number) => clock(`${seconds} s old`);
/** As PHP writes what JavaScript writes as it is. */
const slash = String.raw`\/`;
const letters = String.raw`\u00e9\u8a66\ud83d\ude00`;

describe('names the mistakes that explain a rejection', () => {
  const cases: readonly (readonly [what: string, given: Case, changes: string | readonly string[]])[] = [
    ['a body that was parsed', { arrived: parsed }, lost('parsed')],
    ['a body that was parsed, of plain JSON', { arrived: completed, signed: plain }, lost('parsed')],
    ['one, and a quoted secret', { arrived: parsed, secret: `"${secret}"` }, [lost('parsed'), quoted]],
    [
      'one, and a slow clock',
      { arrived: parsed, now: skewedBy(-400) },
      [lost('parsed'), clock('400 s early')],
    ],
    ['a body that was serialised again', { arrived: JSON.stringify(parsed) }, serialised],
    ['a body that was pretty-printed', { arrived: JSON.stringify(parsed, null, 2) }, serialised],
    ['plain JSON that was', { arrived: JSON.stringify(completed, null, 4), signed: plain }, serialised],
    ['slashes that were escaped', { arrived: mixed, signed: `{"a":"${slash}é試😀"}` }, serialised],
    ['letters that were escaped', { arrived: mixed, signed: `{"a":"/${letters}"}` }, serialised],
    ['both, as PHP writes them', { arrived: mixed, signed: `{"a":"${slash}${letters}"}` }, serialised],
    ['the end of ASCII', { arrived: '{"a":"\u007Fé"}', signed: '{"a":"\u007F\\u00e9"}' }, serialised],
    ['a newline', { arrived: `${sent}\n` }, gained],
    ['a newline of Windows', { arrived: `${sent}\r\n` }, gained],
    ['whitespace on both sides', { arrived: `\t ${sent}\r\f` }, gained],
    ['a newline that is gone', { signed: `${sent}\n` }, 'The body lost a newline at its end.'],
    ['a padded secret', { secret: `${secret}\n` }, padded],
    ['a padded secret beside another', { secret: ['whsec_other', `${secret}\n`] }, padded],
    ['a padded secret that a function gives', { secret: () => `${secret} ` }, padded],
    ['a quoted secret', { secret: `"${secret}"` }, quoted],
    ['a quoted secret beside another', { secret: ['whsec_other', `'${secret}'`] }, quoted],
    ['a secret in backticks', { secret: `\`${secret}\`` }, quoted],
    ['a secret cut short', { secret: bare }, 'Your `secret` lacks the prefix `whsec_`.'],
    ['a prefix too many', { key: bare }, 'Your `secret` has the prefix `whsec_`, which is not signed with.'],
    [
      'the secret of another endpoint',
      { secret: 'whsec_wrong', otherSecrets: ['whsec_third', secret] },
      'The delivery is signed with otherSecrets[1].',
    ],
    [
      'the secret of another endpoint, padded',
      { secret: 'whsec_wrong', otherSecrets: [` ${secret}`] },
      ['The delivery is signed with otherSecrets[0].', 'otherSecrets[0] has whitespace around it.'],
    ],
    ['a clock that is fast', { now: skewedBy(7_200) }, old(7_200)],
    ['a clock that is slow', { now: skewedBy(-400) }, clock('400 s early')],
    ['a clock that is no number', { now: () => Number.NaN }, clock('NaN s old')],
    [
      'several mistakes together',
      { arrived: JSON.stringify(parsed), secret: `${secret} `, now: skewedBy(1_000) },
      [padded, serialised, old(1_000)],
    ],
  ];

  test.each(cases)('%s', async (_, given, expected) => {
    const changes = [expected].flat();
    const explanation = await explain(given);
    expect(explanation).toEqual({ reason: expect.any(String), changes, message: changes.join(' ') });
  });

  const isOne = ({ arrived, secret: one }: Case) => !Object(arrived).event && !/[\s"'`]/.test(String(one));
  const verifiable = cases.filter(([, given]) => isOne(given));
  test.each(verifiable)('%s, by the error alone, however late', async (_, given, expected) => {
    const input = inputOf(given) as WebhookInput;
    const { now, secret: one = secret, otherSecrets } = given;
    const error = await rejectionOf(input, { now: now ?? options.now, secret: one });
    const explanation = await explainWebhookFailure(error, { secret: one, otherSecrets });
    expect(explanation).toMatchObject({ reason: error.reason, changes: [expected].flat() });
  });
});

describe('says what else it is, where no usual mistake explains it', () => {
  const unexplained =
    'No usual mistake explains the signature: the secret belongs to another endpoint, or the body was rewritten.';
  const empty = 'The body is empty: something read it before the receiver.';
  const unset = 'No secret is set: is EXAM_SERVICE_WEBHOOK_SECRET set where the receiver runs?';
  const padded = '`secret` has spaces around it.';
  const grammar = 'X-Cbt-Signature must be t=<unix seconds>,v1=<64 hex digits>.';
  const malformed = ['header_malformed', grammar] as const;
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const [start, end] = [secret.slice(0, 8), secret.slice(8)];
  const arrived = `${sent} `;

  test.each<[what: string, given: Case, reason?: string, message?: string]>([
    ['a body that was rewritten', { arrived: `${sent} and more` }],
    ['a body of nothing but whitespace', { arrived: ' \n ' }],
    ['JSON nested too deeply to be written', { arrived: deep }],
    ['a secret of nothing but quotes', { signed: 'x', secret: '""' }, 'configuration', unset],
    ['quotes that end within the secret', { secret: `"${start}"${end}` }],
    ['quotes that begin within the secret', { secret: `${start}"${end}"` }],
    ['one just in time', { arrived: 'x', now: skewedBy(300) }],
    ['a stale one', { arrived: 'x', now: skewedBy(301) }, 'timestamp_too_old', `${unexplained} ${old(301)}`],
    ['a body that something read before', { arrived: '' }, 'signature_mismatch', empty],
    ['a header that is another', { header: 'Bearer x' }, ...malformed],
    ['a body that is too long', { maxBodyBytes: 10 }, 'body_too_large', 'The body is longer than 10 bytes.'],
    ['a right secret beside a padded one', { secret: [secret, ' padded '] }, 'configuration', padded],
    ['an empty secret', { arrived, secret: '' }, 'configuration', unset],
    ['no secrets', { arrived, secret: [] }, 'configuration', unset],
    ['a secret that reads undefined', { arrived, secret: 'undefined' }, 'signature_mismatch', unset],
    ['a secret that reads null', { arrived, secret: 'null' }, 'signature_mismatch', unset],
    ['an unset secret beside a set one', { signed: 'x', secret: ['', secret] }, 'configuration'],
  ])('%s', async (_, given, reason = 'signature_mismatch', message = unexplained) => {
    expect(await explain(given)).toEqual({ reason, changes: [], message });
  });

  const unchecked = 'Without the raw bytes, the secret cannot be checked.';
  const missing = 'X-Cbt-Signature is missing: does a proxy drop it?';

  test.each<[what: string, given: Case, reason: string, rest: string]>([
    ['a secret of another endpoint', { secret: 'whsec_wrong' }, 'body_not_raw', unchecked],
    ['no secret', { secret: '' }, 'configuration', unset],
    ['another secret in quotes', { secret: '"whsec_wrong"' }, 'configuration', unchecked],
    ['JSON nested too deeply to be written', { arrived: JSON.parse(deep) }, 'body_not_raw', unchecked],
    [
      'a wrong secret and a stale one',
      { secret: 'x', now: skewedBy(301) },
      'timestamp_too_old',
      `${unchecked} ${old(301)}`,
    ],
    ['a header that is another', { header: 'Bearer x' }, ...malformed],
  ])('a body that was parsed, and %s: the parsing comes first', async (_, given, reason, rest) => {
    const explanation = await explain({ arrived: parsed, ...given });
    const first = lost('parsed');
    expect(explanation).toEqual({ reason, changes: [first], message: `${first} ${rest}` });
  });

  test('a body that was parsed, and a header that a proxy dropped', async () => {
    const error = await rejectionOf({ body: parsed, headers: {} });
    for (const failure of [{ body: parsed, headers: {} }, error]) {
      expect(await explainWebhookFailure(failure, options)).toEqual({
        reason: 'header_missing',
        changes: [lost('parsed')],
        message: `${lost('parsed')} ${missing}`,
      });
    }
  });

  test('a request without a signature, whose body is not read', async () => {
    const pull = vi.fn();
    const request = streaming(new ReadableStream({ pull }, { highWaterMark: 0 }));
    expect(await explainWebhookFailure(request, options)).toEqual({
      reason: 'header_missing',
      changes: [],
      message: missing,
    });
    expect(pull).not.toHaveBeenCalled();
  });

  test('a delivery that verifies, in parts and as a request', async () => {
    const right = { reason: null, changes: [], message: 'The signature is right as it is.' };
    expect(await explain({})).toEqual(right);
    expect(await explainWebhookFailure(signed().toRequest(), options)).toEqual(right);
  });

  test('a right signature of a payload that is not as documented', async () => {
    const error = await rejectionOf(delivery('{}'));
    expect(await explainWebhookFailure(error, options)).toEqual({
      reason: null,
      changes: [],
      message: 'The signature is right as it is. Invalid payload: event, created_at.',
    });
  });
});

const signed = () => signedWebhook({ body: sent, secret, timestamp: signedAt });

test.each(['', ' ', 'undefined', undefined])(
  'another secret that is not set, %j, is not tried',
  async (unset) => {
    for (const key of ['undefined', 'whsec_', 'whsec_undefined']) {
      const given = { key, secret: 'whsec_1', otherSecrets: [unset as string] };
      expect((await explain(given)).changes).toEqual([]);
    }
  },
);

describe('an error from before the body was read is explained by its own words', () => {
  const unread = 'The signature was not checked.';

  test.each<[what: string, timestamp: number, more: object, reason: string, words: string, clock: string[]]>([
    ['its age', signedAt - 400, {}, 'timestamp_too_old', old(400), [old(400)]],
    ['its length', signedAt, { maxBodyBytes: 10 }, 'body_too_large', 'The body is longer than 10 bytes.', []],
  ])('by %s', async (_, timestamp, more, reason, words, changes) => {
    const request = signedWebhook({ body: sent, secret, timestamp }).toRequest();
    expect(await explainWebhookFailure(await rejectionOf(request, more), options)).toEqual({
      reason,
      changes,
      message: `${words} ${unread}`,
    });
  });

  test('also where something had read it', async () => {
    const request = signed().toRequest();
    await request.text();
    const message = lost('read before');
    const explanation = { reason: 'body_not_raw', changes: [], message };
    expect(await explainWebhookFailure(request, options)).toEqual(explanation);
    expect(await explainWebhookFailure(await rejectionOf(request), options)).toEqual({
      ...explanation,
      message: `${message} ${unread}`,
    });
  });

  test('or where there is none', async () => {
    const { headers } = inputOf({});
    expect(await explainWebhookFailure({ headers, body: undefined }, options)).toEqual({
      reason: 'body_not_raw',
      changes: [lost('parsed')],
      message: `${lost('parsed')} Without the raw bytes, the secret cannot be checked.`,
    });
  });

  test('or where you made it yourself', async () => {
    const error = new WebhookVerificationError('header_missing', 'There is no header.');
    const explanation = { reason: 'header_missing', changes: [], message: 'There is no header.' };
    expect(await explainWebhookFailure(error, options)).toEqual(explanation);
  });
});

test('in onRejected the error is enough', async () => {
  const explained: WebhookFailureExplanation[] = [];
  const other = 'whsec_other';
  const onRejected = async (error: WebhookVerificationError) =>
    explained.push(await explainWebhookFailure(error, { secret: other, otherSecrets: [secret] }));
  const handle = createWebhookHandler({ ...options, secret: other, onUnknown: () => {}, onRejected });
  expect((await handle(signed().toRequest())).status).toBe(400);
  const changes = ['The delivery is signed with otherSecrets[0].'];
  await expect.poll(() => explained).toEqual([expect.objectContaining({ changes })]);
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
    const message =
      'This is neither a rejection nor a delivery with headers: the handler failed, or something around it.';
    const explanation = { reason: null, changes: [], message };
    expect(await explainWebhookFailure(failure as never, options)).toEqual(explanation);
  });

  test('any error but that of a set-up at fault, which says itself what to change', async () => {
    const failure = new ConfigurationError('The `secret` function failed; see `cause`.');
    const explanation = { reason: 'configuration', changes: [], message: failure.message };
    expect(await explainWebhookFailure(failure as never, options)).toEqual(explanation);
  });
});

describe('what hangs is reported, neither thrown nor waited for', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

  /** Explains a delivery of which something hangs: all time limits pass. */
  async function explainLate(input: WebhookInput, more: ExplainOptions = {}) {
    const explanation = explainWebhookFailure(input, { ...options, ...more });
    explanation.catch(() => {});
    await vi.advanceTimersByTimeAsync(60_000);
    return explanation;
  }

  test.each<[what: string, provider: () => Promise<string>]>([
    ['throws', () => Promise.reject(new Error('the vault is away'))],
    ['hangs', never],
  ])('a `secret` function that %s', async (_, provider) => {
    for (const input of [delivery(sent), delivery(`${sent} `)]) {
      const explanation = await explainLate(input, { secret: provider });
      expect(explanation).toMatchObject({ reason: 'configuration', changes: [] });
      expect(explanation.message).toContain('`secret` function');
    }
  });

  test('a request whose body something is reading', async () => {
    const locked = signed().toRequest();
    locked.body?.getReader();
    expect(await explainLate(locked)).toMatchObject({ reason: 'body_not_raw', changes: [] });
  });

  test.each<[what: string, start: (stream: ReadableStreamDefaultController) => void, reason: string]>([
    ['breaks off', (stream) => stream.error(new Error('reset')), 'body_incomplete'],
    ['never ends', () => {}, 'body_timeout'],
    ['is longer than is read', (stream) => stream.enqueue(new Uint8Array(1_048_577)), 'body_too_large'],
  ])('a request whose body %s', async (_, start, reason) => {
    const { headers } = signed().toRequest();
    const explanation = await explainLate(streaming(new ReadableStream({ start }), headers));
    expect(explanation).toMatchObject({ reason, changes: [], message: expect.stringMatching(/^The body /) });
  });
});

test('what goes wrong inside an option is not explained away', async () => {
  await expect(explain({ now: throwing(new Error('no clock')) })).rejects.toThrow('no clock');
});
