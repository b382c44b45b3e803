import { beforeEach, describe, expect, test, vi } from 'vitest';
import { signedWebhook } from '../../src/testing/index.ts';
import { type ExplainOptions, explainWebhookFailure } from '../../src/webhooks/index.ts';
import { body, delivery, options, secret, signedAt } from './helpers.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
const right = delivery(body);

const posted = (stream: ReadableStream) => ({ method: 'POST', body: stream, duplex: 'half' }) as const;

/** A signed request; of a stream, it has another body than what was signed. */
function request(stream?: ReadableStream): Request {
  const signed = signedWebhook({ body, secret, timestamp: signedAt }).toRequest();
  if (!stream) return signed;
  return new Request(signed.url, { headers: signed.headers, ...posted(stream) });
}

/** Explains a delivery of which something hangs: all time limits pass. */
async function explain(input: Parameters<typeof explainWebhookFailure>[0], more: ExplainOptions = {}) {
  const explanation = explainWebhookFailure(input, { ...options, ...more });
  explanation.catch(() => {});
  await vi.advanceTimersByTimeAsync(60_000);
  return explanation;
}

describe('a delivery whose signature is right is explained by its rejection, where that is', () => {
  test.each<[what: string, more: ExplainOptions, code: string, message: string]>([
    ['its size', { maxBodyBytes: 10 }, 'body_too_large', 'The body is longer than 10 bytes.'],
    [
      'another secret that is padded',
      { secret: [secret, ' padded '] },
      'configuration',
      '`secret` is missing, empty or padded with whitespace: set EXAM_SERVICE_WEBHOOK_SECRET.',
    ],
    [
      'the same, given by a function',
      { secret: () => [secret, ' padded '] },
      'configuration',
      '`secret` is missing, empty or padded with whitespace: set EXAM_SERVICE_WEBHOOK_SECRET.',
    ],
    [
      'a clock that is no number',
      { now: () => Number.NaN },
      'timestamp_too_old',
      "The delivery is NaN s old (limit 300 s): check this machine's clock.",
    ],
  ])('%s', async (_, more, code, message) => {
    expect(await explain(right, more)).toEqual({ code, changes: [], message });
    expect(await explain(request(), more)).toEqual({ code, changes: [], message });
  });
});

describe('a set-up at fault is reported, neither thrown nor waited for', () => {
  test.each<[what: string, provider: () => Promise<string>]>([
    ['throws', () => Promise.reject(new Error('the vault is away'))],
    ['hangs', () => new Promise(() => {})],
  ])('a `secret` function that %s', async (_, provider) => {
    for (const explanation of [
      await explain(right, { secret: provider }),
      await explain(delivery(`${body} `), { secret: provider, now: () => 0 }),
    ]) {
      expect(explanation).toMatchObject({ code: 'configuration', changes: [] });
      expect(explanation.message).toContain('`secret` function');
    }
  });

  test('a request whose body something is reading', async () => {
    const locked = request();
    locked.body?.getReader();
    const explanation = await explain(locked);
    expect(explanation).toMatchObject({ code: 'body_not_raw', changes: [] });
    expect(explanation.message).toContain('The body must be raw');
  });
});

test.each<[what: string, start: (stream: ReadableStreamDefaultController) => void, code: string]>([
  ['breaks off', (stream) => stream.error(new Error('reset')), 'body_incomplete'],
  ['never ends', () => {}, 'body_timeout'],
  ['is longer than is read', (stream) => stream.enqueue(new Uint8Array(1_048_577)), 'body_too_large'],
])('a request whose body %s is explained by the code of its rejection', async (_, start, code) => {
  const explanation = await explain(request(new ReadableStream({ start })));
  expect(explanation).toMatchObject({ code, changes: [], message: expect.stringMatching(/^The body /) });
});

test('a request without a signature is explained as such, and its body is not read', async () => {
  const pull = vi.fn();
  const stream = new ReadableStream({ pull }, { highWaterMark: 0 });
  const bare = new Request('https://receiver.test/', posted(stream));
  expect(await explain(bare)).toMatchObject({ code: 'header_missing', changes: [] });
  expect(pull).not.toHaveBeenCalled();
});
