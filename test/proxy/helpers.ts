import { expect } from 'vitest';
import { ExamClient, type FetchInit } from '../../src/index.ts';
import {
  createProxyHandler,
  type ProxyHandler,
  type ProxyOperationName,
  type ProxyOptions,
} from '../../src/proxy/index.ts';
import { createEmulator } from '../../src/testing/index.ts';
import { operations } from '../helpers/operations.ts';

export const apiKey = 'the/key&that+no~page="may"<see>';
export const baseUrl = 'https://exams.example.test/api/v1';
export const origin = 'https://school.example.test';

/** The name by which the proxy allows an operation: it knows requests, and not the methods that send them. */
export const allowedAs = (name: string) =>
  (name === 'webhooks.availableEvents' ? 'webhooks.list' : name) as ProxyOperationName;

/** Every operation of the client, by name. */
export const everything = [...new Set(operations.map(({ name }) => allowedAs(name)))];

/** A request as the service got it. */
export type Sent = FetchInit & { readonly url: string };

export interface Proxied {
  readonly proxy: ProxyHandler;
  /** What reached the service. */
  readonly sent: Sent[];
  readonly errors: unknown[];
}

/** A proxy in front of a service that is a function. */
export function createProxied(
  options: Partial<ProxyOptions> = {},
  respond: (sent: Sent) => Response | Promise<Response> = () => Response.json({ data: [] }),
): Proxied {
  const sent: Sent[] = [];
  const errors: unknown[] = [];
  const proxy = createProxyHandler({
    baseUrl,
    apiKey,
    allow: everything,
    authorize: () => true,
    onError: (error) => errors.push(error),
    fetch: async (url, init) => {
      const request = { url, ...init };
      sent.push(request);
      return respond(request);
    },
    ...options,
  });
  return { proxy, sent, errors };
}

/** A request as a page of the proxy's own origin sends it. */
export function pageRequest(target: string, init: RequestInit = {}): Request {
  const headers = new Headers(init.headers);
  if (!headers.has('sec-fetch-site')) headers.set('sec-fetch-site', 'same-origin');
  return new Request(new URL(target, origin), { ...init, headers });
}

/** The status of a response and its message. */
export async function read(pending: Promise<Response>): Promise<[status: number, message: unknown]> {
  const response = await pending;
  const { message, ...others } = await response.json();
  expect(others).toEqual({});
  return [response.status, message];
}

export const json = (body: unknown, method = 'POST'): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** The client of a page in front of a proxy. */
export function pageClient(proxy: ProxyHandler): ExamClient {
  return new ExamClient({
    baseUrl: `${origin}/api/v1`,
    apiKey: null,
    maxRetries: 0,
    fetch: async (url, { signal, ...init }) => proxy(pageRequest(url, { ...init, signal: signal ?? null })),
  });
}

/** An emulator over HTTP with two exams and a result for each of two participants, and what a recipe asks of its environment. */
export async function startEmulator() {
  const emulator = createEmulator({ apiKey });
  emulator.control.seedExams(2);
  const people = emulator.control.seedParticipants(2);
  emulator.control.seedResults(people.map(({ id }) => ({ participant_id: id, exam_id: 1, score: id })));
  const { url, close } = await emulator.listen();
  const env = { EXAM_SERVICE_BASE_URL: url, EXAM_SERVICE_API_KEY: apiKey, PORT: '0' };
  return { emulator, url, env, close, [Symbol.asyncDispose]: close };
}

const session = { cookie: 'session=a-long-random-session-id' };

/** A participant gets their own results from a recipe, a stranger nothing, and nobody another operation. */
export async function expectToGuard(
  call: (
    path: string,
    headers?: Record<string, string>,
  ) => Promise<{ status: number; json(): Promise<unknown> }>,
): Promise<void> {
  const results = await call('/exam-results?participant_id=2', session);
  expect(results.status).toBe(200);
  expect(await results.json()).toMatchObject({ data: [{ participant: { id: 1 } }] });
  expect((await call('/exam-results?participant_id=2')).status).toBe(401);
  expect((await call('/participants', session)).status).toBe(403);
}
