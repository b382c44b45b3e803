import { describe, expect, test, vi } from 'vitest';
import { signedWebhook } from '../../src/testing/index.ts';
import {
  ConfigurationError,
  createWebhookHandler,
  safeVerifyWebhook,
  verifyWebhook,
  type WebhookSecretProvider,
} from '../../src/webhooks/index.ts';
import { failure, throwing } from '../helpers/client.ts';
import { createGate, never, nextTurn } from '../helpers/gate.ts';
import { body } from './helpers.ts';

const start = 1_740_797_113_000;

/** A receiver whose secret comes from a function, and whose clock the test moves. */
function receiver(provider: WebhookSecretProvider, options: { secretTtl?: number | undefined } = {}) {
  const clock = { now: start };
  const secret = vi.fn(provider);
  const errors: unknown[] = [];
  const handle = createWebhookHandler({
    secret,
    onUnknown: () => {},
    now: () => clock.now,
    onError: (error) => errors.push(error),
    onRejected: () => {},
    ...options,
  });
  /** Delivers what is signed with this, and gives the status. */
  const deliver = async (signedWith: string) => {
    const timestamp = Math.floor(clock.now / 1000);
    return (await handle(signedWebhook({ body, secret: signedWith, timestamp }).toRequest())).status;
  };
  return { clock, secret, errors, deliver };
}

describe('a secret that a function gives', () => {
  test.each<[string, WebhookSecretProvider]>([
    ['as a string', () => 'old'],
    ['as a list', () => ['new', 'old']],
    ['later', async () => 'old'],
    ['later as a list', async () => ['new', 'old']],
  ])('%s verifies a delivery', async (_, provider) => {
    const { deliver } = receiver(provider);
    expect(await deliver('old')).toBe(204);
  });

  test.each([undefined, 20_000, 3_600_000])(
    'is used for `secretTtl`, a minute by default: %s',
    async (secretTtl) => {
      const { deliver, secret, clock } = receiver(() => 'old', { secretTtl });
      const ttl = secretTtl ?? 60_000;
      for (const later of [0, ttl / 2, ttl - 1]) {
        clock.now = start + later;
        expect(await deliver('old')).toBe(204);
      }
      expect(secret).toHaveBeenCalledTimes(1);
      clock.now = start + ttl;
      await deliver('old');
      expect(secret).toHaveBeenCalledTimes(2);
    },
  );

  test('is asked for with every delivery where `secretTtl` is 0', async () => {
    const { deliver, secret } = receiver(() => 'old', { secretTtl: 0 });
    expect([await deliver('old'), await deliver('old')]).toEqual([204, 204]);
    expect(secret).toHaveBeenCalledTimes(2);
  });

  test('is asked for again at once after the clock was set back', async () => {
    const { deliver, secret, clock } = receiver(() => 'old');
    await deliver('old');
    clock.now = start - 86_400_000;
    await deliver('old');
    expect(secret).toHaveBeenCalledTimes(2);
  });

  test('is kept for the function, also over calls of verifyWebhook', async () => {
    const secret = vi.fn(() => 'old');
    const signed = () => signedWebhook({ body, secret: 'old' }).toRequest();
    await verifyWebhook(signed(), { secret });
    expect(await safeVerifyWebhook(signed(), { secret })).toMatchObject({ ok: true });
    expect(secret).toHaveBeenCalledTimes(1);
  });

  test('is asked for once by deliveries that come together', async () => {
    const gate = createGate<string>();
    const { deliver, secret } = receiver(() => gate.promise);
    const results = Promise.all(Array.from({ length: 20 }, () => deliver('old')));
    gate.open('old');
    expect(new Set(await results)).toEqual(new Set([204]));
    expect(secret).toHaveBeenCalledTimes(1);
  });

  test('is not asked for again while it is awaited, however the clock goes on', async () => {
    const gate = createGate<string>();
    const { deliver, secret, clock } = receiver(() => gate.promise);
    const first = deliver('old');
    await nextTurn();
    clock.now += 5_000;
    const second = deliver('old');
    await nextTurn();
    expect(secret).toHaveBeenCalledTimes(1);
    gate.open('old');
    expect(await Promise.all([first, second])).toEqual([204, 204]);
  });

  test('leaves no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const secret = () => 'old';
    const { headers } = signedWebhook({ body, secret: 'old' }).toNodeParts();
    expect(await safeVerifyWebhook({ body, headers }, { secret })).toMatchObject({ ok: true });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a rotation without a restart', () => {
  test('is noticed when `secretTtl` has passed', async () => {
    let current: string | string[] = 'old';
    const { deliver, secret, clock } = receiver(() => current, { secretTtl: 1_000 });
    expect(await deliver('old')).toBe(204);
    current = ['new', 'old'];
    expect(await deliver('new')).toBe(400);
    clock.now += 1_000;
    expect([await deliver('new'), await deliver('old')]).toEqual([204, 204]);
    current = 'new';
    clock.now += 1_000;
    expect([await deliver('old'), await deliver('new')]).toEqual([400, 204]);
    expect(secret).toHaveBeenCalledTimes(3);
  });

  test('cannot be feigned: forged deliveries do not ask for it', async () => {
    const { deliver, secret, clock } = receiver(() => 'old', { secretTtl: 3_600_000 });
    for (let index = 0; index < 100; index += 1) {
      clock.now = start + index * 20;
      expect(await deliver('forged')).toBe(400);
    }
    expect(secret).toHaveBeenCalledTimes(1);
  });

  test('is not asked about by what is stale or malformed', async () => {
    const { secret } = receiver(() => 'old');
    for (const header of [undefined, 'v1=1', `t=1,v1=${'0'.repeat(64)}`]) {
      const delivery = { body, headers: { 'X-Cbt-Signature': header } };
      expect(await safeVerifyWebhook(delivery, { secret })).toMatchObject({ ok: false });
    }
    expect(secret).not.toHaveBeenCalled();
  });
});

describe('a function that gives no secret', () => {
  test.each<[string, WebhookSecretProvider]>([
    ['throws', throwing(new Error('vault sealed'))],
    ['rejects', () => Promise.reject(new Error('vault sealed'))],
  ])('because it %s fails the delivery with its error as the cause', async (_, provider) => {
    const { deliver, errors } = receiver(provider);
    expect(await deliver('old')).toBe(500);
    const message = 'The `secret` function failed; see `cause`.';
    expect(errors).toMatchObject([{ code: 'configuration', message, cause: { message: 'vault sealed' } }]);
  });

  test.each([
    ['nothing', undefined, 'is missing or empty'],
    ['an empty string', '', 'is missing or empty'],
    ['an empty list', [], 'is missing or empty'],
    ['a padded one', ['old', 'new '], 'has spaces around it'],
    // biome-ignore lint/suspicious/noSparseArray: that is the mistake.
    ['a list with a gap', ['old', , 'new'], 'is missing or empty'],
  ])('but %s is a ConfigurationError', async (_, given, mistake) => {
    const request = signedWebhook({ body, secret: 'old' }).toRequest();
    const secret = (() => given) as WebhookSecretProvider;
    const error = await failure(verifyWebhook(request, { secret }), ConfigurationError);
    expect(error.message).toContain(`\`secret\` ${mistake}`);
  });

  test('once its list is emptied or changed leaves in use what was checked', async () => {
    const list = ['old'];
    const { deliver } = receiver(() => list);
    expect(await deliver('old')).toBe(204);
    list[0] = 'unchecked ';
    expect(await deliver('unchecked ')).toBe(400);
    expect(await deliver('old')).toBe(204);
  });

  test('is asked again by the next delivery', async () => {
    let sealed = true;
    const { deliver, secret } = receiver(async () => {
      if (sealed) throw new Error('vault sealed');
      return 'old';
    });
    expect(await deliver('old')).toBe(500);
    sealed = false;
    expect([await deliver('old'), await deliver('old')]).toEqual([204, 204]);
    expect(secret).toHaveBeenCalledTimes(2);
  });

  test('after it gave one leaves that in use for `secretTtl`', async () => {
    let sealed = false;
    const { deliver, clock } = receiver(async () => {
      if (sealed) throw new Error('vault sealed');
      return 'old';
    });
    expect(await deliver('old')).toBe(204);
    sealed = true;
    clock.now += 1_000;
    expect(await deliver('forged')).toBe(400);
    expect(await deliver('old')).toBe(204);
  });

  test('because it hangs fails what waits for it after ten seconds, and is asked again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const results: Promise<string>[] = [never(), Promise.resolve('old')];
    const { deliver, secret, clock, errors } = receiver(() => results.shift() ?? 'old');
    const waiting = [deliver('old'), deliver('old')];
    await expect.poll(() => secret).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await Promise.all(waiting)).toEqual([500, 500]);
    const message = expect.stringContaining('longer than 10000 ms');
    expect(errors[0]).toMatchObject({ code: 'configuration', message });
    clock.now += 10_000;
    expect(await deliver('old')).toBe(204);
  });

  test('because the platform has ended its request is asked again, and holds no delivery longer than ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const results: Promise<string>[] = [never(), Promise.resolve('old')];
    const { deliver, secret, clock } = receiver(() => results.shift() ?? 'old');
    void deliver('old');
    await expect.poll(() => secret).toHaveBeenCalledTimes(1);
    vi.clearAllTimers();
    clock.now += 5_000;
    const waiting = deliver('old');
    await nextTurn();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await waiting).toBe(500);
    clock.now += 5_000;
    expect(await deliver('old')).toBe(204);
  });
});
