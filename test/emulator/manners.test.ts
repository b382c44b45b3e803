import { describe, expect, test } from 'vitest';
import { createEmulator, createManualClock, type EmulatorOptions } from '../../src/testing/index.ts';
import {
  at,
  clientKey,
  createEndpoint,
  createReceiver,
  type Service,
  startService,
  startWithPair,
} from './helpers.ts';

/** Where the service's documentation is silent, the emulator responds as Laravel 11 does. */

interface Row {
  readonly what: string;
  /** Where Laravel does so, and what the service documents. */
  readonly reason: string;
  readonly options?: EmulatorOptions;
  readonly ask: (service: Service) => Promise<unknown>;
  readonly expected: unknown;
}

const message = async (service: Service, method: string, path: string, body?: unknown) =>
  at((await service.call(method, path, { body })).json, 'message');
const people = (...participants: unknown[]) => ({ participants });
const ana = { email: 'ana@example.test', name: 'Ana', password: 'pw' };

const rows: readonly Row[] = [
  {
    what: '`message` of a 422',
    reason: '`ValidationException::summarize`',
    ask: (service) => message(service, 'POST', '/exam-participants/assign', {}),
    expected: 'The participant id field is required. (and 1 more error)',
  },
  {
    what: 'Message for a field',
    reason: '`lang/en/validation.php`',
    ask: async (service) => at((await service.call('GET', '/exams?limit=x&page=0')).json, 'errors'),
    expected: {
      limit: ['The limit field must be an integer.'],
      page: ['The page field must be at least 1.'],
    },
  },
  {
    what: 'A field that breaks several rules',
    reason: 'the validator stops at `required` alone',
    ask: async (service) => at((await service.call('GET', '/exams?limit=')).json, 'errors', 'limit'),
    expected: ['The limit field must be an integer.', 'The limit field must be at least 1.'],
  },
  {
    what: 'Names and emails over 255 characters',
    reason: 'the length of a text column',
    ask: async (service) => {
      const long = { ...ana, name: 'n'.repeat(256) };
      const response = await service.call('POST', '/participants/import', { body: people(long) });
      return at(response.json, 'errors', 'participants.0.name');
    },
    expected: ['The participants.0.name field must not be greater than 255 characters.'],
  },
  {
    what: 'Text at its ends',
    reason: 'middleware `TrimStrings`',
    ask: async (service) => {
      await service.call('PUT', '/participants/1', { body: { name: '\u200B A\u00A0B\uFEFF\u200E ' } });
      return service.emulator.control.participant(1)?.name;
    },
    expected: 'A\u00A0B',
  },
  {
    what: 'Empty text',
    reason: 'middleware `ConvertEmptyStringsToNull`',
    ask: async (service) => {
      const { id } = await createEndpoint(service, ['exam_result.scored']);
      const response = await service.call('PATCH', `/webhooks/${id}`, { body: { description: ' ' } });
      return at(response.json, 'data', 'description');
    },
    expected: null,
  },
  {
    what: 'Password with spaces at the ends',
    reason: '`TrimStrings` leaves out `password`, and not `participants.0.password`',
    ask: async (service) => {
      await service.call('POST', '/participants/import', { body: people({ ...ana, password: ' pw ' }) });
      await service.call('PUT', '/participants/1', { body: { password: ' pw ' } });
      return [2, 1].map((id) => service.emulator.control.participant(id)?.password);
    },
    expected: ['pw', ' pw '],
  },
  {
    what: 'Body of a form',
    reason: '`Request::input` reads JSON only where the type says so',
    ask: async (service) => {
      const body = new URLSearchParams({ participant_id: '1', exam_id: '1' });
      const url = `${service.url}/exam-participants/assign`;
      return (await service.emulator.fetch(url, { method: 'POST', body, headers: clientKey })).status;
    },
    expected: 201,
  },
  {
    what: 'JSON that is not an object',
    reason: '`json_decode` and a cast to an array',
    ask: async (service) => (await service.call('PUT', '/participants/1', { body: '5' })).status,
    expected: 200,
  },
  {
    what: 'Unknown record',
    reason: 'documented: status 404; `findOrFail` and route model binding',
    ask: (service) => message(service, 'GET', '/exams/9'),
    expected: 'No query results for model [App\\Models\\Exam] 9',
  },
  {
    what: 'Id written `01` in a path',
    reason: 'the database compares it as a number',
    ask: async (service) => (await service.call('GET', '/exams/01')).status,
    expected: 200,
  },
  {
    what: 'Unknown route',
    reason: '`NotFoundHttpException`',
    ask: (service) => message(service, 'GET', '/nothing'),
    expected: 'The route api/v1/nothing could not be found.',
  },
  {
    what: 'Method that a path does not have',
    reason: '`MethodNotAllowedHttpException`',
    ask: (service) => message(service, 'POST', '/exams'),
    expected: 'The POST method is not supported for route api/v1/exams. Supported methods: GET, HEAD.',
  },
  {
    what: 'Wrong key and unknown record',
    reason: 'the key is checked before the binding',
    ask: async (service) =>
      (await service.call('GET', '/exams/9', { headers: { 'X-Client-Key': 'wrong' } })).status,
    expected: 401,
  },
  {
    what: 'Response to an import',
    reason: 'documented: status 201; records would be another query',
    ask: async (service) =>
      at((await service.call('POST', '/participants/import', { body: people(ana) })).json, 'data'),
    expected: { created: 1, updated: 0 },
  },
  {
    what: "Response to an import, `importResponse: 'records'`",
    reason: 'documented: status 201; models returned as they are',
    options: { importResponse: 'records' },
    ask: async (service) =>
      at((await service.call('POST', '/participants/import', { body: people(ana) })).json, 'data', 0, 'id'),
    expected: 2,
  },
  {
    what: 'Emails that differ in case, or in how an accent is encoded',
    reason: 'the collation of the column',
    ask: async (service) => {
      const emails = ['zo\u00EB@example.test', 'Zoe\u0308@example.test'];
      const body = people(...emails.map((email) => ({ ...ana, email })));
      return at((await service.call('POST', '/participants/import', { body })).json, 'data', 'created');
    },
    expected: 1,
  },
  {
    what: 'Order of results',
    reason: '`latest()`',
    ask: async (service) => {
      service.emulator.control.seedExams(2);
      service.emulator.control.seedResults([1, 2, 3].map((exam_id) => ({ participant_id: 1, exam_id })));
      const pages = ['page=1', 'page=2'].map(async (page) => {
        const { json } = await service.call('GET', `/exam-results?participant_id=1&limit=2&${page}`);
        return [0, 1].map((index) => at(json, 'data', index, 'exam_result_id'));
      });
      return Promise.all(pages);
    },
    expected: [
      [3, 2],
      [1, undefined],
    ],
  },
  {
    what: 'Order of deliveries',
    reason: '`latest()` sorts by `created_at`, in whole seconds; the rest is the order of the primary keys',
    ask: async (service) => {
      service.emulator.control.seedWebhooks([{ url: 'https://receiver.example.test/' }]);
      for (const event of ['exam_result.completed', 'exam_result.scored'] as const)
        service.emulator.control.testDelivery(1, event);
      await service.clock.advance(1000);
      service.emulator.control.testDelivery(1, 'exam_participant.registered');
      await service.emulator.settled();
      const { json } = await service.call('GET', '/webhooks/1/deliveries');
      return [0, 1, 2].map((index) => at(json, 'data', index, 'event'));
    },
    expected: ['exam_participant.registered', 'exam_result.completed', 'exam_result.scored'],
  },
  {
    what: '`from` and `to` of an empty page',
    reason: "documented: integers; Laravel's paginators",
    ask: async (service) => {
      const { id } = await createEndpoint(service, ['exam_result.scored']);
      const { json } = await service.call('GET', `/webhooks/${id}/deliveries`);
      return ['from', 'to'].map((name) => at(json, 'meta', 'pagination', name));
    },
    expected: [null, null],
  },
  {
    what: 'Score in an event',
    reason: 'as documented',
    ask: scoreOfEvent,
    expected: 87.5,
  },
  {
    what: 'Limit of requests, `requestsPerMinute: 2`',
    reason: 'middleware `throttle`; it sends `-Reset` with a 429 alone, the emulator with every response',
    options: { requestsPerMinute: 2 },
    ask: async (service) => {
      const statuses = [];
      for (let count = 0; count < 3; count += 1) statuses.push((await service.call('GET', '/exams')).status);
      return statuses;
    },
    expected: [200, 200, 429],
  },
  {
    what: 'Preflight of a browser',
    reason:
      '`config/cors.php`; over HTTP, [hosts that are not allowed](#from-another-machine-or-a-container) are rejected first',
    ask: async (service) => {
      const headers = {
        Origin: 'http://localhost:5173',
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'x-client-key',
      };
      const response = await service.call('OPTIONS', '/participants/1', { headers });
      const names = ['origin', 'methods', 'headers'].map((name) => `access-control-allow-${name}`);
      return [response.status, ...names.map((name) => response.headers.get(name))];
    },
    expected: [204, '*', 'PUT', 'x-client-key'],
  },
  {
    what: 'Test delivery',
    reason: 'it is queued',
    ask: async (service) => {
      const { id } = await createEndpoint(service, ['exam_result.scored']);
      return (await service.call('POST', `/webhooks/${id}/test`)).status;
    },
    expected: 202,
  },
];

async function scoreOfEvent(service: Service): Promise<unknown> {
  const { control } = service.emulator;
  await createEndpoint(service, ['exam_result.completed']);
  control.seedAssignments([{ participant_id: 1, exam_id: 1 }]);
  control.startExam({ participant_id: 1, exam_id: 1 });
  control.finishExam({ participant_id: 1, exam_id: 1, score: 87.5 });
  await service.emulator.settled();
  return at(JSON.parse(service.emulator.deliveries[0]?.body ?? '{}'), 'data', 'score');
}

test.each(rows)('$what', async ({ options, ask, expected }) => {
  await using service = await startWithPair(options);
  expect(await ask(service)).toEqual(expected);
});

describe('a limit of requests', () => {
  test('is given in headers, and is over after a minute', async () => {
    const clock = createManualClock();
    const emulator = createEmulator({ clock, requestsPerMinute: 2 });
    const ask = () => emulator.fetch('http://localhost/api/v1/exams', { headers: clientKey });
    const limitHeaders = async () => {
      const { status, headers } = await ask();
      const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'];
      return [status, ...names.map((name) => headers.get(name))];
    };
    const end = String(clock.now() / 1000 + 60);
    expect(await limitHeaders()).toEqual([200, '2', '1', end, null]);
    await clock.advance(20_500);
    expect(await limitHeaders()).toEqual([200, '2', '0', end, null]);
    expect(await limitHeaders()).toEqual([429, '2', '0', end, '40']);
    await clock.advance(39_500);
    expect((await limitHeaders()).slice(0, 3)).toEqual([200, '2', '1']);
  });

  test('is not there by default, and can be changed while the emulator runs', async () => {
    await using service = await startWithPair();
    expect((await service.call('GET', '/exams')).headers.get('x-ratelimit-limit')).toBeNull();
    service.emulator.control.configure({ requestsPerMinute: 1 });
    expect((await service.call('GET', '/exams')).headers.get('x-ratelimit-remaining')).toBe('0');
    expect((await service.call('POST', '/webhooks', { body: {} })).json).toMatchObject({
      message: 'Too Many Attempts.',
    });
    service.emulator.reset();
    expect((await service.call('GET', '/exams')).status).toBe(200);
  });

  test.each([0, -1, Number.NaN])('of %j is rejected', (requestsPerMinute) => {
    expect(() => createEmulator({ requestsPerMinute })).toThrow('`requestsPerMinute` must be');
  });
});

test.each([
  ['style', 'resources', '`style` must be one of resource, paginator, envelope, bare, not resources.'],
  ['importResponse', 'ids', '`importResponse` must be one of counts, records, not ids.'],
])('a word that %s cannot be is rejected with those that it can: %s', (name, word, message) => {
  const options = { [name]: word };
  expect(() => createEmulator(options)).toThrow(message);
  expect(() => createEmulator().control.configure(options)).toThrow(message);
});

test('OPTIONS without a preflight names the methods of a path', async () => {
  await using service = await startService();
  const response = await service.call('OPTIONS', '/exams', { headers: {} });
  expect([response.status, response.headers.get('allow')]).toEqual([200, 'GET,HEAD']);
  expect((await service.call('OPTIONS', '/nothing', { headers: {} })).status).toBe(404);
});

test('a page of a browser may read every response, also a rejection', async () => {
  await using service = await startService();
  const responses = [
    await service.call('GET', '/exams'),
    await service.call('GET', '/exams/9'),
    await service.call('GET', '/nothing'),
    await service.call('GET', '/exams', { headers: {} }),
  ];
  expect(responses.map(({ headers }) => headers.get('access-control-allow-origin'))).toEqual([
    '*',
    '*',
    '*',
    '*',
  ]);
});

test('a result without a score has none in the list and in its event, until it gets one', async () => {
  const receiver = createReceiver();
  await using service = await startWithPair({ fetch: receiver.fetch });
  const { control } = service.emulator;
  await createEndpoint(service, ['exam_result.completed', 'exam_result.scored']);
  control.seedAssignments([{ participant_id: 1, exam_id: 1 }]);
  control.startExam({ participant_id: 1, exam_id: 1 });
  const { id } = control.finishExam({ participant_id: 1, exam_id: 1 });
  const score = async () => at((await service.call('GET', '/exam-results')).json, 'data', 0, 'score');
  expect(await score()).toBeNull();
  control.rescore(id, 70);
  expect(await score()).toBe('70.00');
  await service.emulator.settled();
  expect(receiver.received.map(({ json }) => at(json, 'data', 'score'))).toEqual([null, 70]);
  control.seedExams(1);
  control.seedResults([{ participant_id: 1, exam_id: 2, score: null }]);
  expect(await score()).toBeNull();
});
