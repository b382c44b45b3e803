import { describe, expect, test, vi } from 'vitest';
import { ExamClient } from '../../src/index.ts';
import { createProxyHandler } from '../../src/proxy/index.ts';
import { signedWebhook } from '../../src/testing/index.ts';
import { createWebhookHandler, explainWebhookFailure, toNodeListener } from '../../src/webhooks/index.ts';
import { startServer } from '../helpers/server.ts';
import { failureOf, pair, withService } from './symptoms/symptom.ts';

const baseUrl = 'https://exams.example.com/api/v1';
const ben = { email: 'ben@example.com', name: 'Ben Okafor', password: 'cedar-delta-225' };
const secret = 'whsec_example';
const onUnknown = () => {};

const creating = (options: object) => () =>
  failureOf(() => new ExamClient({ baseUrl, apiKey: 'key', ...options }));
const calling = (act: (client: ExamClient) => unknown, given: object = {}) => withService(act, { given });

/** The error message of a client that gets this body as a plain response. */
async function messageFor(body: string, headers: Record<string, string> = {}): Promise<string> {
  await using server = await startServer({ headers, body });
  const client = new ExamClient({ baseUrl: server.url, apiKey: 'key', logLevel: 'off' });
  return await failureOf(() => client.exams.list());
}

/** What a receiver prints about a delivery that it rejects. */
async function warned(delivery: Request): Promise<string> {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  try {
    await createWebhookHandler({ secret, onUnknown })(delivery);
    return warn.mock.calls.join('\n');
  } finally {
    warn.mockRestore();
  }
}

/** First wrong steps: what was done, and the part of the message that says what to do instead. */
const mistakes: Readonly<Record<string, readonly [act: () => Promise<string>, advice: string | RegExp]>> = {
  'neither address nor key': [creating({ baseUrl: '', apiKey: undefined }), 'set EXAM_SERVICE_BASE_URL'],
  'an address without a scheme': [creating({ baseUrl: 'exams.example.com' }), 'absolute http or https URL'],
  'plain http': [creating({ baseUrl: 'http://exams.example.com/api/v1' }), 'allowInsecureHttp'],
  'a key with its scheme': [creating({ apiKey: 'Bearer key' }), 'Bearer'],
  'a key with a line break': [creating({ apiKey: 'key\n' }), 'line break'],
  'a misspelt option': [creating({ maxRetry: 3 }), 'maxRetries'],
  'a time limit from the environment': [creating({ timeout: '5000' }), 'Number()'],
  'a time limit of 0': [creating({ timeout: 0 }), 'pass false'],
  'an Authorization header': [creating({ headers: { Authorization: 'Bearer key' } }), '`apiKey`'],
  'an id from a form': [() => calling((client) => client.exams.retrieve('7' as never)), 'Number(id)'],
  'two arguments for a pair': [
    () => calling((client) => client.examParticipants.assign(1 as never, 1 as never)),
    'takes ({ participant_id, exam_id }, options?)',
  ],
  'a parameter in camel case': [
    () => calling((client) => client.examResults.list({ examId: 7 } as never)),
    'did you mean `exam_id`',
  ],
  'a signal among the parameters': [
    () => calling((client) => client.exams.list({ signal: AbortSignal.timeout(9) } as never)),
    'last argument',
  ],
  'a limit from a query string': [
    () => calling((client) => client.exams.list({ limit: '10' as never })),
    'Number(',
  ],
  'a parameter of another list': [
    () => calling((client) => client.exams.list({ per_page: 10 } as never)),
    'did you mean `limit`?',
  ],
  'the option of an assignment among its ids': [
    () => calling((client) => client.examParticipants.ensure({ ...pair, link: true } as never)),
    'in the last argument',
  ],
  'an operation that the proxy does not know': [
    () =>
      failureOf(() =>
        createProxyHandler({ baseUrl, apiKey: 'key', allow: ['exam.list' as never], authorize: () => true }),
      ),
    'such as `exams.list`',
  ],
  'https to a port of plain http': [
    async () => {
      await using server = await startServer({});
      return await creatingAndCalling({ baseUrl: server.url.replace('http:', 'https:'), maxRetries: 0 })();
    },
    'check the scheme',
  ],
  'an array without a bound': [
    () => calling((client) => client.exams.list().toArray(undefined as never)),
    'maxItems',
  ],
  'a key of another project': [
    () => calling((client) => client.exams.list(), { apiKey: 'mistyped' }),
    'Check the API key',
  ],
  'no key and no proxy': [
    () => calling((client) => client.exams.list(), { apiKey: null }),
    'does the proxy add it',
  ],
  'an address without the version': [
    () =>
      withService((client, { fetch }) =>
        client.withOptions({ baseUrl: 'http://localhost', fetch }).exams.list(),
      ),
    'version prefix',
  ],
  'the address of a page': [() => messageFor('<!doctype html><title>Sign in</title>'), 'check the base URL'],
  'a fetch that gives nothing': [
    creatingAndCalling({ fetch: async () => undefined }),
    'return a new Response',
  ],
  'a row with another column': [
    () => calling((client) => client.participants.importAll([{ ...ben, role: 'student' } as never])),
    '`map`',
  ],
  'a file without a header line': [
    () =>
      calling((client) =>
        client.participants.importAll([{ 'kofi@example.com': 'a', 'cedar-delta-225': 'b' } as never]),
      ),
    'header line',
  ],
  'a stream of bytes as rows': [
    () => calling((client) => client.participants.importAll([new Uint8Array(9)] as never)),
    'CSV parser',
  ],
  'the name of a file as rows': [
    () => calling((client) => client.participants.importAll('students.csv')),
    'The source is a string: pass rows',
  ],
  'one pair in place of a list': [
    () => calling((client) => client.examParticipants.assignAll(pair as never)),
    'in an array or another iterable',
  ],
  'rows that are still to come': [
    () => calling((client) => client.participants.importAll(Promise.resolve([ben]) as never)),
    'await a Promise first',
  ],
  'an id alone in place of a pair': [
    () => calling((client) => client.examParticipants.assign(1 as never)),
    'takes one object { participant_id, exam_id }',
  ],
  'handlers under another name': [
    () => failureOf(() => createWebhookHandler({ secret, handlers: {} } as never)),
    /It takes .*\bon, onUnknown\b/,
  ],
  'a receiver without a handler': [() => failureOf(() => createWebhookHandler({ secret })), 'pass `on:'],
  'a secret that is not set': [
    () => failureOf(() => createWebhookHandler({ secret: '', onUnknown })),
    'EXAM_SERVICE_WEBHOOK_SECRET',
  ],
  'the secret of another endpoint': [
    () => warned(signedWebhook({ body: '{}', secret: 'whsec_other' }).toRequest()),
    'explainWebhookFailure',
  ],
  'a body that was parsed before': [
    async () => {
      const sent =
        '{"event":"exam.archived","created_at":"2025-03-01T08:00:00+07:00","data":{"a":"\\u00e1"}}';
      const { headers } = signedWebhook({ body: sent, secret }).toNodeParts();
      return (await explainWebhookFailure({ headers, body: JSON.parse(sent) }, { secret })).message;
    },
    'The body was parsed',
  ],
  'the request and reply of Fastify': [
    () =>
      failureOf(() =>
        toNodeListener(createWebhookHandler({ secret, onUnknown }))(
          { raw: {} } as never,
          { raw: {} } as never,
        ),
      ),
    'pass `request.raw` and `reply.raw`',
  ],
  'a receiver given to node:http as it is': [
    async () => {
      const handler = createWebhookHandler({ secret, onUnknown, onError: () => {} });
      return failureOf(() => handler({ method: 'POST', headers: {} } as never));
    },
    'toNodeListener(handler)',
  ],
};

/** A client that calls immediately. */
function creatingAndCalling(options: object): () => Promise<string> {
  return () => failureOf(() => new ExamClient({ baseUrl, apiKey: 'key', ...options }).exams.list());
}

describe('the message about a first wrong step', () => {
  test('is known for at least 25 of them', () => {
    expect(Object.keys(mistakes).length).toBeGreaterThanOrEqual(25);
  });

  test.each(Object.entries(mistakes))('is short and says what to do: %s', async (_, [act, advice]) => {
    const message = await act();
    expect(message).toMatch(advice);
    expect(message.length).toBeLessThan(400);
    expect(message).not.toContain('cedar-delta-225');
  });
});
