import { describe, expect, test, vi } from 'vitest';
import type { ClientOptions, ExamClient } from '../../../src/index.ts';
import { createClient, failure, nowhere, rejection, throwing } from '../../helpers/client.ts';
import { startServer, unusedUrl } from '../../helpers/server.ts';

/** Ways to call the service, each in a function of its own whose name the stack has to show. */
const calls: [string, (client: ExamClient) => Promise<unknown>][] = [
  ['retrieve', async (client) => callerOfRetrieve(client)],
  ['a list', async (client) => callerOfList(client)],
  ['for await', async (client) => callerOfForAwait(client)],
  ['pages()', async (client) => callerOfPages(client)],
  ['toArray', async (client) => callerOfToArray(client)],
  ['ensure', async (client) => callerOfEnsure(client)],
  ['request', async (client) => callerOfRequest(client)],
  ['withResponse()', async (client) => callerOfWithResponse(client)],
];

async function callerOfRetrieve(client: ExamClient) {
  await client.exams.retrieve(1);
}
async function callerOfList(client: ExamClient) {
  await client.exams.list();
}
async function callerOfForAwait(client: ExamClient) {
  for await (const _ of client.exams.list());
}
async function callerOfPages(client: ExamClient) {
  for await (const _ of client.exams.list().pages());
}
async function callerOfToArray(client: ExamClient) {
  await client.exams.list().toArray({ maxItems: 5 });
}
async function callerOfEnsure(client: ExamClient) {
  await client.examParticipants.ensure({ participant_id: 1, exam_id: 1 });
}
async function callerOfRequest(client: ExamClient) {
  await client.request({ method: 'GET', path: '/x', auth: 'clientKey' });
}
async function callerOfWithResponse(client: ExamClient) {
  await client.exams.retrieve(1).withResponse();
}

describe.each(calls)('the stack of a failed call names the line of its caller: %s', (_, call) => {
  const stackOf = async (client: ExamClient) => {
    const error = await failure(call(client), Error);
    return (error as Error).stack;
  };

  test('for a response', async () => {
    await using server = await startServer({ status: 401, body: {} });
    expect(await stackOf(createClient(server))).toMatch(/callerOf\w+ .*stacks\.test\.ts/);
  });

  test('for a response after retries', async () => {
    await using server = await startServer({ status: 503, body: {} });
    vi.spyOn(Math, 'random').mockReturnValue(0);
    expect(await stackOf(createClient(server, { maxRetries: 2 }))).toMatch(/callerOf\w+ .*stacks\.test\.ts/);
  });

  test('for a connection that is refused', async () => {
    expect(await stackOf(createClient({ url: await unusedUrl() }))).toMatch(/callerOf\w+ .*stacks\.test\.ts/);
  });

  test('for a timeout', async () => {
    const client = createClient(nowhere, { timeout: 1, fetch: () => new Promise(() => {}) });
    expect(await stackOf(client)).toMatch(/callerOf\w+ .*stacks\.test\.ts/);
  });

  test('for a timeout in a busy process, where Node stands in the stack as well', async () => {
    const fetch = () => {
      // Two timers that are due at once: what the first brings about runs within the second's turn.
      setTimeout(() => {}, 1);
      const start = performance.now();
      while (performance.now() < start + 3);
      return new Promise<never>(() => {});
    };
    const client = createClient(nowhere, { timeout: 1, fetch });
    expect(await stackOf(client)).toMatch(/callerOf\w+ .*stacks\.test\.ts/);
  });
});

test.each<[what: string, options: ClientOptions]>([
  ['a fetch that returns nothing, as a mock may', { fetch: vi.fn() }],
  ['a fetch that resolves to nothing', { fetch: async () => undefined as never }],
  ['a fetch that throws', { fetch: throwing(new Error('mock')) }],
  ['a key function that throws', { apiKey: throwing(new Error('vault')) }],
  ['a key function that rejects', { apiKey: async () => throwing(new Error('vault'))() }],
  ['a key function that returns no key', { apiKey: () => '' }],
])('the stack of a call that fails by %s names the line of its caller', async (_what, options) => {
  for (const call of [callerOfRetrieve, callerOfToArray, callerOfEnsure]) {
    const { stack } = await failure(call(createClient(nowhere, options)), Error);
    expect(stack).toMatch(/callerOf\w+ .*stacks\.test\.ts/);
  }
});

const onPageTwo: [string, (client: ExamClient) => Promise<unknown>][] = [
  ['for await', async (client) => callerOfForAwait(client)],
  ['pages()', async (client) => callerOfPages(client)],
  ['toArray', async (client) => callerOfToArray(client)],
  ['toMap', async (client) => callerOfToMap(client)],
  ['a page', async (client) => callerOfPage(client)],
];

async function callerOfToMap(client: ExamClient) {
  await client.exams.list().toMap(({ id }) => id, { maxItems: 5 });
}
async function callerOfPage(client: ExamClient) {
  for await (const _ of await client.exams.list());
}

test.each(onPageTwo)(
  'the stack of a list that fails on its second page names the line of its caller: %s',
  async (_, call) => {
    await using server = await startServer(({ query }) =>
      query.has('page') ? { status: 401 } : { body: [{ id: 1, name: 'A' }] },
    );
    const error = await rejection(call(createClient(server)));
    expect((error as Error).stack).toMatch(/callerOf\w+ .*stacks\.test\.ts/);
  },
);
