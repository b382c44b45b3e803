import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ConnectionError, UnprocessableEntityError } from '../../../src/index.ts';
import { createClient, failure, testKey } from '../../helpers/client.ts';
import { startServer } from '../../helpers/server.ts';

const secure = { url: 'https://exams.example.test/api/v1' };

describe('the global fetch', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test('is looked up at each call, so that one replaced later is used', async () => {
    const client = createClient(secure);
    const replaced = vi.fn(async () => Response.json({ id: 3 }));
    vi.stubGlobal('fetch', replaced);
    expect(await client.exams.retrieve(3)).toEqual({ id: 3 });
    expect(replaced).toHaveBeenCalledTimes(1);
  });

  test('is not used by a client that has a fetch of its own', async () => {
    const replaced = vi.fn(async () => Response.json({ id: 4 }));
    vi.stubGlobal('fetch', replaced);
    const fetch = async () => Response.json({ id: 3 });
    expect(await createClient(secure, { fetch }).exams.retrieve(3)).toEqual({ id: 3 });
    expect(replaced).not.toHaveBeenCalled();
  });
});

test('a fetch of the caller gets a complete request, which it may pass on', async () => {
  await using server = await startServer({ status: 201, body: {} });
  const seen: string[] = [];
  const client = createClient(server, {
    fetch: (request, init) => {
      seen.push(`${request.method} ${new URL(request.url).pathname}`);
      return fetch(new Request(request, init));
    },
  });
  await client.examParticipants.assign({ participant_id: 7, exam_id: 3 });
  expect(seen).toEqual(['POST /api/v1/exam-participants/assign']);
  expect(server.request.body).toEqual({ participant_id: 7, exam_id: 3 });
  expect(server.request.headers['x-client-key']).toBe(testKey);
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

  test('a client that was made before sees the mocked service', async () => {
    mock.use(
      http.post(`${secure.url}/participants/import`, async ({ request }) => {
        expect(request.headers.get('x-client-key')).toBe(testKey);
        expect(request.headers.get('accept')).toBe('application/json');
        return HttpResponse.json({ message: 'Imported', data: await request.json() }, { status: 201 });
      }),
    );
    const rows = [{ email: 'ada@example.test', name: 'Ada', password: 'first-password' }];
    expect(await createClient(secure).participants.import(rows)).toEqual({
      message: 'Imported',
      data: { participants: rows },
    });
  });

  test('a mocked refusal and a mocked network failure are told apart', async () => {
    mock.use(
      http.get(`${secure.url}/exams/:id`, ({ params }) =>
        params['id'] === '3'
          ? HttpResponse.json({ message: 'No', errors: { id: ['Unknown'] } }, { status: 422 })
          : HttpResponse.error(),
      ),
    );
    const client = createClient(secure);
    const refused = await failure(client.exams.retrieve(3), UnprocessableEntityError);
    expect(refused.fieldErrors).toEqual({ id: ['Unknown'] });
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
    expect(await createClient(secure).webhooks.list()).toEqual({ data: [], meta: { available_events: {} } });
  });
});
