import { expect, test } from 'vitest';
import {
  ConfigurationError,
  createMemoryStore,
  createWebhookHandler,
  type DeduplicationStore,
  safeVerifyWebhook,
  verifyWebhook,
} from '../../src/webhooks/index.ts';
import { failure } from '../helpers/client.ts';
import { printed } from '../helpers/secrets.ts';
import { completed, options, receiverOptions, request, secret, signedAt, streaming } from './helpers.ts';

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
  stack: expect.stringContaining('error-cause.test.ts'),
  cause: { message: 'sealed' },
  errors: [{ message: 'sealed', code: 'ECONNRESET' }],
};

const failOfSecret = (secret: () => unknown) =>
  failure(verifyWebhook(request(), { ...options, secret: secret as () => string }), ConfigurationError);

const failOfStore = (method: keyof DeduplicationStore) => async (thrown: unknown) => {
  const errors: unknown[] = [];
  const reject = () => Promise.reject(thrown);
  const handle = createWebhookHandler({
    ...receiverOptions,
    on: { 'exam_result.completed': method === 'release' ? reject : () => {} },
    onError: (error) => errors.push(error),
    deduplication: {
      store: { ...createMemoryStore(), claim: () => method !== 'isComplete', [method]: reject },
      ttlSeconds: 600,
    },
  });
  await handle.dispatch(completed as never).catch((error) => errors.push(error));
  return errors[0];
};

/** Ways in which code of others fails a delivery; each gives the error that this package makes of it. */
const places: [string, (thrown: unknown) => Promise<unknown>][] = [
  ['the `secret` function', (thrown) => failOfSecret(() => Promise.reject(thrown))],
  ['`claim` of the store', failOfStore('claim')],
  ['`isComplete` of the store', failOfStore('isComplete')],
  ['`release` of the store', failOfStore('release')],
  ['`complete` of the store', failOfStore('complete')],
  [
    'the stream of a body',
    async (thrown) => {
      const stream = new ReadableStream({ pull: () => Promise.reject(thrown) });
      const result = await safeVerifyWebhook(streaming(stream, request().headers), options);
      return 'error' in result && result.error;
    },
  ],
];

test.each(places)(
  'the error for a failure of %s has a copy of it without its request as its cause',
  async (_, fail) => {
    const error = await fail(axiosError());
    expect(error).toMatchObject({ code: expect.any(String), cause: axiosCopy });
    expect(printed(error)).not.toContain(token);
    expect(await fail({ token })).toHaveProperty('cause', undefined);
  },
);

test('of what was thrown and is no error, a text alone is kept', async () => {
  for (const thrown of [[token], Object.assign(() => {}, { token })])
    expect(await failOfSecret(() => Promise.reject(thrown))).toHaveProperty('cause', undefined);
  expect(await failOfSecret(() => Promise.reject('sealed'))).toHaveProperty('cause', 'sealed');
});

test('a `secret` function that fails shows none of the secrets that it gave before', async () => {
  const others = ['whsec_of_the_rotation'];
  let given: (() => string[]) | undefined = () => [secret, ...others];
  const provide = () => {
    if (given) return given();
    throw new Error(`cannot renew ${secret} and ${others}`);
  };
  const now = { ms: signedAt * 1000 };
  const verify = () => verifyWebhook(request(), { ...options, secret: provide, now: () => now.ms });
  await verify();
  given = undefined;
  now.ms += 60_000;
  const error = await failure(verify(), ConfigurationError);
  expect(error).toMatchObject({ cause: { message: 'cannot renew [redacted] and [redacted]' } });
  expect(printed(error)).not.toMatch(/whsec_/);
});
