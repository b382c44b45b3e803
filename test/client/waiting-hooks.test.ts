import { describe, expect, test, vi } from 'vitest';
import { type OnRequestEvent, TimeoutError } from '../../src/index.ts';
import {
  createClient,
  failure,
  nowhere,
  recordLog,
  rejection,
  testKey,
  throwing,
} from '../helpers/client.ts';
import { createGate, nextTurn } from '../helpers/gate.ts';
import { startService } from '../helpers/server.ts';

const never = () => new Promise<never>(() => {});

describe('onRequest is waited for', () => {
  test('so that headers which it adds late are sent', async () => {
    await using server = startService({ body: [] });
    const gate = createGate<string>();
    const onRequest = async ({ headers }: OnRequestEvent) => headers.set('X-Tenant', await gate.promise);
    const call = createClient(server, { hooks: { onRequest } }).exams.list();
    await nextTurn();
    expect(server.requests).toEqual([]);
    gate.open('north');
    await call;
    expect(server.request.headers['x-tenant']).toBe('north');
    expect(server.request.headers['x-client-key']).toBe(testKey);
  });

  test('so that headers which it takes away are not sent, and all others are', async () => {
    await using server = startService({ body: [] });
    const onRequest = ({ headers }: OnRequestEvent) => headers.delete('X-Tenant');
    const headers = { 'X-Tenant': 'north', 'X-Kept': 'yes' };
    await createClient(server, { hooks: { onRequest }, headers }).exams.list();
    expect(server.request.headers).toMatchObject({ 'x-kept': 'yes', 'x-client-key': testKey });
    expect(server.request.headers).not.toHaveProperty('x-tenant');
  });

  test('but not longer than 5 seconds: the request is then sent without, and logged', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await using server = startService({ body: [] });
    const logger = recordLog();
    const onRequest = ({ headers }: OnRequestEvent) => {
      headers.set('X-Early', 'yes');
      return never();
    };
    const call = createClient(server, { hooks: { onRequest }, logger, logLevel: 'warn' }).exams.list();
    const page = call.then(({ data }) => data);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await page).toEqual([]);
    expect(server.request.headers['x-early']).toBe('yes');
    expect(logger.lines).toEqual([
      { level: 'warn', message: expect.stringContaining('onRequest takes too long') },
    ]);
  });

  test('within the time of the attempt: then nothing is sent', async () => {
    const fetch = vi.fn(async () => Response.json([]));
    const client = createClient(nowhere, { fetch, hooks: { onRequest: never }, timeout: 20 });
    expect(await failure(client.exams.list(), TimeoutError)).toMatchObject({ outcome: 'not_sent' });
    expect(fetch).not.toHaveBeenCalled();
  });

  test('and an abort meanwhile rejects at once, with nothing sent', async () => {
    await using server = startService({ body: [] });
    const controller = new AbortController();
    const logger = recordLog();
    const onRequest = () => {
      controller.abort('enough');
      return never();
    };
    const client = createClient(server, { hooks: { onRequest }, logger, logLevel: 'warn' });
    expect(await rejection(client.exams.list({}, { signal: controller.signal }))).toBe('enough');
    await nextTurn();
    expect(server.requests).toEqual([]);
    expect(logger.lines).toEqual([]);
  });
});

describe('a list of sets of hooks', () => {
  test('has every set called, in its order', async () => {
    await using server = startService({ body: [] });
    const names: string[] = [];
    const set = (name: string) => ({
      onStart: () => names.push(`${name} start`),
      onRequest: ({ headers }: OnRequestEvent) => headers.append('X-Sets', name),
      onEnd: () => names.push(`${name} end`),
    });
    await createClient(server, { hooks: [set('a'), set('b')] }).exams.list();
    expect(names).toEqual(['a start', 'b start', 'a end', 'b end']);
    expect(server.request.headers['x-sets']).toBe('a, b');
  });

  test('goes on to the next set where one throws or hangs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await using server = startService({ body: [] });
    const broken = throwing(new Error('broken'));
    const onRequest = ({ headers }: OnRequestEvent) => headers.set('X-Last', 'yes');
    const hooks = [{ onRequest: broken }, { onRequest: never }, { onRequest }];
    const page = createClient(server, { hooks }).exams.list().withResponse();
    await vi.advanceTimersByTimeAsync(5_000);
    await page;
    expect(server.request.headers['x-last']).toBe('yes');
  });
});
