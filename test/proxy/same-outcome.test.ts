// A call through the proxy ends as it ends directly: with the same outcome, after as many requests.

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ExamClient } from '../../src/index.ts';
import { type OperationCase, operations } from '../helpers/operations.ts';
import { isLong } from '../helpers/requirements.ts';
import { baseUrl, createProxied, origin, pageRequest } from './helpers.ts';

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

/** A response of the service, or of something before it. */
interface Given {
  readonly status: number;
  readonly body: string | (() => ReadableStream);
  readonly headers: Readonly<Record<string, string>>;
}

const respond = ({ status, body, headers }: Given) =>
  new Response(status === 204 ? null : typeof body === 'string' ? body : body(), { status, headers });

/** How a call ends, and how many requests the service got of it. */
async function ending(client: ExamClient, { call }: OperationCase, sent: readonly unknown[]) {
  const [outcome, data] = await Promise.resolve(call(client)).then(
    (value) => ['success', value],
    (error: { readonly outcome: string }) => [error.outcome, null],
  );
  return { outcome, data, requests: sent.length };
}

async function endDirectly(given: Given, operation: OperationCase) {
  const sent: unknown[] = [];
  const fetch = async (url: string) => {
    sent.push(url);
    return respond(given);
  };
  // With a limit, who waits for how long differs: the proxy waits for all pages.
  const maxRetries = given.status === 429 ? 0 : 2;
  const client = new ExamClient({ baseUrl, apiKey: 'key-12345678', fetch, maxRetries, logLevel: 'off' });
  return ending(client, operation, sent);
}

async function endThroughProxy(given: Given, operation: OperationCase) {
  const { proxy, sent, errors } = createProxied({}, () => respond(given));
  const client = new ExamClient({
    baseUrl: `${origin}/api/v1`,
    apiKey: null,
    fetch: async (url, { signal: _, ...init }) => proxy(pageRequest(url, init)),
    maxRetries: given.status === 429 ? 0 : 2,
    logLevel: 'off',
  });
  return { ...(await ending(client, operation, sent)), errors };
}

const bodies: readonly (readonly [body: string, type: string])[] = [
  ['{"message":"Try again"}', 'application/json'],
  ['{"message":"Try again"}', 'text/html'],
  ['[]', 'application/problem+json'],
  ['"Try again"', 'application/json'],
  ['{"message":"Try ag', 'application/json'],
  ['Warning: x\n{"message":"Try again"}', 'text/html'],
  ['{"success":false,"message":"No"}', 'application/json'],
  ['<html><title>503 Service Temporarily Unavailable</title></html>', 'text/html'],
  ['upstream connect error or disconnect/reset before headers', 'text/plain'],
  ['', 'text/plain'],
  ['', 'application/json'],
];
const statuses = [
  200, 201, 202, 204, 400, 404, 405, 408, 409, 413, 418, 422, 425, 429, 500, 501, 502, 503, 504, 505, 520,
];
const waits = [undefined, '0', '3600', 'soon'];
const given: readonly Given[] = statuses.flatMap((status) =>
  bodies.flatMap(([body, type]) =>
    waits.map((wait) => ({
      status,
      body,
      headers: { 'content-type': type, ...(wait !== undefined && { 'retry-after': wait }) },
    })),
  ),
);

describe.each(operations)('$name', (operation) => {
  // The short form tries each response with one operation, and a 503 with all that are not idempotent.
  const place = operations.indexOf(operation);
  const isDelicate = operation.retry === 'unprocessed';
  const tried = given.filter(
    ({ status }, index) => isLong || (isDelicate && status === 503) || index % operations.length === place,
  );

  test('ends through the proxy as directly, whatever the response', async () => {
    for (const one of tried) {
      const { errors: _, ...through } = await endThroughProxy(one, operation);
      expect(through, JSON.stringify(one)).toEqual(await endDirectly(one, operation));
    }
  });
});

const [assign, list] = ['examParticipants.assign', 'exams.list'].map(
  (name) => operations.find((operation) => operation.name === name) as OperationCase,
) as [OperationCase, OperationCase];

const json = { 'content-type': 'application/json' };
const moved = { location: 'https://elsewhere.test/' };
const no = '{"message":"No"}';
const endless = () => new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) });

test.each<[what: string, given: Given, direct: string, reason: string]>([
  ['a 401', { status: 401, body: no, headers: json }, 'rejected', 'key_rejected'],
  ['a 403', { status: 403, body: no, headers: json }, 'rejected', 'key_rejected'],
  ['a redirect', { status: 307, body: '', headers: moved }, 'rejected', 'service_redirected'],
  [
    'more than 2 MB',
    { status: 200, body: no.padEnd(2 ** 21 + 1), headers: json },
    'success',
    'response_too_large',
  ],
  ['a success that breaks off', { status: 201, body: endless, headers: json }, 'done', 'service_unreachable'],
])(
  'to %s the proxy responds itself: to the page, the request may have taken effect',
  async (_, one, direct, reason) => {
    expect(await endDirectly(one, assign)).toMatchObject({ outcome: direct, requests: 1 });
    const { errors, ...through } = await endThroughProxy(one, assign);
    expect(through).toEqual({ outcome: 'unknown', data: null, requests: 1 });
    expect(errors).toMatchObject([{ name: 'ProxyError', reason }]);
    expect(await endThroughProxy(one, list)).toMatchObject({ outcome: 'unknown', requests: 3 });
  },
);
