import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ConnectionError, type ExamServiceError, type Fetch } from '../../../src/index.ts';
import { createClient, failure, nowhere, rejection } from '../../helpers/client.ts';
import { createGate } from '../../helpers/gate.ts';
import { abortControllerOfOtherRealm, inOtherRealm } from '../../helpers/realm.ts';

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

const pair = { participant_id: 1, exam_id: 2 };

const withCause = (code: string) =>
  `Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('connect ${code}'), { code: '${code}' }) })`;
const several = (...codes: string[]) =>
  `new TypeError('fetch failed', { cause: new AggregateError([${codes
    .map((code) => `Object.assign(new Error('${code}'), { code: '${code}' })`)
    .join()}]) })`;
const tagged = `(() => {
  class FetchError extends Error {
    get [Symbol.toStringTag]() { return 'FetchError'; }
  }
  return Object.assign(new FetchError('request failed, reason: connect'), { code: 'ECONNREFUSED' });
})()`;

/** Assigns with a fetch whose first attempt fails with this expression, evaluated in another realm. */
async function assign(expression: string) {
  let attempts = 0;
  const fetch: Fetch = async () => {
    attempts += 1;
    if (attempts === 1) throw inOtherRealm<Error>(expression);
    return Response.json({ message: 'assigned' });
  };
  const client = createClient(nowhere, { fetch, maxRetries: 2 });
  const result = await client.examParticipants.assign(pair).catch((error: unknown) => error);
  return { attempts, result };
}

describe('assign is repeated after a failure of another realm that never connected', () => {
  test.each([
    ['ECONNREFUSED', withCause('ECONNREFUSED')],
    ['the code on the error itself', `Object.assign(new Error(''), { code: 'ECONNREFUSED' })`],
    ['the same for each of several addresses', several('ECONNREFUSED', 'ECONNREFUSED')],
    ['an error with a tag of its own, such as those of node-fetch', tagged],
  ])('%s', async (_, expression) => {
    expect(await assign(expression)).toMatchObject({ attempts: 2, result: { message: 'assigned' } });
  });
});

describe('assign is not repeated after a failure of another realm that may have come through', () => {
  test.each([
    ['ECONNRESET', withCause('ECONNRESET')],
    ['one of several addresses', several('ECONNREFUSED', 'ECONNRESET')],
    ['no address at all', several()],
    ['the words of Deno', `new TypeError('client error (Connect): dns error')`],
  ])('%s', async (_, expression) => {
    const { attempts, result } = await assign(expression);
    expect(attempts).toBe(1);
    expect(result).toMatchObject({ code: 'connection', outcome: 'unknown', retryable: false });
  });
});

const failWith = (error: unknown): Promise<ExamServiceError> =>
  failure(createClient(nowhere, { fetch: () => Promise.reject(error) }).exams.list(), ConnectionError);

describe('the cause of a connection error', () => {
  test.each([
    ['an error', withCause('ECONNRESET'), 'connect ECONNRESET'],
    ['several errors', several('ECONNRESET'), ''],
    ['an error with a tag of its own', tagged, 'request failed'],
  ])('is copied where it is %s of another realm', async (_, expression, reported) => {
    const error = inOtherRealm<Error>(expression);
    expect(error).not.toBeInstanceOf(Error);
    const { cause, message } = await failWith(error);
    expect(cause).toMatchObject({ name: error.name, message: error.message });
    expect(message).toMatch(new RegExp(`got no response.*${reported}`));
  });

  test('is copied where it is a DOMException of a class of another realm', async () => {
    const error = inOtherRealm<Error>(
      `Object.defineProperty(new Error('gone'), Symbol.toStringTag, { value: 'DOMException' })`,
    );
    expect((await failWith(error)).cause).toMatchObject({ message: 'gone' });
  });
});

describe('a signal of another realm', () => {
  const pending: Fetch = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      // As the fetch of Node does: it takes no signal but its own.
      AbortSignal.any([signal ?? AbortSignal.abort()]).addEventListener('abort', () =>
        reject(signal?.reason),
      );
    });

  test.each([['awaited'], ['as a response'], ['as an iteration']])(
    'ends a call with its reason, %s',
    async (how) => {
      const sent = createGate();
      const { signal, abort } = abortControllerOfOtherRealm();
      const fetch: Fetch = (url, init) => {
        sent.open();
        return pending(url, init);
      };
      const list = createClient(nowhere, { fetch }).exams.list({}, { signal });
      const ended = rejection(
        how === 'awaited'
          ? list
          : how === 'as a response'
            ? list.asResponse()
            : list.toArray({ maxItems: 5 }),
      );
      await sent.promise;
      const reason = inOtherRealm<Error>(`new Error('enough')`);
      abort(reason);
      expect(await ended).toBe(reason);
    },
  );

  test('ends an iteration between two pages', async () => {
    const { signal, abort } = abortControllerOfOtherRealm();
    const fetch: Fetch = async () => Response.json([{ id: 1 }, { id: 2 }]);
    const list = createClient(nowhere, { fetch }).exams.list({}, { signal });
    const seen: unknown[] = [];
    const iterate = async () => {
      for await (const item of list) {
        seen.push(item.id);
        abort('enough');
      }
    };
    expect(await rejection(iterate())).toBe('enough');
    expect(seen).toEqual([1]);
  });
});

test('parameters made in another realm are sent', async () => {
  const urls: string[] = [];
  const fetch: Fetch = async (url) => {
    urls.push(url);
    return Response.json({});
  };
  const client = createClient(nowhere, { fetch });
  const query = inOtherRealm<URLSearchParams>(
    `(() => {
      const pairs = [['a', '1'], ['b', '2']];
      return {
        [Symbol.toStringTag]: 'URLSearchParams',
        keys: () => pairs.map(([name]) => name),
        getAll: (name) => pairs.filter((pair) => pair[0] === name).map((pair) => pair[1]),
      };
    })()`,
  );
  await client.request({ method: 'GET', path: '/x', auth: 'bearer', query });
  const headers = inOtherRealm<Record<string, string>>(`({ 'x-tag': 'a' })`);
  await client.examParticipants.assign(inOtherRealm(`({ participant_id: 1, exam_id: 2 })`), { headers });
  expect(urls[0]).toMatch(/\/x\?a=1&b=2$/);
});
