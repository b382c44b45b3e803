import { describe, expect, test } from 'vitest';
import { type ClientOptions, type Fetch, RedirectError } from '../../../src/index.ts';
import { createClient, failure, nowhere, testKey } from '../../helpers/client.ts';
import { createGate } from '../../helpers/gate.ts';
import { operations } from '../../helpers/operations.ts';
import { startServer } from '../../helpers/server.ts';

describe('a redirect to another origin', () => {
  test.each(operations)(
    'is not followed by $name, so the other server never hears of the key',
    async ({ call }) => {
      await using other = await startServer({ body: [] });
      await using server = await startServer({
        status: 307,
        headers: { Location: `${other.url}/taken?next=1` },
      });
      await failure(call(createClient(server, { maxRetries: 2 })), RedirectError);
      expect(server.requests).toHaveLength(1);
      expect(other.requests).toHaveLength(0);
    },
  );

  test('is not followed by asResponse either', async () => {
    await using other = await startServer({ body: [] });
    await using server = await startServer({ status: 307, headers: { Location: other.url } });
    await failure(createClient(server).exams.list().asResponse(), RedirectError);
    expect(other.requests).toHaveLength(0);
  });
});

test.each([300, 301, 302, 303, 305, 306, 307, 308])('status %i is a RedirectError', async (status) => {
  await using server = await startServer({
    status,
    headers: { Location: 'https://user:secret@other.test/login?token=t#top', 'X-Request-Id': 'r-1' },
    body: '<a href="https://other.test/login">moved</a>',
  });
  const error = await failure(createClient(server, { maxRetries: 2 }).exams.list(), RedirectError);
  expect(error).toMatchObject({
    name: 'RedirectError',
    code: 'redirect',
    status,
    requestId: 'r-1',
    attempts: 1,
  });
  expect(error.location).toBe('https://other.test/login');
  expect(error.body).toBe('');
  expect(error.message).toMatch(
    /^exams\.list: GET \/exams returned a redirect to https:\/\/other\.test\/login,/,
  );
  expect(error.message).not.toMatch(/secret|token/);
});

test('a redirect, as one that only adds a slash, asks about the base URL and the end of paths', async () => {
  await using server = await startServer({ status: 301, headers: { Location: '/api/v1/exams/' } });
  const { message } = await failure(createClient(server).exams.list(), RedirectError);
  expect(message).toMatch(/to http\S+\/api\/v1\/exams\/, .* base URL, .* slash\.$/);
});

test.each([
  ['/login', (origin: string) => `${origin}/login`],
  ['login', (origin: string) => `${origin}/api/v1/login`],
  ['https://', () => null],
  ['mailto:a@b.test', () => null],
])('a Location of %s is reported in full, or not at all', async (location, expected) => {
  await using server = await startServer({ status: 302, headers: { Location: location } });
  const error = await failure(createClient(server).exams.list(), RedirectError);
  expect(error.location).toBe(expected(server.origin));
});

test('a redirect without a Location has none', async () => {
  await using server = await startServer({ status: 302 });
  const error = await failure(createClient(server).exams.list(), RedirectError);
  expect(error.location).toBeNull();
  expect(error.message).toContain('returned a redirect, which is not followed');
});

test('a redirect does not hold the connection, although its body is not read', async () => {
  const closed = createGate();
  await using server = await startServer((_, { begin, response }) => {
    response.once('close', () => closed.open());
    return begin({ status: 302, headers: { Location: '/login' } }, 'never ending');
  });
  await failure(createClient(server).exams.list(), RedirectError);
  await closed.promise;
});

describe('with a fetch of the caller', () => {
  const withFetch = (fetch: Fetch, options: ClientOptions = {}) =>
    createClient(nowhere, { fetch, ...options });

  test('every request asks that redirects are not followed', async () => {
    const modes: string[] = [];
    const client = withFetch(async (_, init) => {
      modes.push(init.redirect);
      return Response.json([]);
    });
    await client.exams.list();
    expect(modes).toEqual(['manual']);
  });

  test('an opaque redirect, as browsers give it, is a RedirectError with status 0', async () => {
    const opaque = Object.defineProperties(new Response(null), {
      type: { value: 'opaqueredirect' },
      status: { value: 0 },
      ok: { value: false },
    });
    const error = await failure(withFetch(async () => opaque).exams.list(), RedirectError);
    expect(error).toMatchObject({ status: 0, location: null });
  });

  test('a response that was reached by a redirect is rejected, good as it may look', async () => {
    const followed = Object.defineProperties(Response.json([{ id: 1 }]), {
      redirected: { value: true },
      url: { value: `https://other.test/exams?key=${testKey}` },
    });
    const error = await failure(withFetch(async () => followed).exams.list(), RedirectError);
    expect(error).toMatchObject({ status: 200, location: 'https://other.test/exams' });
  });

  test('a relative Location counts from the request where the response does not have its address', async () => {
    const response = new Response(null, { status: 302, headers: { Location: '/login?a=b' } });
    const error = await failure(withFetch(async () => response).exams.list(), RedirectError);
    expect(error.location).toBe('https://h.test/login');
  });
});
