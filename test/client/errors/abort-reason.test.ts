import { describe, expect, test } from 'vitest';
import { type ExamClient, NotFoundError, type StandardSchema } from '../../../src/index.ts';
import { createClient, failure, rejection } from '../../helpers/client.ts';
import { startService } from '../../helpers/server.ts';

const pair = { participant_id: 7, exam_id: 3 };
const endpoint = { url: 'https://h.test/hooks', events: ['exam_result.scored' as const] };

/** Three pages of two; the second one waits for `beforeSecond`. Nothing else is there. */
const startPages = (beforeSecond: () => unknown = () => undefined) =>
  startService(async ({ path, query }) => {
    if (path !== '/exams') return { status: 404 };
    const page = Number(query.get('page') ?? 1);
    if (page === 2) await beforeSecond();
    return { body: page > 3 ? [] : [1, 2].map((place) => ({ id: page * 10 + place })) };
  });

async function notFound(client: ExamClient): Promise<NotFoundError> {
  return failure(client.participants.retrieve(9), NotFoundError);
}

const ways: [string, (client: ExamClient, signal: AbortSignal) => Promise<unknown>][] = [
  [
    'for await',
    async ({ exams }, signal) => {
      for await (const _ of exams.list({}, { signal }));
    },
  ],
  ['toArray', ({ exams }, signal) => exams.list({}, { signal }).toArray({ maxItems: 99 })],
  [
    'pages fetched ahead',
    ({ exams }, signal) => exams.list({}, { signal, concurrency: 3 }).toArray({ maxItems: 99 }),
  ],
  [
    'a signal of several',
    ({ exams }, signal) =>
      exams
        .list({}, { signal: AbortSignal.any([signal, new AbortController().signal]) })
        .toArray({ maxItems: 99 }),
  ],
  ['nextPage', async ({ exams }, signal) => (await exams.list({}, { signal })).nextPage()],
];

describe('an abort whose reason is an error of another call', () => {
  test.each(ways)('ends a list with that reason, not as if it were complete: %s', async (_, run) => {
    const controller = new AbortController();
    let reason: unknown;
    await using server = await startPages(() => {
      controller.abort(reason);
      return new Promise(() => {});
    });
    const client = createClient(server);
    reason = await notFound(client);
    expect(await rejection(run(client, controller.signal))).toBe(reason);
  });

  test.each<[string, (client: ExamClient, signal: AbortSignal) => Promise<unknown>]>([
    ['ensure', ({ examParticipants }, signal) => examParticipants.ensure(pair, { signal })],
    ['webhooks.ensure', ({ webhooks }, signal) => webhooks.ensure(endpoint, { signal })],
  ])('is the reason of %s, and no response to it', async (_, run) => {
    await using server = startService(({ method, path }) => {
      if (path === '/participants/1') return { body: { unlike: 'a participant' } };
      return method === 'GET' ? { body: { data: [] } } : undefined;
    });
    const client = createClient(server);
    const reason = await rejection(client.participants.retrieve(1));
    const controller = new AbortController();
    const run1 = rejection(run(client, controller.signal));
    while (server.requests.at(-1)?.method !== 'POST') await server.arrival(server.requests.length + 1);
    controller.abort(reason);
    expect(await run1).toBe(reason);
  });

  test('leaves the outcome of the call to what is known of it', async () => {
    const ends: unknown[] = [];
    await using server = startService(({ path }) =>
      path === '/participants/9' ? { status: 404 } : undefined,
    );
    const client = createClient(server, { hooks: { onEnd: ({ outcome }) => ends.push(outcome) } });
    const reason = await notFound(client);
    const controller = new AbortController();
    const call = rejection(client.examParticipants.assign(pair, { signal: controller.signal }));
    await server.arrival(2);
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(ends).toEqual(['rejected', 'unknown']);
  });
});

describe('an error of another call is not taken for one of this call', () => {
  test('where a schema of the caller makes it', async () => {
    await using server = await startPages();
    const client = createClient(server);
    let count = 0;
    const exam: StandardSchema<object> = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: async (value) => {
          count += 1;
          if (count === 3) await client.participants.retrieve(9);
          return { value: Object(value) };
        },
      },
    };
    const list = client.withOptions({ schemas: { exam } }).exams.list();
    expect(await rejection(list.toArray({ maxItems: 99 }))).toMatchObject({
      code: 'response_validation',
      cause: { name: 'NotFoundError' },
    });
  });

  test('where a custom fetch makes it', async () => {
    await using server = await startPages();
    const tokens = createClient(server);
    const client = createClient(server, {
      fetch: async (input, init) => {
        if (String(input).includes('page=2')) await tokens.participants.retrieve(9);
        return server.fetch(input, init);
      },
    });
    expect(await rejection(client.exams.list().toArray({ maxItems: 99 }))).toMatchObject({
      code: 'connection',
      operation: 'exams.list',
      cause: { name: 'NotFoundError' },
    });
  });
});
