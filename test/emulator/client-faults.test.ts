import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ConnectionError,
  InternalServerError,
  isExamServiceError,
  RedirectError,
  ResponseFormatError,
} from '../../src/index.ts';
import type { Fault } from '../../src/testing/index.ts';
import { failure, rejection } from '../helpers/client.ts';
import { withoutBackoff } from '../helpers/no-backoff.ts';
import { asked, type ClientService, startClientService, ways } from './client-service.ts';
import { pair, seedPair } from './helpers.ts';

/** The client against an emulator whose requests go wrong, in both ways. */

const elsewhere = 'https://elsewhere.example.test/login';
const unavailable = { effect: 'respond', status: 503, headers: { 'Retry-After': '0' } } as const;

let backoff: Disposable;
beforeEach(() => {
  backoff = withoutBackoff();
});
afterEach(() => backoff[Symbol.dispose]());

describe.each(ways)('the client with faults, %s', (way) => {
  async function start(fault: Fault, maxRetries = 0): Promise<ClientService> {
    const service = await startClientService(way, {}, { maxRetries });
    seedPair(service);
    service.emulator.faults.inject(fault);
    return service;
  }

  test.each([
    ['a connection broken before the response', { effect: 'reset' }, ConnectionError],
    ['a connection broken in the body', { effect: 'reset-body' }, ResponseFormatError],
    ['JSON cut short', { effect: 'truncate' }, ResponseFormatError],
    ['an HTML page with status 200', { effect: 'html' }, ResponseFormatError],
    ['an HTML page with status 502', { effect: 'html', status: 502 }, InternalServerError],
    ['a redirect to another origin', { effect: 'redirect', to: elsewhere }, RedirectError],
    ['status 503', unavailable, InternalServerError],
  ] as const)('%s is an error of its kind, and the next call works', async (_what, fault, expected) => {
    await using service = await start(fault);
    const error = await rejection(service.client.exams.list());
    expect(isExamServiceError(error)).toBe(true);
    expect(error).toBeInstanceOf(expected);
    expect((await service.client.exams.list()).data).toHaveLength(1);
    expect(asked(service)).toEqual(['exams.list', 'exams.list']);
  });

  test('an import whose response was lost is sent again, and creates nobody twice', async () => {
    await using service = await start({ ...unavailable, processed: true }, 1);
    const { client, emulator } = service;
    await client.participants.import([{ email: 'ana@example.test', name: 'Ana', password: 'secret' }]);
    expect(asked(service)).toEqual(['participants.import', 'participants.import']);
    expect(emulator.snapshot().participants).toHaveLength(2);
  });

  test('an assignment whose response was lost is not sent again', async () => {
    await using service = await start({ effect: 'reset', processed: true }, 2);
    await failure(service.client.examParticipants.assign(pair), ConnectionError);
    expect(asked(service)).toEqual(['examParticipants.assign']);
    expect(service.emulator.control.assignment(pair)).toBeDefined();
  });

  test('who gives up during a delay gets the reason of the signal immediately', async () => {
    await using service = await start({ delay: 60_000 });
    const reason = new Error('enough');
    const abort = new AbortController();
    const call = service.client.exams.list({}, { signal: abort.signal });
    const outcome = rejection(call);
    await expect.poll(() => asked(service), { timeout: 60_000 }).toEqual(['exams.list']);
    abort.abort(reason);
    expect(await outcome).toBe(reason);
  });

  test('a redirect takes the key nowhere', async () => {
    await using other = await startClientService('over HTTP');
    await using service = await start({ effect: 'redirect', to: `${other.url}/exams` });
    await failure(service.client.exams.list(), RedirectError);
    expect(other.emulator.requests).toEqual([]);
  });
});
