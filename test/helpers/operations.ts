import type {
  AuthScheme,
  ExamClient,
  RequestOptions,
  WebhookCreate,
  WebhookEndpoint,
} from '../../src/index.ts';
import { fresh } from '../fixtures/responses/webhooks.ts';
import type { ServiceResponse } from './server.ts';

/** An operation of the client, with what it has to put on the wire. */
export interface OperationCase {
  readonly name: string;
  readonly call: (client: ExamClient, options?: RequestOptions) => Promise<unknown>;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly auth: AuthScheme;
  readonly retry: 'idempotent' | 'unprocessed';
  /** A response that the operation can read. */
  readonly response: ServiceResponse;
}

const pair = { participant_id: 7, exam_id: 3 };
const rows = [{ email: 'ada@example.test', name: 'Ada Lovelace', password: 'first-password-1' }];

const endpoint: WebhookEndpoint & WebhookCreate = {
  id: 4,
  url: 'https://receiver.example.test/hooks',
  ...fresh,
  events: ['exam_result.completed'],
  created_at: '2026-03-01T08:00:00+07:00',
};
const { url, events } = endpoint;

const enveloped = (data: unknown, meta?: unknown): ServiceResponse => ({
  body: { success: true, message: null, data, ...(meta === undefined ? {} : { meta }) },
});

/** Every operation that has a method, once, with all that it can send. */
export const operations: ReadonlyArray<OperationCase> = [
  {
    name: 'participants.import',
    call: (client, options) => client.participants.import(rows, options),
    method: 'POST',
    path: '/participants/import',
    body: { participants: rows },
    auth: 'clientKey',
    retry: 'idempotent',
    response: { status: 201, body: { message: 'Imported' } },
  },
  {
    name: 'participants.retrieve',
    call: (client, options) => client.participants.retrieve(7, options),
    method: 'GET',
    path: '/participants/7',
    auth: 'clientKey',
    retry: 'idempotent',
    response: { body: { id: 7 } },
  },
  {
    name: 'participants.update',
    call: (client, options) => client.participants.update(7, { name: 'Ada King' }, options),
    method: 'PUT',
    path: '/participants/7',
    body: { name: 'Ada King' },
    auth: 'clientKey',
    retry: 'idempotent',
    response: { body: { message: 'Updated' } },
  },
  {
    name: 'participants.list',
    call: (client, options) => client.participants.list({ page: 2, limit: 5 }, options),
    method: 'GET',
    path: '/participants',
    query: { page: '2', limit: '5' },
    auth: 'clientKey',
    retry: 'idempotent',
    response: { body: { data: [{ id: 7 }] } },
  },
  {
    name: 'examParticipants.assign',
    call: (client, options) => client.examParticipants.assign(pair, options),
    method: 'POST',
    path: '/exam-participants/assign',
    body: pair,
    auth: 'clientKey',
    retry: 'unprocessed',
    response: { status: 201, body: { message: 'Assigned' } },
  },
  {
    name: 'examParticipants.unassign',
    call: (client, options) => client.examParticipants.unassign(pair, options),
    method: 'POST',
    path: '/exam-participants/unassign',
    body: pair,
    auth: 'clientKey',
    retry: 'unprocessed',
    response: { body: { message: 'Cancelled' } },
  },
  {
    name: 'examParticipants.link',
    call: (client, options) => client.examParticipants.link(pair, options),
    method: 'GET',
    path: '/exam-participants/link',
    query: { participant_id: '7', exam_id: '3' },
    auth: 'clientKey',
    retry: 'idempotent',
    response: { body: { link: 'https://exams.example.test/take/abc' } },
  },
  {
    name: 'exams.list',
    call: (client, options) => client.exams.list({ page: 2, limit: 100 }, options),
    method: 'GET',
    path: '/exams',
    query: { page: '2', limit: '100' },
    auth: 'clientKey',
    retry: 'idempotent',
    response: { body: [{ id: 3 }] },
  },
  {
    name: 'exams.retrieve',
    call: (client, options) => client.exams.retrieve(3, options),
    method: 'GET',
    path: '/exams/3',
    auth: 'clientKey',
    retry: 'idempotent',
    response: { body: { data: { id: 3 } } },
  },
  {
    name: 'examResults.list',
    call: (client, options) => client.examResults.list({ ...pair, page: 1, limit: 1 }, options),
    method: 'GET',
    path: '/exam-results',
    query: { participant_id: '7', exam_id: '3', page: '1', limit: '1' },
    auth: 'clientKey',
    retry: 'idempotent',
    response: { body: { data: [{ score: '87.50' }] } },
  },
  {
    name: 'webhooks.list',
    call: (client, options) => client.webhooks.list(options),
    method: 'GET',
    path: '/webhooks',
    auth: 'bearer',
    retry: 'idempotent',
    response: enveloped([endpoint], { available_events: { 'exam_result.completed': 'Finished' } }),
  },
  {
    name: 'webhooks.availableEvents',
    call: (client, options) => client.webhooks.availableEvents(options),
    method: 'GET',
    path: '/webhooks',
    auth: 'bearer',
    retry: 'idempotent',
    response: enveloped([], { available_events: { 'exam_result.completed': 'Finished' } }),
  },
  {
    name: 'webhooks.create',
    call: (client, options) =>
      client.webhooks.create({ url, events, description: 'Results', is_active: false }, options),
    method: 'POST',
    path: '/webhooks',
    body: { url, events, description: 'Results', is_active: false },
    auth: 'bearer',
    retry: 'unprocessed',
    response: enveloped({ ...endpoint, secret: 'whsec_1' }),
  },
  {
    name: 'webhooks.update',
    call: (client, options) => client.webhooks.update(4, { description: null, is_active: false }, options),
    method: 'PATCH',
    path: '/webhooks/4',
    body: { description: null, is_active: false },
    auth: 'bearer',
    retry: 'idempotent',
    response: enveloped(endpoint),
  },
  {
    name: 'webhooks.rotateSecret',
    call: (client, options) => client.webhooks.rotateSecret(4, options),
    method: 'PATCH',
    path: '/webhooks/4',
    body: { rotate_secret: true },
    auth: 'bearer',
    retry: 'idempotent',
    response: enveloped({ ...endpoint, secret: 'whsec_2' }),
  },
  {
    name: 'webhooks.delete',
    call: (client, options) => client.webhooks.delete(4, options),
    method: 'DELETE',
    path: '/webhooks/4',
    auth: 'bearer',
    retry: 'idempotent',
    response: enveloped(null),
  },
  {
    name: 'webhooks.deliveries',
    call: (client, options) =>
      client.webhooks.deliveries(
        4,
        { event: 'exam_result.scored', status: 'delivered', page: 3, per_page: 25 },
        options,
      ),
    method: 'GET',
    path: '/webhooks/4/deliveries',
    query: { event: 'exam_result.scored', status: 'delivered', page: '3', per_page: '25' },
    auth: 'bearer',
    retry: 'idempotent',
    response: enveloped([]),
  },
  {
    name: 'webhooks.test',
    call: (client, options) => client.webhooks.test(4, { event: 'exam_result.completed' }, options),
    method: 'POST',
    path: '/webhooks/4/test',
    body: { event: 'exam_result.completed' },
    auth: 'bearer',
    retry: 'unprocessed',
    response: enveloped({ queued: true }),
  },
];
