// A client behind the proxies of others: a plain one, and those of stores that wrap what they return unless it is frozen, as Vue does.
import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import type { ExamClient } from '../../src/index.ts';
import { fresh } from '../fixtures/responses/webhooks.ts';
import { createClient, testKey } from '../helpers/client.ts';
import { operations } from '../helpers/operations.ts';
import { startService } from '../helpers/server.ts';

const plain = <T extends object>(target: T): T => new Proxy(target, {});

/** Wraps all that it returns and that is not frozen; it hands itself on as the receiver. */
const reactive = <T extends object>(target: T): T =>
  new Proxy(target, {
    get(holder, name, receiver) {
      const value: unknown = Reflect.get(holder, name, receiver);
      const isWrapped = typeof value === 'object' && value !== null && Object.isExtensible(value);
      return isWrapped ? reactive(value) : value;
    },
  });

describe.each([
  ['a plain proxy', plain],
  ['a proxy that wraps what it returns', reactive],
])('behind %s', (_, wrap) => {
  test.each(operations)('$name works', async (operation) => {
    await using server = startService(operation.response);
    await operation.call(wrap(createClient(server)), {});
    expect(server.requests).toHaveLength(1);
  });

  test('request and withOptions work, and so do the jobs and ensure', async () => {
    await using server = startService(({ path }) => ({
      body: path.endsWith('/link') ? { url: 'https://exam.example.test/a' } : { message: 'OK' },
    }));
    const client = wrap(createClient(server)).withOptions({ timeout: 500 });
    expect(await client.request({ method: 'GET', path: '/x', auth: 'bearer' })).toEqual({ message: 'OK' });
    const pair = { participant_id: 1, exam_id: 2 };
    expect(await client.examParticipants.ensure(pair)).toMatchObject({ created: true });
    expect(await client.examParticipants.assignAll([pair], { link: true })).toMatchObject({ assigned: 1 });
    const row = { email: 'ana@example.test', name: 'Ana', password: 'cedar-delta' };
    expect(await client.participants.importAll([row])).toMatchObject({ imported: 1 });
  });

  test('two registrations of one address at once are one', async () => {
    const endpoint = { url: 'https://receiver.example.test/', events: ['exam_result.scored'] } as const;
    const registered: object[] = [];
    await using server = startService(({ method, body }) => {
      if (method === 'GET') return { body: { data: registered } };
      const created_at = '2026-01-01T00:00:00+00:00';
      registered.push({ ...fresh, created_at, ...Object(body), id: registered.length + 1 });
      return { status: 201, body: { data: { ...registered[0], secret: 'whsec_1' } } };
    });
    const { webhooks } = wrap(createClient(server));
    const both = await Promise.all([webhooks.ensure(endpoint), webhooks.ensure(endpoint)]);
    expect(both[0]).toBe(both[1]);
    expect(registered).toHaveLength(1);
  });
});

test('a method can be replaced in a test', async () => {
  await using server = startService({ body: [] });
  const client: ExamClient = createClient(server);
  vi.spyOn(client.exams, 'retrieve').mockResolvedValue({ id: 9 } as never);
  expect(await client.exams.retrieve(1)).toEqual({ id: 9 });
  vi.restoreAllMocks();
  expect(server.requests).toEqual([]);
});

test('no option of a console shows the key', async () => {
  await using server = startService({ body: [] });
  const client = createClient(server);
  await client.exams.list();
  const printed = inspect([client, client.exams], { depth: 20, showHidden: true, getters: true });
  expect(printed).toContain('Transport');
  expect(printed).not.toContain(testKey);
});
