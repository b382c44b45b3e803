import { Readable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import {
  ApiError,
  type ExamClient,
  type Fetch,
  type FetchResponse,
  InternalServerError,
  UnprocessableEntityError,
} from '../../../src/index.ts';
import { createClient, failure, nowhere, rejection } from '../../helpers/client.ts';
import { startFakeTime } from '../../helpers/fake-time.ts';
import { createGate, nextTurn } from '../../helpers/gate.ts';
import { startServer, startService } from '../../helpers/server.ts';

const KIB = 1024;

describe('the body of a 422', () => {
  /** A rejection of so many rows, each with a field of its own. */
  function rejected(rows: number) {
    const fields = Array.from({ length: rows }, (_, row) => [
      `participants.${row}.email`,
      ['The email has already been taken.'],
    ]);
    return { message: 'The given data was invalid.', errors: Object.fromEntries(fields) };
  }

  test('of 900 KiB gives all its field errors, and is kept up to 64 KiB', async () => {
    const body = rejected(14_500);
    const length = JSON.stringify(body).length;
    expect(length).toBeGreaterThan(900 * KIB);
    expect(length).toBeLessThan(1024 * KIB);
    await using server = startService({ status: 422, body });
    const error = await failure(createClient(server).exams.list(), UnprocessableEntityError);
    expect(Object.keys(error.fieldErrors)).toHaveLength(14_500);
    expect(error.fieldErrors['participants.14499.email']).toEqual(['The email has already been taken.']);
    expect(error.body).toBe(JSON.stringify(body).slice(0, 64 * KIB));
    expect(error.message).toContain(
      'Fields: participants.0.email, participants.1.email, participants.2.email and 14497 more.',
    );
  });

  test('beyond 1 MiB is not read on, and the error is still that of its status', async () => {
    const closed = createGate();
    await using server = await startServer((_, { begin, response }) => {
      response.once('close', () => closed.open());
      begin(
        { status: 422, headers: { 'Content-Type': 'application/json' } },
        JSON.stringify(rejected(20_000)),
      );
      return undefined;
    });
    const error = await failure(createClient(server).exams.list(), UnprocessableEntityError);
    expect(error).toMatchObject({ status: 422, fieldErrors: {} });
    expect(error.body).toHaveLength(64 * KIB);
    await closed.promise;
  });
});

test('a secret at the cut of a kept body does not remain there in part', async () => {
  const password = 'correct-horse-battery-staple';
  const body = { text: 'x'.repeat(64 * KIB - 20), password };
  await using server = startService({ status: 422, body });
  const rows = [{ email: 'ada@example.test', name: 'Ada', password }];
  const error = await failure(createClient(server).participants.import(rows), UnprocessableEntityError);
  expect(error.body.length).toBeLessThanOrEqual(64 * KIB);
  expect(error.body).not.toContain('correct');
});

/** The beginning of a body that never ends, as each kind of fetch gives it. */
const streams: [string, () => unknown][] = [
  [
    'a web stream',
    () => new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{"mess')) }),
  ],
  [
    'a web stream that cannot be cancelled',
    () =>
      new ReadableStream({
        start: (controller) => controller.enqueue(Buffer.from('{"mess')),
        cancel: () => new Promise(() => {}),
      }),
  ],
  [
    'a Node stream',
    () => {
      const stream = new Readable({ read() {} });
      stream.push('{"mess');
      return stream;
    },
  ],
  [
    'an iterable that nobody can end',
    async function* () {
      yield Buffer.from('{"mess');
      await new Promise(() => {});
    },
  ],
];

const ways: [string, (client: ExamClient, signal?: AbortSignal) => Promise<unknown>][] = [
  ['a call', (client, signal) => client.exams.retrieve(3, { signal })],
  ['asResponse()', (client, signal) => client.exams.retrieve(3, { signal }).asResponse()],
];

/** A fetch that responds with 500 and this body, and says when the response is there. */
function failing(body: unknown, status = 500): Fetch {
  const answer: Partial<FetchResponse> = {
    ok: false,
    status,
    statusText: '',
    redirected: false,
    type: 'basic',
    url: nowhere.url,
    headers: new Headers({ 'Content-Type': 'application/json' }),
    body,
  };
  return async () => answer as FetchResponse;
}

describe.each(streams)('the body of a failure that never ends, as %s,', (_, open) => {
  startFakeTime();

  describe.each(ways)('with %s,', (_way, call) => {
    test('gives the error of its status after 5 s, also without a timeout', async () => {
      const client = createClient(nowhere, { fetch: failing(open()), timeout: false });
      const failed = failure(call(client), InternalServerError);
      await vi.advanceTimersByTimeAsync(4_999);
      expect(vi.getTimerCount()).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(await failed).toMatchObject({ status: 500, body: '{"mess' });
      expect(vi.getTimerCount()).toBe(0);
    });

    test('does not keep the caller who gives up meanwhile, and leaves no timer', async () => {
      const controller = new AbortController();
      const client = createClient(nowhere, { fetch: failing(open()) });
      const failed = rejection(call(client, controller.signal));
      await vi.advanceTimersByTimeAsync(1_000);
      const reason = new Error('enough');
      controller.abort(reason);
      expect(await failed).toBe(reason);
      await nextTurn();
      expect(vi.getTimerCount()).toBe(0);
    });

    test('does not hide the status behind a totalTimeout that ends meanwhile', async () => {
      // The time of the page is not that of the call.
      await vi.advanceTimersByTimeAsync(10_000);
      const client = createClient(nowhere, { fetch: failing(open(), 404), totalTimeout: 2_000 });
      const failed = failure(call(client), ApiError);
      await vi.advanceTimersByTimeAsync(2_000);
      expect(await failed).toMatchObject({ name: 'NotFoundError', status: 404, outcome: 'rejected' });
      await nextTurn();
      expect(vi.getTimerCount()).toBe(0);
    });
  });
});
