import {
  createEmulator,
  createManualClock,
  type Emulator,
  type EmulatorOptions,
  type ManualClock,
} from '../../src/testing/index.ts';

/** What came back for a request. */
export interface ServiceResponse {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; undefined where it is not. */
  json: unknown;
}

export interface CallOptions {
  body?: unknown;
  headers?: Record<string, string>;
}

/** An emulator, called as a function or over HTTP on loopback. */
export interface Service extends AsyncDisposable {
  emulator: Emulator;
  clock: ManualClock;
  url: string;
  call: Call;
}

/** Sends the key under the credential that the path calls for, unless headers are given. */
export type Call = (method: string, path: string, options?: CallOptions) => Promise<ServiceResponse>;

/** An emulator called as a function. */
export async function startService(options: Omit<EmulatorOptions, 'clock'> = {}): Promise<Service> {
  const clock = createManualClock();
  const emulator = createEmulator({ clock, ...options });
  const url = 'https://exams.example.test/api/v1';
  return {
    emulator,
    clock,
    url,
    call: createCall(emulator.fetch, url),
    [Symbol.asyncDispose]: () => emulator.settled(),
  };
}

/** The same behind a socket, for tests of what passes through one. */
export async function startServer(options: Omit<EmulatorOptions, 'clock'> = {}): Promise<Service> {
  const service = await startService(options);
  const server = await service.emulator.listen();
  return {
    ...service,
    url: server.url,
    call: createCall(fetch, server.url),
    async [Symbol.asyncDispose]() {
      await service.emulator.settled();
      await server.close();
    },
  };
}

export const clientKey = { 'X-Client-Key': 'test-key' };
export const bearer = { Authorization: 'Bearer test-key' };

/** Calls the service below `base` through `send`: fetch, or an emulator's function. */
export function createCall(send: (url: string, init: RequestInit) => Promise<Response>, base: string): Call {
  return async (method, path, { body, headers = path.startsWith('/webhooks') ? bearer : clientKey } = {}) => {
    const response = await send(base + path, {
      method,
      redirect: 'manual',
      headers: { Accept: 'application/json', ...(body === undefined ? {} : jsonType), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parse(text) };
  };
}

const jsonType = { 'Content-Type': 'application/json' };

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value at a path of keys, or undefined. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null
        ? Object.entries(inner).find(([name]) => name === String(key))?.[1]
        : undefined,
    value,
  );
}

/** Like `at`, for a string. */
export function textAt(value: unknown, ...path: (string | number)[]): string {
  const text = at(value, ...path);
  if (typeof text !== 'string')
    throw new TypeError(`${path.join('.')} is not a string but ${JSON.stringify(text)}.`);
  return text;
}

/** The messages for one wrong field of a 422. */
export function fieldErrors(response: ServiceResponse): Record<string, unknown> {
  const errors = at(response.json, 'errors');
  return typeof errors === 'object' && errors !== null ? { ...errors } : {};
}

/** A delivery as a receiver got it. */
export interface Received {
  url: string;
  headers: Headers;
  body: string;
  json: unknown;
}

/** A receiver called as a function: responds with the given statuses in turn, then with 204. */
export function createReceiver(...statuses: number[]) {
  const received: Received[] = [];
  return {
    received,
    /** Those that are still to come. */
    statuses,
    fetch: async (url: string, init: RequestInit): Promise<Response> => {
      const request = new Request(url, init);
      const body = await request.text();
      received.push({ url, headers: request.headers, body, json: parse(body) });
      const status = statuses.shift() ?? 204;
      return new Response(status === 204 ? null : `status ${status}`, { status });
    },
  };
}

/** Registers an endpoint for these events and returns its id and secret. */
export async function createEndpoint(
  service: Service,
  events: readonly string[],
  url = 'https://receiver.example.test/hooks',
): Promise<{ id: number; secret: string }> {
  const response = await service.call('POST', '/webhooks', { body: { url, events } });
  return { id: Number(at(response.json, 'data', 'id')), secret: textAt(response.json, 'data', 'secret') };
}

/** One participant and one exam, by the ids 1 and 1. */
export const pair = { participant_id: 1, exam_id: 1 };

export function seedPair({ emulator }: Service): void {
  emulator.control.seedParticipants(1);
  emulator.control.seedExams(1);
}

/** A service with that pair, and a receiver that accepts every delivery. */
export async function startWithPair(options: Omit<EmulatorOptions, 'clock'> = {}): Promise<Service> {
  const service = await startService({ fetch: createReceiver().fetch, ...options });
  seedPair(service);
  return service;
}

/** The status of the response to a request. */
export async function statusOf(
  service: Service,
  method: string,
  path: string,
  body?: unknown,
): Promise<number> {
  return (await service.call(method, path, { body })).status;
}

/** Operations with the X-Client-Key credential: method and path. */
export const clientKeyOperations: [method: string, path: string][] = [
  ['POST', '/participants/import'],
  ['GET', '/participants'],
  ['GET', '/participants/1'],
  ['PUT', '/participants/1'],
  ['POST', '/exam-participants/assign'],
  ['POST', '/exam-participants/unassign'],
  ['GET', '/exam-participants/link'],
  ['GET', '/exams'],
  ['GET', '/exams/1'],
  ['GET', '/exam-results'],
];

/** Operations with the Bearer credential: method and path. */
export const bearerOperations: [method: string, path: string][] = [
  ['GET', '/webhooks'],
  ['POST', '/webhooks'],
  ['PATCH', '/webhooks/1'],
  ['PUT', '/webhooks/1'],
  ['DELETE', '/webhooks/1'],
  ['GET', '/webhooks/1/deliveries'],
  ['POST', '/webhooks/1/test'],
];
