import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type ClientOptions,
  ConfigurationError,
  ConnectionError,
  type Fetch,
  type FetchInit,
  type FetchOptions,
  type FetchResponse,
  InternalServerError,
  RedirectError,
  type RequestOptions,
  ResponseFormatError,
  UnprocessableEntityError,
} from '../../../src/index.ts';
import { createClient, failure, rejection, testKey, thrown } from '../../helpers/client.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const pair = { participant_id: 7, exam_id: 3 };
const secure = { url: 'https://exams.example.test/api/v1' };

describe('the global fetch', () => {
  test('is looked up at each call, so that one replaced later is used', async () => {
    const client = createClient(secure);
    const replaced = vi.fn(async () => Response.json({ id: 3 }));
    vi.stubGlobal('fetch', replaced);
    expect(await client.exams.retrieve(3)).toEqual({ id: 3 });
    expect(replaced).toHaveBeenCalledTimes(1);
  });
});

describe('a fetch of the caller', () => {
  /** What it was called with, for a call that sends a body. */
  async function seenBy(options: ClientOptions = {}, call: RequestOptions = {}) {
    const seen: [url: unknown, init: FetchInit][] = [];
    const fetch: Fetch = async (url, init) => {
      seen.push([url, init]);
      return new Response(null, { status: 201 });
    };
    await createClient(secure, { fetch, ...options }).examParticipants.assign(pair, call);
    expect(seen).toHaveLength(1);
    const [[url, init] = []] = seen;
    return { url, init };
  }

  test('gets the address as a string and the rest as a plain object', async () => {
    const { url, init } = await seenBy({ headers: { 'X-Trace': 'abc' } });
    expect(url).toBe('https://exams.example.test/api/v1/exam-participants/assign');
    expect(init).toEqual({
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': `exam-service-sdk/${version}`,
        'x-client-key': testKey,
        'x-trace': 'abc',
      },
      body: JSON.stringify(pair),
      redirect: 'manual',
      signal: expect.any(AbortSignal),
    });
    expect(Object.getPrototypeOf(init)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(init?.headers)).toBe(Object.prototype);
  });

  test('gets no body where there is none', async () => {
    const fetch = vi.fn(async (_url: string, _init: FetchInit) => Response.json({ id: 3 }));
    await createClient(secure, { fetch }).exams.retrieve(3);
    expect(fetch.mock.lastCall?.[1]).not.toHaveProperty('body');
  });

  test('gets the fetchOptions of the client and of the call, the latter first', async () => {
    const dispatcher = { dispatch: () => true };
    const { init } = await seenBy(
      { fetchOptions: { dispatcher, cache: 'no-store', keepalive: true } },
      { fetchOptions: { cache: 'reload', next: { revalidate: 60 } } },
    );
    expect(init).toMatchObject({ dispatcher, cache: 'reload', keepalive: true, next: { revalidate: 60 } });
    expect(init).toMatchObject({ method: 'POST', redirect: 'manual' });
  });
});

describe('fetchOptions', () => {
  const owned = { method: 'GET', headers: {}, body: '', signal: null, redirect: 'follow' };

  test.each(Object.entries(owned))('must not contain %s, which the client decides', async (name, value) => {
    const fetchOptions = { [name]: value } as FetchOptions;
    const { message } = thrown(() => createClient(secure, { fetchOptions }), ConfigurationError);
    expect(message).toContain(`\`${name}\``);
    const fetch = vi.fn(async () => Response.json({ id: 3 }));
    const call = createClient(secure, { fetch }).exams.retrieve(3, { fetchOptions });
    expect((await failure(call, ConfigurationError)).message).toContain(`\`${name}\``);
    expect(fetch).not.toHaveBeenCalled();
  });

  test.each([null, 'no-store', 5])('of %j are rejected', (fetchOptions) => {
    const create = () => createClient(secure, { fetchOptions: fetchOptions as unknown as FetchOptions });
    expect(thrown(create, ConfigurationError).message).toBe('`fetchOptions` must be an object.');
  });
});

describe("a response of another kind than the platform's", () => {
  /** As node-fetch gives it: the body is a Node stream. */
  function foreign(status: number, chunks: string[], headers: Record<string, string> = {}) {
    const body = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
    const response: FetchResponse = {
      ok: status < 300,
      status,
      statusText: '',
      redirected: false,
      type: 'default',
      url: `${secure.url}/exams/3`,
      headers: new Headers(headers),
      body,
      text: async () => chunks.join(''),
    };
    return { body, response };
  }

  test('is read', async () => {
    const fetch = async () => foreign(200, ['{"id"', ':3}']).response;
    expect(await createClient(secure, { fetch }).exams.retrieve(3)).toEqual({ id: 3 });
  });

  test.each([
    ['there is none', undefined],
    ['it is a text', 'a text'],
  ])('is read as text where its body is no stream: %s', async (_, body) => {
    const text = '{"id":3,"message":"Not now."}';
    const responding = (status: number) => async () =>
      ({ ...foreign(status, [text]).response, body }) as object as FetchResponse;
    expect(await createClient(secure, { fetch: responding(200) }).exams.retrieve(3)).toMatchObject({ id: 3 });
    const rejected = createClient(secure, { fetch: responding(422) }).exams.retrieve(3);
    const error = await failure(rejected, UnprocessableEntityError);
    expect([error.serviceMessage, error.body]).toEqual(['Not now.', text]);
    const short = createClient(secure, { fetch: responding(200), maxResponseBytes: 5 }).exams.retrieve(3);
    expect((await failure(short, ResponseFormatError)).message).toContain('longer than `maxResponseBytes`');
  });

  test('is read up to the limit of an error body, and then let go', async () => {
    const { body, response } = foreign(
      500,
      Array.from({ length: 100 }, () => 'x'.repeat(1024)),
    );
    const call = createClient(secure, { fetch: async () => response }).exams.retrieve(3);
    expect((await failure(call, InternalServerError)).body).toHaveLength(64 * 1024);
    expect(body.destroyed).toBe(true);
  });

  test('is let go where it is a redirect', async () => {
    const { body, response } = foreign(302, ['moved'], { location: '/login' });
    const call = createClient(secure, { fetch: async () => response }).exams.retrieve(3);
    expect((await failure(call, RedirectError)).location).toBe('https://exams.example.test/login');
    expect(body.destroyed).toBe(true);
  });

  test.each([200, 500])('is let go with status %i where its body can only be iterated', async (status) => {
    let isClosed = false;
    async function* endless() {
      try {
        for (;;) yield Buffer.alloc(64 * 1024, 'x');
      } finally {
        isClosed = true;
      }
    }
    const { response } = foreign(status, []);
    const fetch = async () => ({ ...response, body: endless() });
    await rejection(createClient(secure, { fetch, maxResponseBytes: 1024 }).exams.retrieve(3));
    expect(isClosed).toBe(true);
  });
});

test('a fetch of the caller is called without a this, as the fetch of a browser demands', async () => {
  const seen: unknown[] = [];
  async function fetch(this: unknown) {
    seen.push(this);
    return Response.json({ id: 3 });
  }
  await createClient(secure, { fetch }).exams.retrieve(3);
  expect(seen).toEqual([undefined]);
});

describe('under Mock Service Worker', () => {
  const mock = setupServer();
  beforeAll(() => mock.listen({ onUnhandledFrame: 'error' }));
  afterEach(() => mock.resetHandlers());
  afterAll(() => mock.close());

  test('a mocked rejection and a mocked network failure are distinguished', async () => {
    mock.use(
      http.get(`${secure.url}/exams/:id`, ({ params }) =>
        params['id'] === '3'
          ? HttpResponse.json({ message: 'No', errors: { id: ['Unknown'] } }, { status: 422 })
          : HttpResponse.error(),
      ),
    );
    const client = createClient(secure);
    const rejected = await failure(client.exams.retrieve(3), UnprocessableEntityError);
    expect(rejected.fieldErrors).toEqual({ id: ['Unknown'] });
    await failure(client.exams.retrieve(4), ConnectionError);
  });

  test('a bearer key is sent over https to a host that is not this machine', async () => {
    mock.use(
      http.get(`${secure.url}/webhooks`, ({ request }) => {
        expect(request.headers.get('authorization')).toBe(`Bearer ${testKey}`);
        expect(request.headers.has('x-client-key')).toBe(false);
        return HttpResponse.json({ success: true, message: null, data: [], meta: { available_events: [] } });
      }),
    );
    expect(await createClient(secure).webhooks.list()).toEqual([]);
  });
});
