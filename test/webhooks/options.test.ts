import { describe, expect, test, vi } from 'vitest';
import {
  ConfigurationError,
  createMemoryStore,
  createWebhookHandler,
  type ExamResultCompletedEvent,
  explainWebhookFailure,
  recoverEvents,
  safeVerifyWebhook,
  type VerifyWebhookOptions,
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

describe('createWebhookHandler rejects', () => {
  test.each<[string, object, string]>([
    ['handlers under another name', { handlers: on }, 'of createWebhookHandler: `handlers`.'],
    ['a name cut short', { on, deduplicate: {} }, '`deduplicate` (did you mean `deduplication`?)'],
    ['a misspelt observer', { on, onReject: () => {} }, '`onReject` (did you mean `onRejected`?)'],
    ['a name without its unit', { on, tolerance: 60 }, '`tolerance` (did you mean `toleranceSeconds`?)'],
    ['a function as handlers', { on: () => {} }, '`on` must be an object.'],
    ['a misspelt event', { on: { 'exam_result.complete': () => {} } }, misspelt],
    ['a misspelt event among the methods of a class', { on: new Misspelt() }, misspelt],
    [
      'a Map of handlers',
      { on: new Map(Object.entries(on)), onUnknown: () => {} },
      `\`on\`: Map ${notOptions}`,
    ],
    ['a list of handlers', { on: [() => {}], onUnknown: () => {} }, `\`on\`: Array ${notOptions}`],
    ['a Map of schemas', { on, schemas: new Map() }, `\`schemas\`: Map ${notOptions}`],
    ['no handler', {}, "There is no handler: pass `on: { 'exam_result.completed'"],
    ['handlers that are all undefined', { on: { 'exam_result.scored': undefined } }, 'There is no handler'],
    ['a schema that is none', { on, schemas: { 'exam_result.scored': {} } }, 'must be a Standard Schema'],
    [
      'a misspelt option of deduplication',
      { on, deduplication: { store: createMemoryStore(), ttl: 600 } },
      'Unknown name in `deduplication`: `ttl`',
    ],
  ])('%s, and says what was meant', (_, wrong, words) => {
    const make = () => createWebhookHandler({ ...options, ...wrong } as WebhookHandlerOptions);
    const { message } = thrown(make, ConfigurationError);
    expect(message).toContain(words);
    expect(message.length).toBeLessThan(400);
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
    expect(verdict).toMatchObject({ code: 'signature_mismatch' });
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
    [
      'the raw body under another name',
      [{ rawBody: body, headers }, options],
      `${shown} Unknown name: \`rawBody\` (did you mean \`body\`?).`,
    ],
    [
      'the header under the name of one',
      [{ body, header }, options],
      `${shown} Unknown name: \`header\` (did you mean \`headers\`?).`,
    ],
    [
      'the header in the place of the headers',
      [{ body, headers: header }, options],
      '`headers` must be an object or Headers.',
    ],
    ['a list of headers', [{ body, headers: [header] }, options], '`headers` must be an object or Headers.'],
    [
      'headers that are not there',
      [{ body, headers: undefined }, options],
      '`headers` must be an object or Headers.',
    ],
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

test.each<[name: string, given: readonly unknown[], act: (...given: never[]) => unknown, shown: string]>([
  ['createWebhookHandler', [secret], createWebhookHandler, 'takes one object: { secret, on }.'],
  ['createWebhookHandler', [], createWebhookHandler, 'takes one object: { secret, on }.'],
  ['createWebhookHandler', [() => {}], createWebhookHandler, 'takes one object: { secret, on }.'],
  ['createMemoryStore', [1_000], createMemoryStore, 'takes one object: { maxEntries }.'],
  ['explainWebhookFailure', [delivery(body), secret], explainWebhookFailure, 'takes (error, { secret }).'],
  ['recoverEvents', [source, 3], recoverEvents, 'takes (client.webhooks, endpointId, { since }).'],
  [
    'recoverEvents',
    [source, 3, '2025-03-01'],
    recoverEvents,
    'takes (client.webhooks, endpointId, { since }).',
  ],
  [
    'recoverEvents',
    [{ webhooks: source }, 3, { since: new Date() }],
    recoverEvents,
    'takes (client.webhooks, endpointId, { since }).',
  ],
  [
    'dispatch',
    [completed, 'key'],
    createWebhookHandler({ ...receiverOptions, on }).dispatch,
    'takes (event, { eventKey }).',
  ],
])('%s shows its call, given %j', async (name, given, act, shown) => {
  const call = async () => Reflect.apply(act, undefined, given);
  expect((await failure(call(), ConfigurationError)).message).toBe(`${name} ${shown}`);
});

test('explainWebhookFailure rejects other secrets that are no list', async () => {
  const wrong = { ...options, otherSecrets: 'whsec_old' as never };
  const { message } = await failure(explainWebhookFailure(delivery(body), wrong), ConfigurationError);
  expect(message).toBe('`otherSecrets` must be a list of strings.');
});

test('dispatch rejects an unknown option, with the one that was meant', async () => {
  const { dispatch } = createWebhookHandler({ ...receiverOptions, on });
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
  const given: VerifyWebhookOptions & { on: Record<string, unknown> } = {
    ...options,
    on: { 'exam_result.completed': handled },
  };
  const handle = createWebhookHandler(given as WebhookHandlerOptions);
  Object.assign(given, { secret: 'another', toleranceSeconds: Number.NaN });
  given.on['exam_result.completed'] = 'nothing';
  expect((await handle(request())).status).toBe(204);
  expect(handled).toHaveBeenCalledOnce();
});

test('the default clock is the one of the moment: a test may replace it after the receiver was made', async () => {
  const handle = createWebhookHandler({ secret, on });
  vi.useFakeTimers({ now: signedAt * 1000, toFake: ['Date'] });
  expect((await handle(request())).status).toBe(204);
});

test('an error names at most three fields of a payload, and none that may be data', async () => {
  const paths = ['a@example.com', 'grades', 'x'.repeat(100), 'exam', 'quiz', 'score'];
  const validate = () => ({ issues: paths.map((path) => ({ message: 'wrong', path: [path] })) });
  const schemas = { 'exam_result.completed': { '~standard': { version: 1, vendor: 'test', validate } } };
  const rejected = verifyWebhook(delivery(body), { ...options, schemas } as VerifyWebhookOptions);
  await expect(rejected).rejects.toThrow('Invalid payload: data.grades, data.exam, data.quiz, 3 more.');
});
