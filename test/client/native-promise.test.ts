import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inspect, promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type ExamClient, NotFoundError } from '../../src/index.ts';
import { createClient, failure, rejection } from '../helpers/client.ts';

// Hosts such as Durable Objects, locks and the tests of Bun read the state of the promise itself and never call its `then`.

type Use = (client: ExamClient) => Promise<unknown>;

const kinds: [string, Use, unknown][] = [
  ['a call', (client) => client.exams.retrieve(3), { id: 3 }],
  ['a list', (client) => client.exams.list(), { data: [{ id: 3 }], page: 1 }],
  [
    'a call of request()',
    (client) => client.request({ method: 'GET', path: '/exams/3', auth: 'clientKey' }),
    { id: 3 },
  ],
];

const nativeThen = (call: Promise<unknown>, ...handlers: Parameters<Promise<unknown>['then']>) =>
  Promise.prototype.then.apply(call, handlers);

describe.each(kinds)('%s', (_, use, value) => {
  const succeed = () =>
    use(
      createClient(
        { url: 'https://h.test' },
        { fetch: async (url) => Response.json(url.endsWith('/3') ? { id: 3 } : [{ id: 3 }]) },
      ),
    );
  const fail = () =>
    use(createClient({ url: 'https://h.test' }, { fetch: async () => Response.json({}, { status: 404 }) }));

  test('settles itself, when it succeeds and when it fails', async () => {
    const [good, bad] = [succeed(), fail()];
    expect([inspect(good), inspect(bad)]).toEqual(Array(2).fill(expect.stringContaining('<pending>')));
    await good;
    await rejection(bad);
    expect(inspect(good)).toMatch(/^(Api|Page)Promise \{\s/);
    expect(inspect(good)).not.toContain('<pending>');
    expect(inspect(bad)).toContain('<rejected> NotFoundError');
  });

  test('is waited for by the native then, catch and finally', async () => {
    expect(await nativeThen(succeed(), (data) => [data])).toMatchObject([value]);
    expect(await nativeThen(fail(), null, (error) => [error])).toEqual([expect.any(NotFoundError)]);
    await failure(nativeThen(fail()), NotFoundError);
    expect(await Promise.prototype.catch.call(fail(), () => 'caught')).toBe('caught');
    expect(await Promise.prototype.finally.call(succeed(), () => {})).toMatchObject(value as object);
  });

  test('gives ordinary promises, which can be derived from like any other', async () => {
    const call = succeed();
    const derived = [call.then(), call.catch(), call.finally(), nativeThen(call), Promise.resolve(call)];
    expect(derived.map((each) => each.constructor)).toEqual(Array(5).fill(Promise));
    expect(derived.some((each) => 'withResponse' in each || 'toArray' in each)).toBe(false);
    for (const data of await Promise.all(derived)) expect(data).toMatchObject(value as object);
  });

  test('is adopted by Promise.all, race, any, allSettled and resolve when it fails', async () => {
    await failure(Promise.resolve(fail()), NotFoundError);
    await failure(Promise.all([succeed(), fail()]), NotFoundError);
    await failure(Promise.race([fail(), new Promise(() => {})]), NotFoundError);
    expect(await Promise.any([fail(), succeed()])).toMatchObject(value as object);
    expect(await rejection(Promise.any([fail(), fail()]))).toMatchObject({
      errors: [expect.any(NotFoundError), expect.any(NotFoundError)],
    });
    expect(await Promise.allSettled([succeed(), fail()])).toMatchObject([
      { status: 'fulfilled', value },
      { status: 'rejected', reason: expect.any(NotFoundError) },
    ]);
  });
});

test('a process of its own reports a failure that nobody handles once, and one that is handled never', async () => {
  const program = fileURLToPath(new URL('../helpers/lost-calls.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  expect(JSON.parse(stdout)).toEqual({ 'reported once': 'ok', 'not reported when handled': 'ok' });
});
