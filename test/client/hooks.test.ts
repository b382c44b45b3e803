import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type Hooks,
  InternalServerError,
  type OnDeprecationEvent,
  type OnRequestEvent,
  type OnResponseEvent,
  type OnRetryEvent,
  type OnSchemaDriftEvent,
} from '../../src/index.ts';
import { createClient, nowhere, recordLog, rejection, testKey, throwing } from '../helpers/client.ts';
import { nextTurn } from '../helpers/gate.ts';
import { type ServiceResponse, startService } from '../helpers/server.ts';

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

function recordHooks() {
  const names: string[] = [];
  const events = {
    request: [] as OnRequestEvent[],
    response: [] as OnResponseEvent[],
    retry: [] as OnRetryEvent[],
    drift: [] as OnSchemaDriftEvent[],
    deprecation: [] as OnDeprecationEvent[],
  };
  const into =
    <Event>(name: string, list: Event[]) =>
    (event: Event) => {
      names.push(name);
      list.push(event);
    };
  const hooks: Hooks = {
    onRequest: into('request', events.request),
    onResponse: into('response', events.response),
    onRetry: into('retry', events.retry),
    onSchemaDrift: into('drift', events.drift),
    onDeprecation: into('deprecation', events.deprecation),
  };
  return { names, events, hooks };
}

test('hooks are called in the order of what happens, each with its attempt', async () => {
  await using server = startService([{ status: 503, headers: { 'X-Node': 'a' } }, { body: { id: 3 } }]);
  const { names, events, hooks } = recordHooks();
  await createClient(server, { hooks, maxRetries: 2 }).exams.retrieve(3);
  expect(names).toEqual(['request', 'response', 'retry', 'request', 'response']);
  const common = { operation: 'exams.retrieve', method: 'GET', url: `${server.url}/exams/3` };
  expect(events.request).toMatchObject([
    { ...common, attempt: 1, auth: 'clientKey' },
    { ...common, attempt: 2, auth: 'clientKey' },
  ]);
  expect(events.response).toMatchObject([
    { ...common, attempt: 1, status: 503 },
    { ...common, attempt: 2, status: 200 },
  ]);
  expect(events.response[0]?.headers.get('x-node')).toBe('a');
  expect(events.response[0]?.durationMs).toBeGreaterThanOrEqual(0);
  expect(events.retry).toMatchObject([{ ...common, attempt: 1, delayMs: 0 }]);
  expect(events.retry[0]?.error).toBeInstanceOf(InternalServerError);
});

test('headers that onRequest adds are sent, with every attempt anew', async () => {
  await using server = startService([{ status: 503 }, { body: [] }]);
  const onRequest = ({ headers, attempt }: OnRequestEvent) => headers.append('traceparent', `00-${attempt}`);
  await createClient(server, { hooks: { onRequest }, maxRetries: 1 }).exams.list();
  expect(server.requests.map(({ headers }) => headers['traceparent'])).toEqual(['00-1', '00-2']);
});

test('a hook can neither see the credential nor replace it', async () => {
  await using server = startService({ body: [] });
  const { events, hooks } = recordHooks();
  const onRequest = (event: OnRequestEvent) => {
    hooks.onRequest?.(event);
    event.headers.set('X-Client-Key', 'other');
    event.headers.set('Authorization', 'Bearer other');
  };
  await createClient(server, { hooks: { onRequest } }).exams.list();
  expect(server.request.headers['x-client-key']).toBe(testKey);
  expect(server.request.headers).not.toHaveProperty('authorization');
  expect([...(events.request[0]?.headers.values() ?? [])].join()).not.toContain(testKey);
});

test('a hook cannot change in which format the client sends and reads', async () => {
  await using server = startService({ status: 201, body: {} });
  const onRequest = ({ headers }: OnRequestEvent) => {
    headers.set('Accept', 'text/html');
    headers.delete('Content-Type');
  };
  const pair = { participant_id: 1, exam_id: 1 };
  await createClient(server, { hooks: { onRequest } }).examParticipants.assign(pair);
  const json = 'application/json';
  expect(server.request.headers).toMatchObject({ accept: json, 'content-type': json });
});

test('without a response there is no onResponse, and without a further attempt no onRetry', async () => {
  const { names, hooks } = recordHooks();
  const fetch = () => Promise.reject(new TypeError('fetch failed'));
  await rejection(createClient(nowhere, { hooks, fetch, maxRetries: 1 }).exams.list());
  expect(names).toEqual(['request', 'retry', 'request']);
});

describe('a deprecated operation', () => {
  const headers = {
    Deprecation: '@1767225600',
    Sunset: 'Thu, 31 Dec 2026 23:59:59 GMT',
    Link: '<https://h.test>',
  };

  test('is reported to the hook every time, and logged once for each operation', async () => {
    await using server = startService(({ path }) => ({
      headers,
      body: path === '/exams' ? [] : { id: 3 },
    }));
    const { events, hooks } = recordHooks();
    const logger = recordLog();
    const client = createClient(server, { hooks, logger, logLevel: 'warn' });
    await client.exams.list();
    await client.exams.list();
    await client.exams.retrieve(3);
    const event = { deprecation: headers.Deprecation, sunset: headers.Sunset, link: headers.Link };
    expect(events.deprecation).toMatchObject([
      { operation: 'exams.list', ...event },
      { operation: 'exams.list', ...event },
      { operation: 'exams.retrieve', ...event },
    ]);
    expect(logger.lines).toEqual([
      { level: 'warn', message: expect.stringContaining(`exams.list: the service has deprecated`) },
      { level: 'warn', message: expect.stringContaining(`exams.retrieve: the service has deprecated`) },
    ]);
    expect(logger.lines[0]?.message).toContain(headers.Sunset);
  });

  test('is logged once for a client and all that withOptions makes of it', async () => {
    await using server = startService({ headers, body: [] });
    const logger = recordLog();
    const client = createClient(server, { logger, logLevel: 'warn' });
    const others = [
      client,
      client.withOptions({ timeout: 1_000 }),
      client.withOptions({ apiKey: 'another-key' }).withOptions({ maxConcurrency: 1 }),
    ];
    for (const each of others) await each.withOptions({ maxRetries: 1 }).exams.list();
    expect(logger.lines).toHaveLength(1);
    await createClient(server, { logger, logLevel: 'warn' }).exams.list();
    expect(logger.lines).toHaveLength(2);
  });

  test.each([
    [{ Deprecation: 'true' }, { deprecation: 'true', sunset: null, link: null }],
    [{ Sunset: headers.Sunset }, { deprecation: null, sunset: headers.Sunset, link: null }],
  ])('may be announced by one header alone: %o', async (sent, expected) => {
    await using server = startService({ status: 404, headers: sent });
    const { events, hooks } = recordHooks();
    await rejection(createClient(server, { hooks }).exams.list());
    expect(events.deprecation).toMatchObject([{ operation: 'exams.list', ...expected }]);
  });

  test('is not announced by a link alone', async () => {
    await using server = startService({ headers: { Link: '</exams?page=2>; rel="next"' }, body: [] });
    const { names, hooks } = recordHooks();
    await createClient(server, { hooks }).exams.list();
    expect(names).toEqual(['request', 'response']);
  });
});

const drift: ServiceResponse = { headers: { Deprecation: 'true' }, body: { id: 'three' } };

const rejectingThenable = Object.defineProperty({}, 'then', {
  value: (_: unknown, fail: (reason: unknown) => void) => fail(new Error(`hook broken by ${testKey}`)),
});

const failures: [string, () => unknown][] = [
  ['throws', throwing(new Error(`hook broken by ${testKey}`))],
  ['rejects', () => Promise.reject(new Error(`hook broken by ${testKey}`))],
  ['gives a thenable that rejects', () => rejectingThenable],
];

test.each(failures)(
  'a hook that %s does not break the call, and is logged without its message',
  async (_, hook) => {
    await using server = startService([{ status: 503 }, drift]);
    const logger = recordLog();
    const hooks = {
      onRequest: hook,
      onResponse: hook,
      onRetry: hook,
      onDeprecation: hook,
      onSchemaDrift: hook,
      onStart: hook,
      onEnd: hook,
    };
    const client = createClient(server, {
      hooks,
      logger,
      logLevel: 'warn',
      validation: 'report',
      maxRetries: 1,
    });
    expect(await client.exams.retrieve(3)).toEqual({ id: 'three' });
    await nextTurn();
    expect(logger.lines.filter(({ message }) => /hook/.test(message))).toHaveLength(9);
    const messages = logger.lines.map(({ message }) => message);
    expect(messages).toContain('exam-service-sdk: the hook onSchemaDrift failed; the call continues');
    expect(messages.join()).not.toContain(testKey);
  },
);

test('hooks other than onRequest are not waited for', async () => {
  await using server = startService([{ status: 503 }, drift]);
  const hook = () => new Promise(() => {});
  const hooks = { onStart: hook, onResponse: hook, onRetry: hook, onSchemaDrift: hook, onEnd: hook };
  const client = createClient(server, { hooks, validation: 'report', maxRetries: 1 });
  expect(await client.exams.retrieve(3)).toEqual({ id: 'three' });
});
