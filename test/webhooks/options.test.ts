import { describe, expect, test, vi } from 'vitest';
import {
  ConfigurationError,
  createMemoryStore,
  createWebhookHandler,
  type ExamResultCompletedEvent,
  explainWebhookFailure,
  recoverEvents,
  safeVerifyWebhook,
  verifyWebhook,
  verifyWebhookSignature,
  type WebhookHandlerOptions,
} from '../../src/webhooks/index.ts';
import { failure, throwing, thrown } from '../helpers/client.ts';
import { body, completed, delivery, options, receiverOptions, request, secret, signedAt } from './helpers.ts';

const on = { 'exam_result.completed': () => {} };

class Misspelt {
  'exam_result.complete'() {}
}
const misspelt = 'Unknown name in `on`: `exam_result.complete` (did you mean `exam_result.completed`?).';
const notOptions = 'is not an options object. It takes exam';
const store = createMemoryStore();
const ttlSeconds = 600;
const deduplication = (given: object) => ({ deduplication: { store, ttlSeconds, ...given } });
const aboveTimeout = '`processingSeconds` must be longer than `timeout`, 10000 ms';

describe('createWebhookHandler rejects', () => {
  test.each<[string, object, string]>([
    ['handlers under another name', { handlers: on }, 'of createWebhookHandler: `handlers`.'],
    ['a name cut short', { deduplicate: {} }, '`deduplicate` (did you mean `deduplication`?)'],
    ['a misspelt observer', { onReject: () => {} }, '`onReject` (did you mean `onRejected`?)'],
    ['a name without its unit', { tolerance: 60 }, '`tolerance` (did you mean `toleranceSeconds`?)'],
    ['a function as handlers', { on: () => {} }, '`on` must be an object.'],
    ['a misspelt event', { on: { 'exam_result.complete': () => {} } }, misspelt],
    ['a misspelt event among the methods of a class', { on: new Misspelt() }, misspelt],
    ['a Map of handlers', { on: new Map(Object.entries(on)) }, `\`on\`: Map ${notOptions}`],
    ['a list of handlers', { on: [() => {}] }, `\`on\`: Array ${notOptions}`],
    ['a Map of schemas', { schemas: new Map() }, `\`schemas\`: Map ${notOptions}`],
    ['no handler', { on: {} }, "There is no handler: pass `on: { 'exam_result.completed'"],
    ['handlers that are undefined', { on: { 'exam_result.scored': undefined } }, 'There is no handler'],
    ['a schema that is none', { schemas: { 'exam_result.scored': {} } }, 'must be a Standard Schema'],
    ['a schema of another event', { schemas: { 'exam.published': {} } }, '`exam.published`'],
    [
      'a misspelt option of deduplication',
      deduplication({ ttl: 600 }),
      'Unknown name in `deduplication`: `ttl`',
    ],
    ['a processing time below the time limit', deduplication({ processingSeconds: 10 }), aboveTimeout],
    [
      'a memory below twice the tolerance',
      deduplication({ ttlSeconds: 599 }),
      '`ttlSeconds` must be at least 600, twice `toleranceSeconds`',
    ],
  ])('%s, and says what was meant', (_, wrong, words) => {
    const make = () => createWebhookHandler({ ...options, on, ...wrong } as WebhookHandlerOptions);
    const { message } = thrown(make, ConfigurationError);
    expect(message).toContain(words);
    expect(message.length).toBeLessThan(400);
  });

  const { NaN: nan, POSITIVE_INFINITY: endless } = Number;
  test.each<[name: string, ...wrong: object[]]>([
    ['secret', { secret: '' }, { secret: [] }],
    ['secretTtl', ...[-1, nan, endless, '60000'].map((secretTtl) => ({ secretTtl }))],
    ['toleranceSeconds', { toleranceSeconds: -1 }],
    ['readTimeout', ...[0, -1, nan, endless, '1'].map((readTimeout) => ({ readTimeout }))],
    ['maxBodyBytes', ...[0, -1, nan, '1'].map((maxBodyBytes) => ({ maxBodyBytes }))],
    ['timeout', { timeout: 0 }, { timeout: '5' }],
    ['exam_result.completed', { on: { 'exam_result.completed': 'log' } }],
    ['onUnknown', { onUnknown: {} }],
    ['onInvalid', { onInvalid: true }],
    ['onRejected', { onRejected: 'warn' }],
    ['onError', { onError: console }],
    ['ttlSeconds', deduplication({ ttlSeconds: 0 }), deduplication({ ttlSeconds: endless })],
    ['processingSeconds', deduplication({ processingSeconds: -1 })],
    ['store', deduplication({ store: undefined })],
    ['store.claim', deduplication({ store: new Map() })],
    ['store.isComplete', deduplication({ store: { ...store, isComplete: undefined } })],
    ['store.release', deduplication({ store: { ...store, release: 'del' } })],
    ['key', deduplication({ key: 'event' })],
  ])('a wrong `%s` by its name', (name, ...wrong) => {
    for (const one of wrong) {
      const make = () => createWebhookHandler({ ...receiverOptions, ...one });
      expect(thrown(make, ConfigurationError).message).toContain(`\`${name}\``);
    }
  });

  test('neither the least values that fit the tolerance and the time limit, nor any where there is none', () => {
    const short = deduplication({ ttlSeconds: 120, processingSeconds: 2 });
    const least = { toleranceSeconds: 60, timeout: 1_999, ...short };
    const unlimited = { timeout: false, ...deduplication({ processingSeconds: 1 }) } as const;
    for (const fitting of [least, unlimited])
      expect(() => createWebhookHandler({ ...receiverOptions, ...fitting })).not.toThrow();
  });
});

test('handlers may be methods of a class, also inherited ones, and are called as such', async () => {
  const scores: unknown[] = [];
  class Results {
    readonly #scores = scores;
    readonly database = 'results';
    'exam_result.completed'({ data }: ExamResultCompletedEvent) {
      this.save(data.score);
    }
    save(score: unknown) {
      this.#scores.push(score);
    }
  }
  class NoOthers extends Results {}
  const handle = createWebhookHandler({ ...options, on: new NoOthers() });
  expect((await handle(request())).status).toBe(204);
  expect(scores).toEqual([completed.data.score]);
});

describe.each<[string, (wrong: object) => Promise<unknown>]>([
  ['verifyWebhook', (wrong) => verifyWebhook(delivery(body), { ...options, ...wrong })],
  ['verifyWebhookSignature', (wrong) => verifyWebhookSignature(delivery(body), { ...options, ...wrong })],
  ['explainWebhookFailure', (wrong) => explainWebhookFailure(delivery(body), { ...options, ...wrong })],
])('%s', (name, call) => {
  test('rejects an unknown option, with the one that was meant', async () => {
    const { message } = await failure(call({ tolerance: 60 }), ConfigurationError);
    expect(message).toBe(
      `Unknown name in the options of ${name}: \`tolerance\` (did you mean \`toleranceSeconds\`?).`,
    );
  });

  test('takes its secret from EXAM_SERVICE_WEBHOOK_SECRET', async () => {
    vi.stubEnv('EXAM_SERVICE_WEBHOOK_SECRET', secret);
    await expect(call({ secret: undefined })).resolves.not.toMatchObject({ code: expect.anything() });
    vi.stubEnv('EXAM_SERVICE_WEBHOOK_SECRET', 'whsec_of_another_endpoint');
    const verdict = await call({ secret: undefined }).catch((error: unknown) => error);
    expect(verdict).toMatchObject({ reason: 'signature_mismatch' });
  });
});

describe.each([
  ['verifyWebhook', verifyWebhook],
  ['safeVerifyWebhook', safeVerifyWebhook],
  ['verifyWebhookSignature', verifyWebhookSignature],
])('%s', (name, verify) => {
  const header = `t=${signedAt},v1=${'0'.repeat(64)}`;
  const { headers } = delivery(body);
  const shown = `${name.replace('safeVerify', 'verify')} takes ({ body, headers }, { secret }).`;
  const noHeaders = '`headers` must be an object or Headers.';
  const unknown = (name: string, meant: string) =>
    `${shown} Unknown name: \`${name}\` (did you mean \`${meant}\`?).`;

  test.each<[what: string, given: unknown[], message: string]>([
    ['body, header and secret', [body, header, secret], shown],
    ['bytes, header and secret', [new TextEncoder().encode(body), header, secret], shown],
    ['an ArrayBuffer', [new ArrayBuffer(8), options], shown],
    ['a body and options', [body, options], shown],
    ['a delivery and a secret', [delivery(body), secret], shown],
    ['a secret alone', [secret], shown],
    ['nothing', [], shown],
    ['headers alone', [{ headers }, options], shown],
    ['a body alone, in an object', [{ body }, options], shown],
    ['a Node request', [Object.assign(Object.create({ on() {} }), { headers }), options], shown],
    ['the raw body under another name', [{ rawBody: body, headers }, options], unknown('rawBody', 'body')],
    ['the header under the name of one', [{ body, header }, options], unknown('header', 'headers')],
    ['the header in the place of the headers', [{ body, headers: header }, options], noHeaders],
    ['a list of headers', [{ body, headers: [header] }, options], noHeaders],
    ['headers that are not there', [{ body, headers: undefined }, options], noHeaders],
  ])('given %s says what was meant', async (_what, given, message) => {
    const error = await failure(Reflect.apply(verify, undefined, given), ConfigurationError);
    expect(error.message).toBe(message);
  });

  test('takes a tolerance of an hour at most: a longer one is meant as milliseconds', async () => {
    const at = (toleranceSeconds: unknown) =>
      verify(delivery(body), { ...options, toleranceSeconds } as object);
    await expect(at(3_600)).resolves.toBeDefined();
    for (const wrong of [300_000, 3_601, -1, Number.NaN, Number.POSITIVE_INFINITY, '300', null]) {
      const { message } = await failure(at(wrong), ConfigurationError);
      expect(message).toBe('`toleranceSeconds` must be a number of seconds from 0 to 3600.');
    }
  });
});

/** As `client.webhooks`. */
const source = { async *deliveries() {} };

const { dispatch } = createWebhookHandler({ ...receiverOptions, on });
const recovery = 'recoverEvents takes (client.webhooks, endpointId, { since }).';
const window = { since: new Date() };
test.each<[shown: string, act: (...given: never[]) => unknown, ...given: unknown[][]]>([
  ['createWebhookHandler takes one object: { secret, on }.', createWebhookHandler, [secret], [], [() => {}]],
  ['createMemoryStore takes one object: { maxEntries }.', createMemoryStore, [1_000]],
  ['explainWebhookFailure takes (error, { secret }).', explainWebhookFailure, [delivery(body), secret]],
  [recovery, recoverEvents, [source, 3], [source, 3, '2025-03-01'], [{ webhooks: source }, 3, window]],
  ['dispatch takes (event, { eventKey }).', dispatch, [completed, 'key']],
])('given something else, %s', async (shown, act, ...wrong) => {
  for (const given of wrong) {
    const call = async () => Reflect.apply(act, undefined, given);
    expect((await failure(call(), ConfigurationError)).message).toBe(shown);
  }
});

test('explainWebhookFailure rejects other secrets that are no list', async () => {
  const wrong = { ...options, otherSecrets: 'whsec_old' as never };
  const { message } = await failure(explainWebhookFailure(delivery(body), wrong), ConfigurationError);
  expect(message).toBe('`otherSecrets` must be a list of strings.');
});

test('dispatch rejects an unknown option, with the one that was meant', async () => {
  const given = { eventkey: 'k' } as object;
  const { message } = await failure(dispatch(completed as never, given), ConfigurationError);
  expect(message).toBe('Unknown name in the options of dispatch: `eventkey` (did you mean `eventKey`?).');
});

test('a receiver whose platform keeps the environment from it asks for the secret', () => {
  const make = () => createWebhookHandler({ onUnknown: () => {} });
  const env = throwing(new Error('Requires env access to "EXAM_SERVICE_WEBHOOK_SECRET"'));
  vi.stubGlobal('process', Object.defineProperty({}, 'env', { get: env }));
  expect(thrown(make, ConfigurationError).message).toContain('EXAM_SERVICE_WEBHOOK_SECRET');
});

test('a receiver takes its secret from EXAM_SERVICE_WEBHOOK_SECRET, and reads it once', async () => {
  vi.stubEnv('EXAM_SERVICE_WEBHOOK_SECRET', secret);
  const handle = createWebhookHandler({ ...receiverOptions, secret: undefined });
  vi.stubEnv('EXAM_SERVICE_WEBHOOK_SECRET', '');
  expect((await handle(request())).status).toBe(204);
  const make = () => createWebhookHandler({ ...receiverOptions, secret: undefined });
  expect(thrown(make, ConfigurationError).message).toContain('EXAM_SERVICE_WEBHOOK_SECRET');
});

test('options are read when the receiver is made: what is changed later has no effect', async () => {
  const handled = vi.fn();
  const given = { ...options, on: { 'exam_result.completed': handled } };
  const handle = createWebhookHandler(given);
  Object.assign(given, { secret: 'another', toleranceSeconds: Number.NaN });
  Object.assign(given.on, { 'exam_result.completed': 'nothing' });
  expect((await handle(request())).status).toBe(204);
  expect(handled).toHaveBeenCalledOnce();
});

test('the default clock is the one of the moment: a test may replace it after the receiver was made', async () => {
  const handle = createWebhookHandler({ secret, on });
  vi.useFakeTimers({ now: signedAt * 1000, toFake: ['Date'] });
  expect((await handle(request())).status).toBe(204);
});
