import { describe, expect, test, vi } from 'vitest';
import {
  ConfigurationError,
  createMemoryStore,
  createWebhookHandler,
  type ExamResultCompletedEvent,
  explainWebhookFailure,
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
])('%s', (_, verify) => {
  const header = `t=${signedAt},v1=${'0'.repeat(64)}`;

  test.each<[string, unknown[]]>([
    ['body, header and secret', [body, header, secret]],
    ['bytes, header and secret', [new TextEncoder().encode(body), header, secret]],
    ['a body and options', [body, options]],
    ['a delivery and a secret', [delivery(body), secret]],
    ['nothing', []],
  ])('given %s rejects with the shape that it takes', async (_what, given) => {
    const { message } = await failure(Reflect.apply(verify, undefined, given), ConfigurationError);
    expect(message).toContain('{ body, headers }');
    expect(message).toContain('{ secret }');
    expect(message).not.toContain(secret);
  });
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
