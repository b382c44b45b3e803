import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import {
  ConfigurationError,
  type ExamClient,
  RequestValidationError,
  type StandardSchema,
} from '../../../src/index.ts';
import { createClient, failure, nowhere, testKey, thrown } from '../../helpers/client.ts';
import { startService } from '../../helpers/server.ts';

const schema: StandardSchema = {
  '~standard': { version: 1, vendor: 'tests', validate: (value) => ({ value }) },
};

test.each<[string, object, string]>([
  ['an option', { baseURL: nowhere.url }, 'the options of the client: `baseURL` (did you mean `baseUrl`?)'],
  ['an option in snake case', { api_key: 'x' }, '`api_key` (did you mean `apiKey`?)'],
  ['an option with a letter too many', { timeouts: 5 }, '`timeouts` (did you mean `timeout`?)'],
  ['an option with two letters exchanged', { maxRetires: 5 }, '`maxRetires` (did you mean `maxRetries`?)'],
  ['an option of openai', { defaultHeaders: {} }, '`defaultHeaders` (did you mean `headers`?)'],
  ['an option of stripe', { httpAgent: {} }, '`httpAgent` (did you mean `fetchOptions`?)'],
  ['a key by its short name', { key: 'x' }, '`key` (did you mean `apiKey`?)'],
  ['a token', { token: 'x' }, '`token` (did you mean `apiKey`?)'],
  ['an option that resembles none', { verbose: true }, 'the options of the client: `verbose`.'],
  ['an option of a call', { signal: undefined }, 'the options of the client: `signal`.'],
  ['a hook', { hooks: { onrequest() {} } }, '`hooks`: `onrequest` (did you mean `onRequest`?)'],
  ['a hook that resembles none', { hooks: { beforeSend() {} } }, '`hooks`: `beforeSend`.'],
  [
    'a hook among the methods of a class',
    {
      hooks: new (class {
        onEnded() {}
      })(),
    },
    '`hooks`: `onEnded` (did you mean `onEnd`?)',
  ],
  ['a schema', { schemas: { exams: schema } }, '`schemas`: `exams` (did you mean `exam`?)'],
  ['a schema in snake case', { schemas: { exam_result: schema } }, '(did you mean `examResult`?)'],
])(
  '%s that is unknown is rejected when the client is made, with the name that was meant',
  (_, options, reported) => {
    const error = thrown(() => createClient(nowhere, options), ConfigurationError);
    expect(error.message).toContain('Unknown name in ');
    expect(error.message).toContain(reported);
  },
);

const calls: [string, (client: ExamClient, options: object) => PromiseLike<unknown>][] = [
  ['a read', (client, options) => client.exams.retrieve(3, options)],
  ['a command', (client, options) => client.participants.update(3, { name: 'Ada' }, options)],
  ['a list', (client, options) => client.exams.list({}, options)],
  [
    'a custom request',
    (client, options) => client.request({ method: 'GET', path: '/x', auth: 'bearer' }, options),
  ],
];

test.each(calls)(
  '%s rejects unknown options, and what is no object, before anything is sent',
  async (_, call) => {
    await using server = startService({ body: { id: 3 } });
    const rejected = (options: unknown) =>
      failure(call(createClient(server), options as object), ConfigurationError);
    expect((await rejected({ timeOut: 5 })).message).toContain('`timeOut` (did you mean `timeout`?)');
    expect((await rejected('fast')).message).toContain('argument must be an object.');
    expect(server.requests).toHaveLength(0);
  },
);

test.each<[given: unknown, reported: string]>([
  [{ retries: 5 }, '`retries` (did you mean `maxRetries`?)'],
  [{ httpAgent: {} }, '`httpAgent` (did you mean `fetchOptions`?)'],
  [{ key: 'x' }, ': `key`. It takes timeout'],
  [{ apiKey: 'x' }, ': `apiKey`. It takes timeout'],
  [null, 'argument must be an object.'],
  [5, 'argument must be an object.'],
  [() => 5, 'argument must be an object.'],
])('the options %j of a call are rejected', async (given, reported) => {
  const call = createClient(nowhere).exams.retrieve(3, given as object);
  expect((await failure(call, ConfigurationError)).message).toContain(reported);
});

/** Calls with their parameters one by one, and the call that was meant. */
const oneByOne: [(client: ExamClient, given: never) => PromiseLike<unknown>, string][] = [
  [
    ({ examParticipants }, given) => examParticipants.assign(given, given),
    'examParticipants.assign takes ({ participant_id, exam_id }, options?): the second',
  ],
  [({ exams }, given) => exams.retrieve(7, given), 'exams.retrieve takes (id, options?): the second'],
  [
    ({ participants }, given) => participants.update(1, given, given),
    'participants.update takes (id, { name?, password? }, options?): the third',
  ],
  [
    ({ participants }, given) => participants.importAll([], given),
    'participants.importAll takes (rows, options?): the second',
  ],
  [({ webhooks }, given) => webhooks.list(given), 'webhooks.list takes (options?): the first'],
  [
    ({ webhooks }, given) => webhooks.ensure(given, given),
    'webhooks.ensure takes ({ url, events, description?, is_active? }, options?): the second',
  ],
  [
    (client, given) => client.request({ method: 'GET', path: '/x', auth: 'bearer' }, given),
    'request takes ({ method, path, auth, query?, body?, schema? }, options?): the second',
  ],
];

test.each(oneByOne)(
  'a call of parameters one by one is rejected with the call that was meant: %#',
  async (call, meant) => {
    for (const given of [1, 'text', null, ['exam_result.scored']]) {
      await using server = startService({ body: { id: 3 } });
      const error = await failure(call(createClient(server), given as never), ConfigurationError);
      expect(error.message).toBe(`${meant} argument must be an object.`);
      expect(server.requests).toHaveLength(0);
    }
  },
);

test.each([
  ['AbortSignal', new AbortController().signal],
  ['Promise', Promise.resolve({ timeout: 5 })],
  ['Headers', new Headers({ 'x-a': '1' })],
])('%s in the place of options is rejected, as it would be ignored', async (kind, given) => {
  await using server = startService({ body: { id: 3 } });
  const call = createClient(server).exams.retrieve(3, given as object);
  expect((await failure(call, ConfigurationError)).message).toBe(
    `Unknown name in the options of exams.retrieve: ${kind} is not an options object. It takes timeout, totalTimeout, maxRetries, validation, headers, fetchOptions, signal, query.`,
  );
  expect(server.requests).toHaveLength(0);
});

describe('an id given as text', () => {
  const advice = 'must be an integer from 1 to 9007199254740991, not a string: use Number(id)';
  const id: unknown = '7';
  const text = id as number;

  test.each<[string, string, (client: ExamClient) => PromiseLike<unknown>]>([
    ['in a path', 'id', ({ exams }) => exams.retrieve(text)],
    ['of an endpoint', 'id', ({ webhooks }) => webhooks.delete(text)],
    [
      'in a body',
      'participant_id',
      ({ examParticipants }) => examParticipants.assign({ participant_id: text, exam_id: 3 }),
    ],
    [
      'in a query',
      'exam_id',
      ({ examParticipants }) => examParticipants.link({ participant_id: 7, exam_id: text }),
    ],
    ['in the filter of a list', 'exam_id', ({ examResults }) => examResults.list({ exam_id: text })],
  ])('%s is rejected with the way to convert it', async (_, path, call) => {
    const error = await failure(call(createClient(nowhere)), RequestValidationError);
    expect(error.issues).toEqual([{ path, message: advice }]);
  });

  test.each(['', 'seven', '7.5', '-7', ' 7'])(
    'that is no number (%j) is not said to be one',
    async (given) => {
      const other: unknown = given;
      const error = await failure(
        createClient(nowhere).exams.retrieve(other as number),
        RequestValidationError,
      );
      expect(error.message).not.toContain('Number(id)');
    },
  );
});

describe('a base URL', () => {
  test.each([
    ['/api/v1', "new URL('/api/v1', location.href)"],
    ['./api', "new URL('./api', location.href)"],
    ['../api', "new URL('../api', location.href)"],
  ])('of %s names the URL to pass in a page', (baseUrl, advice) => {
    const error = thrown(() => createClient(nowhere, { baseUrl }), ConfigurationError);
    expect(error.message).toContain(`in a page, pass ${advice}.`);
  });

  test.each([`/api?key=${testKey}`, `/api#${testKey}`, `//user:${testKey}@h.test/api`])(
    'that is relative is not quoted where it may hold a secret',
    (baseUrl) => {
      const error = thrown(() => createClient(nowhere, { baseUrl }), ConfigurationError);
      expect(error.message).toMatch(/must be an absolute http or https URL/);
      expect(error.message).not.toContain(testKey);
    },
  );
});

test('a key that begins with "Bearer" as one word is a key like any other', () => {
  expect(() => createClient(nowhere, { apiKey: `Bearer${testKey}` })).not.toThrow();
});

describe('a class may give options or hooks', () => {
  test('with methods of its own beside them', async () => {
    await using server = startService({ body: [] });
    class Telemetry extends EventEmitter {
      count = 0;
      onEnd() {
        this.count += 1;
      }
      onEndOfDay() {
        return this.count;
      }
    }
    const hooks = new Telemetry();
    await createClient(server, { hooks }).exams.list();
    expect(hooks.onEndOfDay()).toBe(1);
  });

  test('and those of a second client are read as those of the first', async () => {
    await using server = startService({ body: { id: 3 } });
    class Options {
      get headers() {
        return { 'X-Trace': 'from a getter' };
      }
    }
    const second = createClient(server).withOptions(new Options());
    await second.exams.retrieve(3);
    expect(server.requests[0]?.headers['x-trace']).toBe('from a getter');
    for (const wrong of [new Map([['timeout', 5]]), new AbortController().signal, []])
      expect(() => second.withOptions(wrong as object)).toThrow('is not an options object. It takes ');
  });
});
