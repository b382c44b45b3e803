import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Fetch } from '../../src/index.ts';
import { nowhere } from '../helpers/client.ts';
import { importAndFail, keys, rows, startEchoingServer } from '../helpers/secrets.ts';
import { startService } from '../helpers/server.ts';

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

describe('an error of a fetch that carries the request', () => {
  class HttpLibraryError extends Error {
    readonly request: Request;
    readonly config: object;
    readonly code = 'EPROTO';
    constructor(request: Request) {
      super(`socket hang up while sending ${[...request.headers.values()].join()}`);
      this.request = request;
      this.config = { headers: Object.fromEntries(request.headers), data: rows };
    }
  }

  test.each<[string, (error: HttpLibraryError) => unknown]>([
    ['itself', (error) => error],
    ['as its cause', (error) => new TypeError('fetch failed', { cause: error })],
    ['among several', (error) => new AggregateError([error], 'all failed')],
    ['without a stack, as some browsers give it', (error) => Object.assign(error, { stack: undefined })],
    ['as plain text', (error) => error.message],
    ['as an object', (error) => ({ ...error })],
    ['in a field of text', (error) => Object.assign(new Error('failed'), { curl: error.message })],
  ])('is reduced to what is safe to print: %s', async (_, wrap) => {
    const fetch: Fetch = (url, init) => Promise.reject(wrap(new HttpLibraryError(new Request(url, init))));
    await importAndFail(nowhere, 'connection', { fetch });
  });

  test('keeps its name, message and system details, text and numbers alike', async () => {
    const details = { errno: -71, syscall: 'connect', port: 443, hostname: keys[0], retries: 3 };
    const fetch: Fetch = (url, init) =>
      Promise.reject(Object.assign(new HttpLibraryError(new Request(url, init)), details));
    const { cause } = await importAndFail(nowhere, 'connection', { fetch });
    expect(cause).toMatchObject({ name: 'Error', message: expect.stringContaining('socket hang up') });
    expect(cause).toMatchObject({
      code: 'EPROTO',
      errno: -71,
      syscall: 'connect',
      port: 443,
      hostname: '[redacted]',
    });
    expect(cause).not.toHaveProperty('request');
    expect(cause).not.toHaveProperty('retries');
  });

  test.each([
    ['keeps its stack', 'Error: a hang-up\n    at send (elsewhere.js:1:2)'],
    ['has no other stack where it has none', undefined],
  ])('%s', async (_, stack) => {
    const fetch: Fetch = () => Promise.reject(Object.assign(new Error('a hang-up'), { stack }));
    const { cause } = await importAndFail(nowhere, 'connection', { fetch });
    expect((cause as Error).stack).toBe(stack ?? '');
  });

  test('keeps the errors that it gathers', async () => {
    const fetch: Fetch = (url, init) =>
      Promise.reject(new AggregateError([new HttpLibraryError(new Request(url, init))], 'all failed'));
    const { cause } = await importAndFail(nowhere, 'connection', { fetch });
    const [first] = (cause as AggregateError).errors;
    expect(first).toBeInstanceOf(Error);
    expect(first).toMatchObject({ code: 'EPROTO', message: expect.stringContaining('socket hang up') });
  });

  test('is kept once where it is its own cause', async () => {
    const fetch: Fetch = (url, init) => {
      const error = new HttpLibraryError(new Request(url, init));
      error.cause = error;
      return Promise.reject(error);
    };
    const { cause } = await importAndFail(nowhere, 'connection', { fetch });
    expect(cause).toMatchObject({ code: 'EPROTO' });
    expect(cause).not.toHaveProperty('cause');
  });
});

test('a timeout shows no secret', async () => {
  const fetch: Fetch = () => new Promise(() => {});
  await importAndFail(nowhere, 'timeout', { fetch, timeout: 1 });
  await importAndFail(nowhere, 'timeout', { fetch, totalTimeout: 1 });
});

test('a failure whose wait does not fit into the total time shows no secret', async () => {
  await using server = await startEchoingServer(({ headers, body }) => ({
    status: 503,
    headers: { ...headers, 'Retry-After': '50' },
    body,
  }));
  await importAndFail(server, 'internal_server', { totalTimeout: 40_000 });
});

test('a key function that fails shows no key of an earlier attempt', async () => {
  await using server = startService({ status: 503 });
  const left = keys.slice(0, 1).values();
  const apiKey = () => {
    const { value } = left.next();
    if (value === undefined) throw Object.assign(new Error(`cannot renew ${keys[0]}`), { tried: keys });
    return value;
  };
  const error = await importAndFail(server, 'configuration', { apiKey });
  expect(error.cause).toMatchObject({ message: 'cannot renew [redacted]' });
});
