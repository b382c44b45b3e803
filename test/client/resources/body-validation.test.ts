import { describe, expect, test } from 'vitest';
import { listTable } from '../../../src/core/options/call-options.ts';
import {
  type ExamClient,
  type ParticipantImport,
  RequestValidationError,
  type WebhookCreate,
  type WebhookUpdate,
} from '../../../src/index.ts';
import { createClient, failure } from '../../helpers/client.ts';
import { operations } from '../../helpers/operations.ts';
import { startService } from '../../helpers/server.ts';
import { issuesOf } from './helpers.ts';

/** A value that the types would reject. */
const unchecked = <T>(value: unknown) => value as T;

const ada = { email: 'ada@example.test', name: 'Ada', password: 'first-password' };

describe('an import', () => {
  const importing = (rows: unknown) => (client: ExamClient) =>
    client.participants.import(unchecked<ParticipantImport[]>(rows));

  test('of nobody is rejected', async () => {
    expect(await issuesOf(importing([]))).toEqual({ participants: 'must hold at least one participant' });
  });

  test.each([
    [null, 'must be a list of participants'],
    [ada, 'must be a list of participants'],
    ['ada@example.test', 'must be a list of participants'],
    [undefined, 'is required'],
  ])('of %j is rejected', async (rows, message) => {
    expect(await issuesOf(importing(rows))).toEqual({ participants: message });
  });

  test('names every field that is missing, blank or no string, by its row', async () => {
    const rows = [ada, { email: '', name: ' \n' }, null, { ...ada, password: 12345 }];
    expect(await issuesOf(importing(rows))).toEqual({
      'participants.1.email': 'must not be empty',
      'participants.1.name': 'must not be empty',
      'participants.1.password': 'is required',
      'participants.2': 'must be an object { email, name, password }',
      'participants.3.password': 'must be a string, not a number',
    });
  });

  test.each(['\u200B', ' \uFEFF\u200E ', '\u00A0\u2003'])(
    'rejects %j, which the service trims to nothing',
    async (blank) => {
      expect(await issuesOf(importing([{ ...ada, name: blank, password: blank }]))).toEqual({
        'participants.0.name': 'must not be empty',
        'participants.0.password': 'must not be empty',
      });
    },
  );

  test('rejects a misspelt field, which the service would ignore', async () => {
    expect(await issuesOf(importing([{ ...ada, pasword: 'x' }]))).toEqual({
      'participants.0': expect.stringContaining('has an unknown column `pasword` (did you mean `password`?)'),
    });
  });

  test('counts in the message what it does not list', async () => {
    const rows = Array.from({ length: 40 }, () => ({ ...ada, name: '' }));
    const call = createClient({ url: 'https://h.test' }).participants.import(rows);
    const error = await failure(call, RequestValidationError);
    expect(error.issues).toHaveLength(40);
    expect(error.message).toContain('; and 37 more');
  });

  test('never quotes what was rejected', async () => {
    const rows = unchecked<ParticipantImport[]>([{ ...ada, name: { first: 'first-password' } }]);
    const error = await failure(
      createClient({ url: 'https://h.test' }).participants.import(rows),
      RequestValidationError,
    );
    expect(error.message).not.toContain('first-password');
    expect(JSON.stringify(error.issues)).not.toContain('first-password');
  });
});

describe('an update of a participant', () => {
  const updating = (changes: unknown) => (client: ExamClient) =>
    client.participants.update(7, unchecked(changes));

  test.each([{}, { name: undefined }, { name: undefined, password: undefined }])(
    '%j is empty',
    async (changes) => {
      expect(await issuesOf(updating(changes))).toEqual({ '': 'needs `name` or `password`' });
    },
  );

  test.each([null, undefined, 'Ada', ['Ada']])('%j is no change', async (changes) => {
    expect(await issuesOf(updating(changes))).toEqual({ '': 'takes one object { name?, password? }' });
  });

  test('must not blank a field or set one to null', async () => {
    expect(await issuesOf(updating({ name: ' ', password: null }))).toEqual({
      name: 'must not be empty',
      password: 'must be a string, not null',
    });
  });

  test('does not take an email', async () => {
    expect(await issuesOf(updating({ email: 'ada@example.test', name: 'Ada' }))).toEqual({
      '': 'unknown parameter `email`: it takes name, password',
    });
  });
});

describe('a pair', () => {
  const noPair = { '': 'takes one object { participant_id, exam_id }' };
  const ids = { participant_id: 1, exam_id: 2 };

  test.each<['assign' | 'link' | 'unassign', input: unknown, issues: object]>([
    ['assign', {}, { participant_id: 'is required', exam_id: 'is required' }],
    ['assign', { participant_id: undefined }, { participant_id: 'is required', exam_id: 'is required' }],
    ['link', null, noPair],
    ['unassign', null, noPair],
    [
      'assign',
      { participant_id: 1, examId: 2 },
      { '': 'unknown parameter `examId` (did you mean `exam_id`?)', exam_id: 'is required' },
    ],
    [
      'assign',
      { ...ids, force: true },
      { '': 'unknown parameter `force`: it takes participant_id, exam_id' },
    ],
    ...[...Object.keys(listTable), 'link'].map((option): ['assign', object, object] => [
      'assign',
      { ...ids, [option]: undefined },
      { '': `\`${option}\` is an option: pass it in the last argument` },
    ]),
  ])('for %s is not %o', async (method, input, issues) => {
    expect(await issuesOf(({ examParticipants }) => examParticipants[method](unchecked(input)))).toEqual(
      issues,
    );
  });
});

const hook = { url: 'https://receiver.example.test/hooks', events: ['exam_result.completed'] };
const BASE = 'https://receiver.example.test/';
const urlOf = (length: number, filler: string) => BASE + filler.repeat(length - BASE.length);

describe.each([
  ['created', (client: ExamClient, body: object) => client.webhooks.create(unchecked<WebhookCreate>(body))],
  [
    'updated',
    (client: ExamClient, body: object) => client.webhooks.update(4, unchecked<WebhookUpdate>(body)),
  ],
])('a webhook endpoint that is %s', (kind, act) => {
  const { response } = operations.find(({ name }) => name === 'webhooks.create') ?? {};

  const noUrl = 'must be an absolute http or https URL';
  const invalid: readonly [message: string, field: string, path: string, ...values: unknown[]][] = [
    ['must be at most 2048 characters long', 'url', 'url', urlOf(2049, 'x')],
    [noUrl, 'url', 'url', '/hooks', 'ftp://h.test/', 'javascript:alert(1)', ''],
    ['must be a string', 'url', 'url', null],
    ['must hold at least one event name', 'events', 'events', []],
    ['must be a list of event names', 'events', 'events', 'exam_result.completed'],
    ['must not be empty', 'events', 'events.1', ['exam_result.completed', ' ']],
    ['must be a string, not null', 'events', 'events.0', [null]],
    ['must be at most 255 characters long', 'description', 'description', 'd'.repeat(256), '🦉'.repeat(256)],
    ['must be a string or null', 'description', 'description', 5],
    ['must be true or false', 'is_active', 'is_active', 'yes', null],
  ];

  test.each(invalid)('%s: `%s`', async (message, field, path, ...values) => {
    for (const value of values)
      expect(await issuesOf((client) => act(client, { ...hook, [field]: value }))).toEqual({
        [path]: message,
      });
  });

  test('must not bring a secret', async () => {
    expect(await issuesOf((client) => act(client, { ...hook, secret: 'mine' }))).toEqual({
      '': expect.stringMatching(/^unknown parameter `secret`: it takes url, events, description, is_active/),
    });
  });

  test.each([
    ['a URL of 2048 characters', { url: urlOf(2048, 'x') }],
    ['plain http', { url: 'http://receiver.example.test/hooks' }],
    ['a description of 255 characters', { description: 'd'.repeat(255) }],
    ['a description of 255 owls, each one character to a reader', { description: '🦉'.repeat(255) }],
    ['no description', { description: null }],
    ['an empty description', { description: '' }],
    ['an event that the document does not know', { events: ['exam.published'] }],
  ])('may have %s', async (_, field) => {
    await using server = startService(response ?? {});
    await act(createClient(server), { ...hook, ...field });
    expect(server.request.body).toEqual({ ...hook, ...field });
  });

  test('needs what is required', async () => {
    expect(await issuesOf((client) => act(client, {}))).toEqual(
      kind === 'created'
        ? { url: 'is required', events: 'is required' }
        : {
            '': 'needs at least one of `url`, `events`, `description` and `is_active`',
          },
    );
  });
});

test('a new secret is not asked for by an update, and the method for it is named', async () => {
  const changes = unchecked<WebhookUpdate>({ is_active: true, rotate_secret: true });
  expect(await issuesOf((client) => client.webhooks.update(4, changes))).toEqual({
    '': expect.stringContaining('webhooks.rotateSecret(id)'),
  });
});

const names =
  'exam_participant.registered, exam_participant.unregistered, exam_result.completed, exam_result.scored';

describe.each([
  ['a test delivery', (client: ExamClient, event: object) => client.webhooks.test(4, event)],
  ['a filter of deliveries', (client: ExamClient, event: object) => client.webhooks.deliveries(4, event)],
])('the event of %s, in whose place the service would take another or none,', (_, act) => {
  test.each([
    ['misspelt', 'exam_result.score', `must be one of ${names} (did you mean \`exam_result.scored\`?)`],
    ['unlike any', 'archived', `must be one of ${names}`],
    ['blank', ' ', `must be one of ${names}`],
    ['null', null, 'must be a string'],
  ])('must not be %s', async (_name, event, message) => {
    expect(await issuesOf((client) => act(client, { event }))).toEqual({ event: message });
  });
});

test('a test delivery has no other field', async () => {
  const test = unchecked<object>({ name: 'exam_result.scored' });
  expect(await issuesOf((client) => client.webhooks.test(4, test))).toEqual({
    '': 'unknown parameter `name`: it takes event',
  });
});

describe('what was checked is what is sent:', () => {
  class Row {
    readonly email = 'ada@example.test';
    readonly name = 'Ada';
    readonly password = 'first-password-1';
    toJSON() {
      return { email: this.email };
    }
  }

  test('rows of a class with its own `toJSON`, whole', async () => {
    await using server = startService({ status: 201, body: {} });
    await createClient(server).participants.import([new Row()]);
    expect(server.request.body).toEqual({
      participants: [{ email: 'ada@example.test', name: 'Ada', password: 'first-password-1' }],
    });
  });

  const pair = { participant_id: 1, exam_id: 2 };
  const get = { method: 'GET', path: '/', auth: 'bearer' };

  class Filter {
    get exam_id() {
      return 7;
    }
    get page() {
      return 2;
    }
    get name() {
      return 'Ada';
    }
  }

  test.each<[string, (client: ExamClient) => Promise<unknown>]>([
    ['a query', ({ examResults }) => examResults.list(new Filter())],
    ['changes', ({ participants }) => participants.update(3, new Filter())],
    ['a pair', ({ examParticipants }) => examParticipants.ensure(Object.create(pair))],
    ['a request', (client) => client.request(Object.create(get))],
  ])('%s that inherits fields, which would be left out, is rejected', async (_, call) => {
    expect(await issuesOf(call)).toEqual({ '': 'must be a plain object' });
  });

  describe.each<[string, (pairs: [string, string][]) => object]>([
    ['URLSearchParams', (pairs) => new URLSearchParams(pairs)],
    ['Headers', (pairs) => new Headers(pairs)],
    ['a Map', (pairs) => new Map(pairs)],
  ])('%s, whose fields would be left out, instead of an object', (_kind, make) => {
    test.each<[string, (client: ExamClient) => Promise<unknown>]>([
      ['a query', ({ examResults }) => examResults.list(make([['exam_id', '3']]) as object)],
      ['a filter of deliveries', ({ webhooks }) => webhooks.deliveries(3, make([['status', 'x']]) as object)],
      ['the event of a test', ({ webhooks }) => webhooks.test(3, make([['event', 'x']]) as object)],
      ['a pair', ({ examParticipants }) => examParticipants.ensure(make([['exam_id', '3']]) as never)],
      ['a request', (client) => client.request(make([['method', 'GET']]) as never)],
    ])('is rejected as %s', async (_, call) => {
      expect(await issuesOf(call)).toEqual({ '': 'must be a plain object' });
    });
  });

  test('an instance of a class without any field is no query, as it asks for nothing', async () => {
    class Query {
      declare page?: number;
    }
    await using server = startService({ body: { data: [] } });
    expect(await createClient(server).examResults.list(new Query())).toMatchObject({ data: [] });
    expect(server.request.query.size).toBe(0);
  });
});
