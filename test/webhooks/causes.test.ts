import { describe, expect, test } from 'vitest';
import {
  ConfigurationError,
  createMemoryStore,
  createWebhookHandler,
  safeVerifyWebhook,
  verifyWebhook,
} from '../../src/webhooks/index.ts';
import { failure } from '../helpers/client.ts';
import { printed } from '../helpers/secrets.ts';
import { body, completed, delivery, options, receiverOptions, secret, signedAt } from './helpers.ts';

const token = 'hvs.token-of-the-vault';

/** As HTTP libraries throw it: with the request, here and further in. */
function axiosError(message = 'Request failed with status code 503') {
  const request = () => ({ headers: { 'X-Vault-Token': token } });
  const cause = Object.assign(new Error('sealed'), { request: request() });
  return Object.assign(new Error(message, { cause }), {
    name: 'AxiosError',
    code: 'ERR_BAD_RESPONSE',
    config: request(),
    errors: [Object.assign(new Error('sealed'), { code: 'ECONNRESET', config: request() })],
  });
}

const axiosCopy = {
  name: 'AxiosError',
  message: 'Request failed with status code 503',
  code: 'ERR_BAD_RESPONSE',
  stack: expect.stringContaining('causes.test.ts'),
  cause: { message: 'sealed' },
  errors: [{ message: 'sealed', code: 'ECONNRESET' }],
};

/** Ways in which code of others fails a delivery; each gives the error that this package makes of it. */
const places: [string, (thrown: unknown) => Promise<unknown>][] = [
  [
    'the `secret` function',
    (thrown) =>
      failure(
        verifyWebhook(delivery(body), { ...options, secret: () => Promise.reject(thrown) }),
        ConfigurationError,
      ),
  ],
  ...(['claim', 'isComplete', 'release', 'complete'] as const).map((method): (typeof places)[number] => [
    `\`${method}\` of the store`,
    async (thrown) => {
      const store = { ...createMemoryStore(), claim: () => method !== 'isComplete' };
      const errors: unknown[] = [];
      const handle = createWebhookHandler({
        ...receiverOptions,
        on: { 'exam_result.completed': () => (method === 'release' ? Promise.reject('no') : undefined) },
        onError: (error) => errors.push(error),
        deduplication: { store: { ...store, [method]: () => Promise.reject(thrown) }, ttlSeconds: 600 },
      });
      await handle.dispatch(completed as never).catch((error) => errors.push(error));
      return errors[0];
    },
  ]),
  [
    'the stream of a body',
    async (thrown) => {
      const stream = new ReadableStream({ pull: () => Promise.reject(thrown) });
      const { headers } = delivery(body) as { headers: Record<string, string> };
      const init = { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit;
      const result = await safeVerifyWebhook(new Request('https://receiver.test/', init), options);
      return 'error' in result && result.error;
    },
  ],
];

describe.each(places)('the error for a failure of %s', (_, fail) => {
  test('has a copy of it as its cause, without the request that it holds', async () => {
    const error = await fail(axiosError());
    expect(error).toMatchObject({ code: expect.any(String), cause: axiosCopy });
    expect(printed(error)).not.toContain(token);
  });

  test.each([
    ['an object', { token }],
    ['a list', [token]],
    ['a function', Object.assign(() => {}, { token })],
  ])('keeps nothing of %s that was thrown', async (_, thrown) => {
    const error = await fail(thrown);
    expect(error).toMatchObject({ code: expect.any(String) });
    expect(error).toHaveProperty('cause', undefined);
  });

  test('keeps a text that was thrown', async () => {
    expect(await fail('sealed')).toHaveProperty('cause', 'sealed');
  });
});

test('a `secret` function that fails shows none of the secrets that it gave before', async () => {
  const others = ['whsec_of_the_rotation'];
  let given: (() => string[]) | undefined = () => [secret, ...others];
  const provide = () => {
    if (given) return given();
    throw new Error(`cannot renew ${secret} and ${others}`);
  };
  const now = { ms: signedAt * 1000 };
  const verify = () => verifyWebhook(delivery(body), { ...options, secret: provide, now: () => now.ms });
  await verify();
  given = undefined;
  now.ms += 60_000;
  const error = await failure(verify(), ConfigurationError);
  expect(error).toMatchObject({ cause: { message: 'cannot renew [redacted] and [redacted]' } });
  expect(printed(error)).not.toMatch(/whsec_/);
});

test('an error that stands many times below itself is copied once', async () => {
  const hostile = Object.assign(new Error('again'), { errors: [] as unknown[] });
  hostile.errors = Array.from({ length: 8 }, () => hostile);
  const call = verifyWebhook(delivery(body), { ...options, secret: () => Promise.reject(hostile) });
  const { cause } = await failure(call, ConfigurationError);
  expect(cause).toMatchObject({ message: 'again', errors: Array(8).fill(undefined) });
});

test.each<[string, (error: Error) => Error]>([
  ['one above the other', (cause) => new Error('above', { cause })],
  ['each with two below it', (below) => new AggregateError([below, new Error('beside')], 'above')],
])('of many errors, %s, a hundred copies are kept at most', async (_, above) => {
  let thrown = new Error('first');
  for (let count = 0; count < 20_000; count += 1) thrown = above(thrown);
  const call = verifyWebhook(delivery(body), { ...options, secret: () => Promise.reject(thrown) });
  const { cause } = await failure(call, ConfigurationError);
  const count = (copy: unknown): number => {
    if (!(copy instanceof Error)) return 0;
    const below: unknown[] = [copy.cause, ...(Object(copy).errors ?? [])];
    return below.reduce((sum: number, one) => sum + count(one), 1);
  };
  expect(count(cause)).toBe(100);
});
