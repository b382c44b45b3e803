import { gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import {
  ConfigurationError,
  NotFoundError,
  RequestValidationError,
  ResponseFormatError,
} from '../../src/index.ts';
import { createClient, failure, nowhere, rejection } from '../helpers/client.ts';
import { nextTurn } from '../helpers/gate.ts';
import { startServer, startService } from '../helpers/server.ts';

const exam = { body: { data: { id: 3, name: 'Logic' } } };
const parsed = { id: 3, name: 'Logic' };

describe('as a promise', () => {
  test('it is one, and is printed as one', () => {
    const promise = createClient(nowhere).exams.retrieve(0);
    promise.catch(() => {});
    expect(promise).toBeInstanceOf(Promise);
    expect(Object.prototype.toString.call(promise)).toBe('[object Promise]');
  });

  test('then, catch and finally give ordinary promises', async () => {
    await using server = startService(exam);
    const promise = createClient(server).exams.retrieve(3);
    const derived = [promise.then(() => 1), promise.catch(() => 2), promise.finally(() => 3)];
    expect(derived.map((each) => each.constructor)).toEqual([Promise, Promise, Promise]);
    expect(await Promise.all(derived)).toEqual([1, parsed, parsed]);
    expect(server.requests).toHaveLength(1);
  });

  test('a rejection goes to catch, and to the second function of then', async () => {
    await using server = startService({ status: 404, body: {} });
    const promise = createClient(server).exams.retrieve(3);
    expect(await promise.catch((error: unknown) => error)).toBeInstanceOf(NotFoundError);
    expect(await promise.then(null, (error: unknown) => error)).toBeInstanceOf(NotFoundError);
    const onFinally = vi.fn();
    await failure(promise.finally(onFinally), NotFoundError);
    expect(onFinally).toHaveBeenCalledWith();
  });

  test('it works in Promise.all, race, any and allSettled, and as the result of an async function', async () => {
    await using server = startService(exam);
    const call = () => createClient(server).exams.retrieve(3);
    const wrapped = async () => call();
    expect(await Promise.all([call(), wrapped()])).toEqual([parsed, parsed]);
    expect(await Promise.race([call(), new Promise(() => {})])).toEqual(parsed);
    expect(await Promise.any([call(), Promise.reject(new Error('other'))])).toEqual(parsed);
    expect(await Promise.allSettled([call()])).toEqual([{ status: 'fulfilled', value: parsed }]);
    expect(await Promise.resolve(call())).toEqual(parsed);
  });
});

describe('the request', () => {
  test('is sent once, however often and in whatever way the promise is used', async () => {
    await using server = startService(exam);
    const promise = createClient(server).exams.retrieve(3);
    const results = await Promise.all([
      promise,
      promise,
      promise.withResponse(),
      promise.withResponse(),
      promise.then(),
    ]);
    expect(results).toMatchObject([parsed, parsed, { data: parsed }, { data: parsed }, parsed]);
    expect(await promise).toBe(results[0]);
    expect(server.requests).toHaveLength(1);
  });

  test('is sent as soon as the call is made', async () => {
    const fetch = vi.fn(async () => Response.json(exam.body));
    const promise = createClient(nowhere, { fetch }).exams.retrieve(3);
    for (let turn = 0; turn < 20; turn += 1) await undefined;
    expect(fetch).toHaveBeenCalledTimes(1);
    await promise;
  });
});

describe('a rejection that nobody handles', () => {
  async function lostRejections(use: () => unknown): Promise<unknown[]> {
    const lost: unknown[] = [];
    const onLost = (reason: unknown) => lost.push(reason);
    const listeners = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', onLost);
    try {
      use();
      await nextTurn();
      await nextTurn();
      return lost;
    } finally {
      process.removeAllListeners('unhandledRejection');
      for (const listener of listeners) process.on('unhandledRejection', listener);
    }
  }
  const client = createClient(nowhere);

  test('is reported once', async () => {
    const lost = await lostRejections(() => client.exams.retrieve(0));
    expect(lost).toEqual([expect.any(RequestValidationError)]);
  });

  test('is not reported when a rejected toArray() or toMap() is handled', async () => {
    const unbounded = () => client.exams.list() as unknown as Record<string, () => Promise<unknown>>;
    const lost = await lostRejections(() => {
      unbounded()
        ['toArray']?.()
        .catch(() => {});
      unbounded()
        ['toMap']?.()
        .catch(() => {});
    });
    expect(lost).toEqual([]);
  });

  test('is not reported of a list under way when a rejected toArray() is handled', async () => {
    const fetch = async () => new Response(null, { status: 404 });
    const list = createClient(nowhere, { fetch }).exams.list();
    const lost = await lostRejections(async () => {
      await Promise.resolve();
      (list as unknown as { toArray(): Promise<unknown> }).toArray().catch(() => {});
    });
    expect(lost).toEqual([]);
  });

  test('is reported once when toArray() is called without its bound', async () => {
    const unbounded = client.exams.list() as unknown as { toArray(): Promise<unknown> };
    const lost = await lostRejections(() => unbounded.toArray());
    expect(lost).toEqual([expect.any(ConfigurationError)]);
  });

  test.each<[string, () => unknown]>([
    ['awaited', () => rejection(client.exams.retrieve(0))],
    ['caught', () => client.exams.retrieve(0).catch(() => {})],
    [
      'caught with its response',
      () =>
        client.exams
          .retrieve(0)
          .withResponse()
          .catch(() => {}),
    ],
    [
      'caught as a response',
      () =>
        client.exams
          .retrieve(0)
          .asResponse()
          .catch(() => {}),
    ],
    [
      'caught in a group',
      () => Promise.allSettled([client.exams.retrieve(0), client.exams.list({ page: 0 })]),
    ],
    ['caught in an iteration', () => rejection(client.exams.list({ page: 0 }).toArray({ maxItems: 1 }))],
  ])('is not reported when it is %s', async (_, use) => {
    expect(await lostRejections(use)).toEqual([]);
  });
});

describe('withResponse', () => {
  test('gives the data and what came beside it', async () => {
    await using server = startService({
      status: 201,
      headers: { 'X-Request-Id': 'req-7', 'X-Node': 'a' },
      body: { message: 'Imported' },
    });
    const row = { email: 'a@b.test', name: 'A', password: 'first-password' };
    const { data, meta } = await createClient(server).participants.import([row]).withResponse();
    expect(data).toEqual({ message: 'Imported', data: null, body: { message: 'Imported' } });
    expect(meta).toMatchObject({ status: 201, requestId: 'req-7', attempts: 1, rateLimit: null });
    expect(meta.url).toBe(`${server.url}/participants/import`);
    expect(meta.headers.get('x-node')).toBe('a');
  });

  test('rejects like the call itself', async () => {
    await using server = startService({ status: 404, body: {} });
    const promise = createClient(server).exams.retrieve(3);
    const error = await failure(promise.withResponse(), NotFoundError);
    expect(await failure(promise, NotFoundError)).toBe(error);
  });
});

describe('asResponse', () => {
  test('gives a new Response with the body as it came, unparsed and unchecked', async () => {
    await using server = startService({
      status: 203,
      headers: { 'X-Node': 'a' },
      body: '<h1>not JSON</h1>',
    });
    const onSchemaDrift = vi.fn();
    const client = createClient(server, { hooks: { onSchemaDrift }, validation: 'report' });
    const response = await client.exams.retrieve(3).asResponse();
    expect(response).toBeInstanceOf(Response);
    expect(response).toMatchObject({ status: 203, statusText: 'Non-Authoritative Information' });
    expect(response.headers.get('x-node')).toBe('a');
    expect(await response.text()).toBe('<h1>not JSON</h1>');
    expect(onSchemaDrift).not.toHaveBeenCalled();
    expect(server.requests).toHaveLength(1);
  });

  test('gives the body byte for byte, without the headers of how it travelled', async () => {
    const bytes = new Uint8Array(1_000).map((_, index) => index % 256);
    await using server = await startServer((_, { response }) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(bytes));
      return undefined;
    });
    const call = createClient(server).request({ method: 'GET', path: '/export', auth: 'clientKey' });
    const response = await call.asResponse();
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding'])
      expect(response.headers.has(name)).toBe(false);
  });

  test.each([204, 205])('gives a null body for status %i', async (status) => {
    const fetch = async () => new Response(null, { status });
    const response = await createClient(nowhere, { fetch }).webhooks.delete(1).asResponse();
    expect(response).toMatchObject({ status, body: null });
  });

  test('each gives a Response to read, and the data can be had as well', async () => {
    await using server = startService(exam);
    const promise = createClient(server).exams.retrieve(3);
    const [one, other] = await Promise.all([promise.asResponse(), promise.asResponse()]);
    expect(await one.json()).toEqual(exam.body);
    expect(await other.json()).toEqual(exam.body);
    expect(await promise).toEqual(parsed);
    expect(await (await promise.asResponse()).json()).toEqual(exam.body);
    expect(server.requests).toHaveLength(1);
  });

  test('has a body of its own: a `fetch` may use the memory of a chunk again', async () => {
    const memory = new TextEncoder().encode(JSON.stringify(exam.body));
    const start = (stream: ReadableStreamDefaultController) => {
      stream.enqueue(memory);
      stream.close();
    };
    const fetch = async () => new Response(new ReadableStream({ start }));
    const response = await createClient(nowhere, { fetch }).exams.retrieve(3).asResponse();
    const call = createClient(nowhere, { fetch }).exams.retrieve(3);
    await call.asResponse();
    memory.fill(0x20);
    expect(await response.json()).toEqual(exam.body);
    expect(await call).toEqual(parsed);
  });

  test('ends at maxResponseBytes', async () => {
    await using server = startService({ body: 'x'.repeat(101) });
    const call = createClient(server, { maxResponseBytes: 100 }).exams.retrieve(3).asResponse();
    expect(await failure(call, ResponseFormatError)).toMatchObject({ outcome: 'done', status: 200 });
  });

  test('rejects for a status outside 2xx, and repeats where that is allowed', async () => {
    await using server = startService([
      { status: 503, headers: { 'Retry-After': '0' } },
      { status: 404, body: {} },
    ]);
    const call = createClient(server, { maxRetries: 2 }).exams.retrieve(3).asResponse();
    expect(await failure(call, NotFoundError)).toMatchObject({ attempts: 2 });
  });

  test('gives the first page of a list', async () => {
    await using server = startService({ body: [{ id: 1 }] });
    const response = await createClient(server).exams.list({ page: 2 }).asResponse();
    expect(await response.json()).toEqual([{ id: 1 }]);
    expect(server.request.query.get('page')).toBe('2');
  });
});

test('a body is parsed once, when its data is first asked for', async () => {
  await using server = startService(exam);
  const validate = vi.fn((value: unknown) => ({ value }));
  const schemas = { exam: { '~standard': { version: 1, vendor: 'test', validate } } } as const;
  const promise = createClient(server, { schemas }).exams.retrieve(3);
  await promise.asResponse();
  expect(validate).not.toHaveBeenCalled();
  expect(await promise).toEqual(parsed);
  await promise.withResponse();
  expect(validate).toHaveBeenCalledTimes(1);
});
