import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ExamClient } from '../../src/index.ts';
import { createWebhookHandler } from '../../src/webhooks/index.ts';
import { fresh } from '../fixtures/responses/webhooks.ts';
import { type Claim, claims } from './claims.ts';
import {
  at,
  bearerOperations,
  clientKeyOperations,
  createEndpoint,
  createReceiver,
  pair,
  type Service,
  startWithPair,
  statusOf,
} from './helpers.ts';

/** Every claim of the service's documentation, held against the emulator: the compiler demands a proof of each. */

interface Ground extends Service {
  readonly receiver: ReturnType<typeof createReceiver>;
}

/** Shows a claim with a participant and an exam, both with the id 1, and a receiver of deliveries. */
type Proof = (service: Ground) => Promise<void>;

const IMPORT = '/participants/import';
const ASSIGN = '/exam-participants/assign';
const UNASSIGN = '/exam-participants/unassign';
const LINK = '/exam-participants/link';
const DELIVERIES = '/webhooks/1/deliveries';
const ana = { email: 'ana@example.test', name: 'Ana', password: 'secret-word' };
const completed = 'exam_result.completed';
const endpoint = { url: 'https://receiver.example.test/hooks', events: [completed] };
const number = expect.any(Number);
const text = expect.any(String);
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);

const post = (service: Service, path: string, body?: unknown) => service.call('POST', path, { body });
const get = async (service: Service, path: string) => (await service.call('GET', path)).json;
const imported = (service: Service, ...participants: unknown[]) => post(service, IMPORT, { participants });

/** The statuses of GET for each query. */
const queried = (service: Service, path: string, queries: readonly string[]) =>
  Promise.all(queries.map((query) => statusOf(service, 'GET', `${path}?${query}`)));

/** The statuses of POST for each body, one after the other. */
async function posted(service: Service, path: string, bodies: readonly unknown[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const body of bodies) statuses.push(await statusOf(service, 'POST', path, body));
  return statuses;
}

const limitOf =
  (path: string): Proof =>
  async (service) => {
    const queries = ['limit=0', 'limit=1', 'limit=100', 'limit=101', 'limit=-1', 'limit=x', 'limit=1.5'];
    expect(await queried(service, path, queries)).toEqual([422, 200, 200, 422, 422, 422, 422]);
  };

const defaultLimitOf =
  (path: string): Proof =>
  async (service) => {
    service.emulator.control.seedExams(11);
    expect(at(await get(service, path), 'meta', 'per_page')).toBe(10);
  };

const pagesOf =
  (path: string): Proof =>
  async (service) => {
    expect(at(await get(service, path), 'meta', 'current_page')).toBe(1);
    expect(await queried(service, path, ['page=0', 'page=1', 'page=1000', 'page=x'])).toEqual([
      422, 200, 200, 422,
    ]);
  };

/** `limit` characters are allowed in a field of an endpoint, and no more. */
const longestOf =
  (field: string, limit: number, start = ''): Proof =>
  async (service) => {
    const values = [limit, limit + 1].map((length) => ({ [field]: start.padEnd(length, 'x') }));
    const bodies = values.map((value) => ({ ...endpoint, ...value }));
    expect(await posted(service, '/webhooks', bodies)).toEqual([201, 422]);
    expect(
      await Promise.all(values.map((value) => statusOf(service, 'PATCH', '/webhooks/1', value))),
    ).toEqual([200, 422]);
  };

/** Results of two participants in two exams. */
function seedFourResults({ emulator: { control } }: Service): void {
  control.seedParticipants(1);
  control.seedExams(1);
  control.seedResults(
    [1, 2].flatMap((participant_id) => [1, 2].map((exam_id) => ({ participant_id, exam_id }))),
  );
}

const filtersResults =
  (query: string, rows: readonly object[]): Proof =>
  async (service) => {
    seedFourResults(service);
    expect(at(await get(service, `/exam-results?${query}`), 'data')).toMatchObject(rows);
  };

/** A delivery of a test event to endpoint 1, which has failed unless the receiver accepts it. */
async function delivered(service: Ground, body?: object): Promise<string> {
  const { secret } = await createEndpoint(service, [completed]);
  await post(service, '/webhooks/1/test', body);
  await service.emulator.settled();
  return secret;
}

/** The four events, each by what causes it. */
async function causeAll(service: Ground): Promise<void> {
  const { control } = service.emulator;
  for (const path of [ASSIGN, UNASSIGN, ASSIGN]) await post(service, path, pair);
  control.startExam(pair);
  control.rescore(control.finishExam({ ...pair, score: 80 }).id, 81);
  await service.emulator.settled();
}

const eventsOf = ({ receiver }: Ground) => receiver.received.map(({ json }) => at(json, 'event'));

/** Operations that check a body, with one that is wrong. */
const checked = [
  ['participants.import', 'POST', IMPORT, { participants: [{}] }],
  ['participants.update', 'PUT', '/participants/1', { name: 5 }],
  ['examParticipants.assign', 'POST', ASSIGN, { participant_id: 'x', exam_id: 1 }],
  ['examParticipants.unassign', 'POST', UNASSIGN, { participant_id: 1 }],
] as const;

/** Statuses of every operation with a credential; none may be one of the two that reject it. */
const rejectedOf = async (
  service: Service,
  operations: [string, string][],
  headers: Record<string, string>,
) =>
  (await Promise.all(operations.map(([method, path]) => service.call(method, path, { headers })))).filter(
    ({ status }) => status === 401 || status === 403,
  ).length;

const proofs: Readonly<Record<Claim, Proof>> = {
  'auth.client-key': async (service) => {
    expect(await rejectedOf(service, clientKeyOperations, { 'X-Client-Key': 'test-key' })).toBe(0);
  },
  'auth.bearer': async (service) => {
    expect(await rejectedOf(service, bearerOperations, { Authorization: 'Bearer test-key' })).toBe(0);
  },
  'auth.refused': async (service) => {
    const headers = { 'X-Client-Key': 'wrong', Authorization: 'Bearer wrong' };
    const operations = [...clientKeyOperations, ...bearerOperations];
    expect(await rejectedOf(service, operations, headers)).toBe(operations.length);
  },

  'participant.id': async (service) => {
    await imported(service, ana);
    expect(at(await get(service, '/participants'), 'data')).toMatchObject([{ id: 1 }, { id: 2 }]);
    expect(await statusOf(service, 'POST', ASSIGN, { ...pair, participant_id: 2 })).toBe(201);
  },
  'participant.email': async (service) => {
    await imported(service, ana);
    await imported(service, { ...ana, name: 'Ana P.' });
    expect(at(await get(service, '/participants'), 'data')).toMatchObject([
      { id: 1 },
      { id: 2, email: ana.email, name: 'Ana P.' },
    ]);
  },
  'participant.password': async (service) => {
    expect(await statusOf(service, 'PUT', '/participants/1', { password: 'other-word' })).toBe(200);
    expect(service.emulator.control.participant(1)?.password).toBe('other-word');
  },
  'participants.import': async (service) => {
    expect([(await imported(service, ana)).status, (await imported(service, ana)).status]).toEqual([
      201, 201,
    ]);
  },
  'import.required': async (service) => {
    const lists = [{}, { participants: null }, { participants: {} }, { participants: [] }];
    expect(await posted(service, IMPORT, lists)).toEqual([422, 422, 422, 422]);
    for (const field of ['email', 'name', 'password']) {
      for (const value of [undefined, null, 5, ['x']]) {
        const { status, json } = await imported(service, ana, { ...ana, [field]: value });
        expect([status, Object.keys(Object(at(json, 'errors')))]).toEqual([422, [`participants.1.${field}`]]);
      }
    }
  },
  'participants.retrieve': async (service) => {
    expect(await service.call('GET', '/participants/1')).toMatchObject({
      status: 200,
      json: { data: { id: 1 } },
    });
  },
  'participants.update': async (service) => {
    expect(await statusOf(service, 'PUT', '/participants/1', { name: 'New' })).toBe(200);
  },
  'update.partial': async (service) => {
    const before = service.emulator.control.participant(1);
    await service.call('PUT', '/participants/1', { body: { name: 'New' } });
    expect(service.emulator.control.participant(1)).toEqual({ ...before, name: 'New' });
  },
  'participants.list': async (service) => {
    expect(await statusOf(service, 'GET', '/participants')).toBe(200);
  },

  'examParticipants.assign': async (service) => {
    expect(await statusOf(service, 'POST', ASSIGN, pair)).toBe(201);
    expect(service.emulator.control.assignment(pair)).toMatchObject(pair);
  },
  'assign.once': async (service) => {
    expect(await posted(service, ASSIGN, [pair, pair])).toEqual([201, 400]);
  },
  'examParticipants.unassign': async (service) => {
    await post(service, ASSIGN, pair);
    expect(await statusOf(service, 'POST', UNASSIGN, pair)).toBe(200);
    expect(service.emulator.control.assignment(pair)).toBeUndefined();
  },
  'unassign.unregistered': async (service) => {
    expect(await statusOf(service, 'POST', UNASSIGN, pair)).toBe(400);
  },
  'assignment.ids': async (service) => {
    const wrong = [{}, { participant_id: 1 }, { exam_id: 1 }, { participant_id: 1.5, exam_id: [] }];
    for (const path of [ASSIGN, UNASSIGN])
      expect(await posted(service, path, wrong)).toEqual([422, 422, 422, 422]);
  },
  'examParticipants.link': async (service) => {
    await post(service, ASSIGN, pair);
    const { status, json } = await service.call('GET', `${LINK}?participant_id=1&exam_id=1`);
    expect([status, URL.canParse(String(at(json, 'data', 'link')))]).toEqual([200, true]);
  },
  'link.404': async (service) => {
    await post(service, ASSIGN, pair);
    const queries = ['participant_id=9&exam_id=1', 'participant_id=1&exam_id=9'];
    expect(await queried(service, LINK, queries)).toEqual([404, 404]);
  },
  'link.unassigned': async (service) => {
    expect(await queried(service, LINK, ['participant_id=1&exam_id=1'])).toEqual([404]);
  },
  'link.required': async (service) => {
    expect(await queried(service, LINK, ['participant_id=1', 'exam_id=1', ''])).toEqual([422, 422, 422]);
  },

  'exam.id': async (service) => {
    service.emulator.control.seedExams([{ id: 31 }]);
    expect(at(await get(service, '/exams'), 'data')).toMatchObject([{ id: 1 }, { id: 31 }]);
  },
  'exams.list': async (service) => {
    service.emulator.control.seedExams(24);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => get(service, `/exams?page=${page}`)));
    const ids = pages.flatMap((page) => [at(page, 'data')].flat()).map((exam) => at(exam, 'id'));
    expect(ids).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
  },
  'exams.retrieve': async (service) => {
    expect(await service.call('GET', '/exams/1')).toMatchObject({ status: 200, json: { data: { id: 1 } } });
  },
  'examResults.list': async (service) => {
    seedFourResults(service);
    const pages = await Promise.all(
      [1, 2, 3].map((page) => get(service, `/exam-results?limit=2&page=${page}`)),
    );
    const ids = pages.flatMap((page) => [at(page, 'data')].flat()).map((row) => at(row, 'exam_result_id'));
    expect(ids).toEqual([4, 3, 2, 1]);
  },
  'examResults.participant': filtersResults('participant_id=2', [
    { participant: { id: 2 }, exam: { id: 2 } },
    { participant: { id: 2 }, exam: { id: 1 } },
  ]),
  'examResults.exam': filtersResults('exam_id=1', [
    { participant: { id: 2 }, exam: { id: 1 } },
    { participant: { id: 1 }, exam: { id: 1 } },
  ]),
  'examResults.both': filtersResults('participant_id=2&exam_id=1', [
    { participant: { id: 2 }, exam: { id: 1 } },
  ]),
  'exams.limit': limitOf('/exams'),
  'exams.default': defaultLimitOf('/exams'),
  'exams.page': pagesOf('/exams'),
  'examResults.limit': limitOf('/exam-results'),
  'examResults.default': defaultLimitOf('/exam-results'),
  'examResults.page': pagesOf('/exam-results'),
  'result.payload': async (service) => {
    await delivered(service);
    await causeAll(service);
    const payloads = service.receiver.received.map(({ json }) => at(json, 'data'));
    const result = {
      exam_result_id: number,
      user_exam_id: number,
      participant_code: text,
      exam: { id: number, name: text, name_short: text },
      exam_quiz: { id: number, name: text },
      participant: { id: number, name: text, email: text },
      status: number,
      status_label: text,
      score: number,
      start_at: moment,
      end_at: moment,
    };
    expect(payloads).toEqual([result, result]);
  },

  'endpoint.fields': async (service) => {
    const fields = { ...endpoint, ...fresh, id: 1, created_at: moment };
    const { json } = await post(service, '/webhooks', endpoint);
    expect(at(json, 'data')).toEqual({ ...fields, secret: text });
    await post(service, '/webhooks/1/test');
    await service.emulator.settled();
    expect(at(await get(service, '/webhooks'), 'data')).toEqual([{ ...fields, last_success_at: moment }]);
  },
  'endpoint.secret': async (service) => {
    const responses = [
      await post(service, '/webhooks', endpoint),
      await service.call('PATCH', '/webhooks/1', { body: { rotate_secret: true } }),
      await service.call('PATCH', '/webhooks/1', { body: { is_active: true } }),
      await service.call('GET', '/webhooks'),
    ];
    expect(responses.map((response) => response.text.includes('"secret"'))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  },
  'delivery.fields': async (service) => {
    service.receiver.statuses.push(200, 500);
    await delivered(service);
    await post(service, '/webhooks/1/test');
    await service.emulator.settled();
    const fields = {
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      event: completed,
      attempts: 1,
      payload: { event: completed, created_at: moment, data: expect.any(Object) },
      created_at: moment,
    };
    expect(at(await get(service, DELIVERIES), 'data')).toEqual([
      {
        ...fields,
        status: 'delivered',
        response_code: 200,
        response_body: 'status 200',
        error_message: null,
        delivered_at: moment,
      },
      {
        ...fields,
        status: text,
        response_code: 500,
        response_body: 'status 500',
        error_message: text,
        delivered_at: null,
      },
    ]);
  },
  'envelope.fields': async (service) => {
    const responses = [
      await post(service, '/webhooks', endpoint),
      await service.call('PATCH', '/webhooks/1', { body: { description: 'x' } }),
      await post(service, '/webhooks/1/test'),
      await service.call('GET', '/webhooks'),
      await service.call('GET', DELIVERIES),
      await service.call('DELETE', '/webhooks/1'),
    ];
    const list = ['success', 'message', 'data', 'meta'];
    const single = list.slice(0, 3);
    expect(responses.map(({ json }) => Object.keys(Object(json)))).toEqual([
      single,
      single,
      single,
      list,
      list,
      single,
    ]);
    expect(responses.map(({ json }) => at(json, 'success'))).toEqual(Array(6).fill(true));
  },
  'webhooks.list': async (service) => {
    expect(Object.entries(Object(at(await get(service, '/webhooks'), 'meta', 'available_events')))).toEqual([
      ['exam_participant.registered', text],
      ['exam_participant.unregistered', text],
      [completed, text],
      ['exam_result.scored', text],
    ]);
  },
  'webhooks.create': async (service) => {
    const wrong = [
      { url: endpoint.url },
      { events: endpoint.events },
      { ...endpoint, url: 'receiver' },
      { ...endpoint, events: [] },
      { ...endpoint, events: ['unheard.of'] },
    ];
    expect(await posted(service, '/webhooks', [...wrong, endpoint])).toEqual([422, 422, 422, 422, 422, 201]);
  },
  'create.active': async (service) => {
    const responses = [await post(service, '/webhooks', endpoint)];
    responses.push(await post(service, '/webhooks', { ...endpoint, is_active: false }));
    expect(responses.map(({ json }) => at(json, 'data', 'is_active'))).toEqual([true, false]);
  },
  'webhooks.update': async (service) => {
    await createEndpoint(service, [completed]);
    for (const method of ['PATCH', 'PUT']) {
      const { status, json } = await service.call(method, '/webhooks/1', { body: { description: method } });
      expect([status, at(json, 'data')]).toMatchObject([200, { ...endpoint, description: method }]);
    }
  },
  'update.events': async (service) => {
    await createEndpoint(service, [completed]);
    const bodies = [{ events: [] }, { events: ['unheard.of'] }, { events: ['exam_result.scored'] }, {}];
    const statuses = bodies.map((body) => statusOf(service, 'PATCH', '/webhooks/1', body));
    expect(await Promise.all(statuses)).toEqual([422, 422, 200, 200]);
  },
  'webhooks.rotateSecret': async (service) => {
    const { secret } = await createEndpoint(service, [completed]);
    const secretAfter = async (body: object) =>
      at((await service.call('PATCH', '/webhooks/1', { body })).json, 'data', 'secret');
    expect(await secretAfter({ rotate_secret: true })).toEqual(expect.not.stringMatching(secret));
    expect(await secretAfter({ rotate_secret: false })).toBeUndefined();
  },
  'webhooks.delete': async (service) => {
    await createEndpoint(service, [completed]);
    expect((await service.call('DELETE', '/webhooks/1')).json).toMatchObject({ success: true, data: null });
    expect(at(await get(service, '/webhooks'), 'data')).toEqual([]);
  },
  'webhooks.deliveries': async (service) => {
    await delivered(service);
    await post(service, '/webhooks/1/test');
    expect(at(await get(service, `${DELIVERIES}?per_page=1&page=2`), 'meta', 'pagination')).toEqual({
      total: 2,
      per_page: 1,
      current_page: 2,
      last_page: 2,
      from: 2,
      to: 2,
    });
  },
  'deliveries.event': async (service) => {
    await delivered(service);
    await post(service, '/webhooks/1/test', { event: 'exam_result.scored' });
    const rows = at(await get(service, `${DELIVERIES}?event=exam_result.scored`), 'data');
    expect(rows).toMatchObject([{ event: 'exam_result.scored' }]);
  },
  'deliveries.status': async (service) => {
    service.receiver.statuses.push(500);
    await delivered(service);
    await post(service, '/webhooks/1/test');
    await service.emulator.settled();
    expect(at(await get(service, DELIVERIES), 'data')).toHaveLength(2);
    expect(at(await get(service, `${DELIVERIES}?status=delivered`), 'data')).toMatchObject([
      { status: 'delivered' },
    ]);
  },
  'webhooks.test': async (service) => {
    await createEndpoint(service, [completed]);
    expect(at((await post(service, '/webhooks/1/test')).json, 'data')).toEqual({ queued: true });
  },
  'test.active': async (service) => {
    await createEndpoint(service, [completed]);
    await service.call('PATCH', '/webhooks/1', { body: { is_active: false } });
    expect(await statusOf(service, 'POST', '/webhooks/1/test')).toBeGreaterThanOrEqual(400);
    await service.emulator.settled();
    expect(service.receiver.received).toEqual([]);
  },
  'test.default': async (service) => {
    await delivered(service);
    for (const event of ['unheard.of', 5, 'exam_result.scored'])
      await post(service, '/webhooks/1/test', { event });
    await service.emulator.settled();
    expect(eventsOf(service)).toEqual([completed, completed, completed, 'exam_result.scored']);
  },
  'endpoint.active': async (service) => {
    await createEndpoint(service, [completed]);
    for (const method of ['PATCH', 'PUT'])
      for (const is_active of [false, false, true, true]) {
        const { json } = await service.call(method, '/webhooks/1', { body: { is_active } });
        expect(at(json, 'data', 'is_active')).toBe(is_active);
      }
  },
  'delivery.delivered': async (service) => {
    service.receiver.statuses.push(200, 204, 299);
    await delivered(service);
    for (let count = 0; count < 2; count += 1) await post(service, '/webhooks/1/test');
    await service.clock.advance(3_600_000);
    expect(service.receiver.received).toHaveLength(3);
    expect(at(await get(service, DELIVERIES), 'data')).toMatchObject(Array(3).fill({ status: 'delivered' }));
  },
  'deliveries.per_page': async (service) => {
    await createEndpoint(service, [completed]);
    expect(at(await get(service, DELIVERIES), 'meta', 'pagination', 'per_page')).toBe(25);
    const queries = ['per_page=0', 'per_page=1', 'per_page=100', 'per_page=101'];
    expect(await queried(service, DELIVERIES, queries)).toEqual([422, 200, 200, 422]);
  },
  'deliveries.page': async (service) => {
    await createEndpoint(service, [completed]);
    expect(at(await get(service, DELIVERIES), 'meta', 'pagination', 'current_page')).toBe(1);
  },
  'webhooks.five': async (service) => {
    expect(await posted(service, '/webhooks', Array(6).fill(endpoint))).toEqual([
      201, 201, 201, 201, 201, 422,
    ]);
  },
  'webhooks.url': longestOf('url', 2048, 'https://receiver.example.test/'),
  'webhooks.description': longestOf('description', 255),
  'signature.tolerance': async (service) => {
    await delivered(service);
    await service.clock.advance(3_600_000);
    await post(service, '/webhooks/1/test');
    await service.emulator.settled();
    const times = service.receiver.received.map(({ headers }) =>
      Number(/^t=(\d+)/.exec(headers.get('x-cbt-signature') ?? '')?.[1]),
    );
    expect(times).toEqual([3600, 0].map((ago) => service.clock.now() / 1000 - ago));
  },
  'signature.header': async (service) => {
    await delivered(service);
    const [delivery] = service.receiver.received;
    expect(delivery?.headers.get('x-cbt-signature')).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
  },
  'signature.hmac': async (service) => {
    const secret = await delivered(service);
    const [delivery] = service.receiver.received;
    const [, time, mac] = /^t=(\d+),v1=(.+)$/.exec(delivery?.headers.get('x-cbt-signature') ?? '') ?? [];
    expect(mac).toBe(createHmac('sha256', secret).update(`${time}.${delivery?.body}`).digest('hex'));
  },
  'events.names': async (service) => {
    const names = Object.keys(Object(at(await get(service, '/webhooks'), 'meta', 'available_events')));
    await createEndpoint(service, names);
    await causeAll(service);
    expect(new Set(eventsOf(service))).toEqual(new Set(names));
    expect(names).toHaveLength(4);
  },
  'events.body': async (service) => {
    await createEndpoint(service, ['exam_participant.registered', completed]);
    await causeAll(service);
    expect(service.receiver.received.slice(1).map(({ json }) => json)).toEqual([
      { event: 'exam_participant.registered', created_at: moment, data: expect.any(Object) },
      { event: completed, created_at: moment, data: expect.any(Object) },
    ]);
  },
  'events.recorded': async (service) => {
    await delivered(service);
    await causeAll(service);
    expect(at(await get(service, DELIVERIES), 'data')).toMatchObject([
      { event: completed, status: 'delivered', attempts: 1 },
      { event: completed, status: 'delivered', attempts: 1 },
    ]);
  },

  'errors.json': async (service) => {
    expect(await statusOf(service, 'POST', IMPORT, '{')).toBe(400);
  },
  'errors.404': async (service) => {
    expect(await statusOf(service, 'GET', '/participants/9')).toBe(404);
  },
  'errors.update': async (service) => {
    expect(await statusOf(service, 'PUT', '/participants/9', { name: 'New' })).toBe(404);
  },
  'errors.assignment': async (service) => {
    const unknown = [
      { ...pair, participant_id: 9 },
      { ...pair, exam_id: 9 },
    ];
    for (const path of [ASSIGN, UNASSIGN]) expect(await posted(service, path, unknown)).toEqual([404, 404]);
  },
  'errors.422': async (service) => {
    const statuses = checked.map(([, method, path, body]) => statusOf(service, method, path, body));
    expect(await Promise.all(statuses)).toEqual([422, 422, 422, 422]);
  },

  'auth.accept': async ({ emulator }) => {
    const client = new ExamClient({
      baseUrl: 'https://exams.example.test/api/v1',
      apiKey: 'test-key',
      fetch: emulator.fetch,
    });
    await client.webhooks.list();
    expect(emulator.requests[0]?.headers['accept']).toBe('application/json');
  },
  'auth.inactive': async (service) => {
    service.emulator.control.setClientActive(false);
    const operations = [...clientKeyOperations, ...bearerOperations];
    const statuses = operations.map(([method, path]) => statusOf(service, method, path));
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([403]));
  },
  'participant.assignable': async (service) => {
    for (const state of [{ active: false }, { active: true, verified: false }]) {
      service.emulator.control.setParticipant(1, state);
      expect(await statusOf(service, 'POST', ASSIGN, pair)).toBe(400);
    }
    service.emulator.control.setParticipant(1, { verified: true });
    expect(await statusOf(service, 'POST', ASSIGN, pair)).toBe(201);
  },
  'unassign.started': async (service) => {
    await post(service, ASSIGN, pair);
    const started = service.emulator.control.startExam(pair);
    expect(await statusOf(service, 'POST', UNASSIGN, pair)).toBe(400);
    expect(service.emulator.control.assignment(pair)).toEqual(started);
  },
  'limits.participants': async (service) => {
    service.emulator.control.configure({ maxParticipants: 1 });
    expect((await imported(service, ana)).status).toBe(400);
    expect(service.emulator.snapshot().participants).toHaveLength(1);
  },
  'limits.per-exam': async (service) => {
    service.emulator.control.configure({ maxParticipantsPerExam: 1 });
    service.emulator.control.seedParticipants(1);
    expect(await posted(service, ASSIGN, [pair, { ...pair, participant_id: 2 }])).toEqual([201, 400]);
  },
  'result.status': async (service) => {
    await createEndpoint(service, [completed]);
    await causeAll(service);
    expect(at(service.receiver.received[0]?.json, 'data')).toMatchObject({
      status: 2,
      status_label: 'Finished',
    });
  },
  'endpoint.disabled': async (service) => {
    service.emulator.control.configure({ disableAfterFailures: 2 });
    service.receiver.statuses.push(500, 500);
    await delivered(service);
    await service.clock.advance(3_600_000);
    expect(at(await get(service, '/webhooks'), 'data', 0)).toMatchObject({
      is_active: false,
      is_disabled_by_system: true,
      disabled_at: moment,
      consecutive_failures: 2,
      last_failure_at: moment,
    });
  },
  'signature.reject': async (service) => {
    const { faults } = service.emulator;
    faults.injectDelivery({ effect: 'wrong-signature' });
    faults.injectDelivery({ effect: 'stale-timestamp' });
    const { secret } = await createEndpoint(service, [completed]);
    for (let count = 0; count < 3; count += 1) await post(service, '/webhooks/1/test');
    await service.emulator.settled();
    const receive = createWebhookHandler({
      secret,
      now: () => service.clock.now(),
      onUnknown: () => {},
      onRejected: () => {},
    });
    const statuses = service.receiver.received.map(async ({ url, headers, body }) => {
      return (await receive(new Request(url, { method: 'POST', headers, body }))).status;
    });
    expect(await Promise.all(statuses)).toEqual([400, 400, 204]);
  },
  'events.listed': async (service) => {
    await createEndpoint(service, ['exam_participant.registered']);
    await causeAll(service);
    await service.call('PATCH', '/webhooks/1', { body: { is_active: false } });
    service.emulator.control.seedParticipants(1);
    await post(service, ASSIGN, { ...pair, participant_id: 2 });
    await service.emulator.settled();
    expect(eventsOf(service)).toEqual(['exam_participant.registered', 'exam_participant.registered']);
    expect(service.emulator.snapshot().deliveries).toHaveLength(2);
  },
  'events.retry': async (service) => {
    service.receiver.statuses.push(301, 400, 404, 500, 500);
    await delivered(service);
    await service.clock.advance(24 * 3_600_000);
    const times = service.emulator.deliveries.map(({ sent_at }) => sent_at);
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(waits).toHaveLength(4);
    expect(waits).toEqual([...new Set(waits)].toSorted((a, b) => a - b));
  },
  'errors.500': async (service) => {
    for (const [on, method, path] of checked) {
      service.emulator.faults.inject({ on, effect: 'respond', status: 500 });
      expect(await statusOf(service, method, path, {})).toBe(500);
      expect(await statusOf(service, method, path, {})).not.toBe(500);
    }
  },
  'version.prefix': async ({ emulator }) => {
    const statuses = ['/exams', '/api/exams', '/api/v2/exams', '/api/v1/exams'].map(async (path) => {
      const url = `https://exams.example.test${path}`;
      return (await emulator.fetch(url, { headers: { 'X-Client-Key': 'test-key' } })).status;
    });
    expect(await Promise.all(statuses)).toEqual([404, 404, 404, 200]);
  },
};

describe.each(Object.entries(proofs) as [Claim, Proof][])('%s', (claim, proof) => {
  test(claims[claim], async () => {
    const receiver = createReceiver();
    await using service = await startWithPair({ fetch: receiver.fetch });
    await proof({ ...service, receiver });
  });
});
