import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Assignment } from '../../../src/index.ts';
import { createClient, throwing } from '../../helpers/client.ts';
import { createGate } from '../../helpers/gate.ts';
import { startService } from '../../helpers/server.ts';
import { indexes, pairs, personIn, rejecting, run, start } from './assign-helpers.ts';
import { closable } from './helpers.ts';

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

describe('an error that concerns all', () => {
  test('stops the job at its pair, and nothing beyond that is reported, or begun', async () => {
    const { source, state } = closable(pairs(50));
    const later = createGate();
    await using server = startService(async (request) => {
      const person = personIn(request);
      // Those after it are assigned before its response comes.
      if (person === 5) await later.promise;
      if (person === 7) later.open();
      return person === 5 ? { status: 403 } : { status: 201, body: {} };
    });
    const { results, summary, error } = await run(createClient(server), source, { concurrency: 3 });
    expect(indexes(results)).toEqual([0, 1, 2, 3]);
    expect(summary).toMatchObject({ processed: 4, assigned: 4, failed: 0, resumeFrom: 4 });
    // Two that are not reported are assigned.
    expect(error).toMatchObject({ resumeFrom: 4, outcome: 'unknown', retryable: false });
    expect(error?.cause).toMatchObject({ status: 403 });
    expect(server.requests.length).toBeLessThan(10);
    expect(state).toMatchObject({ closed: true });
  });

  test('has its own outcome where no pair can be assigned that was not reported', async () => {
    await using server = startService(rejecting((person) => person > 2, { status: 403 }));
    const { error } = await run(createClient(server), pairs(9));
    expect(error).toMatchObject({ resumeFrom: 2, outcome: 'rejected', retryable: false });
  });
});

describe('the source', () => {
  test.each<[string, (pair: Assignment) => unknown]>([
    ['throws', throwing(new Error('secret-1'))],
    ['returns a promise', async (pair) => pair],
    ['gives an id that is undefined', () => ({ participant_id: undefined, exam_id: 1 })],
    ['returns nothing', () => undefined],
  ])('is turned into pairs by a map that %s: the job stops there', async (_, map) => {
    const { emulator, client } = start(3);
    const { error } = await run(client, pairs(3), {
      concurrency: 1,
      map: (pair, index) => (index === 1 ? (map(pair) as never) : pair),
    });
    expect(error).toMatchObject({ resumeFrom: 1, outcome: 'not_sent', retryable: false });
    expect(emulator.requests).toHaveLength(1);
  });
});

describe('an abort', () => {
  test('has its turn while no pair needs a request, and so have timers', async () => {
    const { client } = start(1);
    let rows = 0;
    // Each row takes a millisecond.
    vi.spyOn(performance, 'now').mockImplementation(() => rows);
    // An invalid id needs no request.
    function* endless() {
      for (;;) {
        rows += 1;
        yield { participant_id: 0, exam_id: 1 };
      }
    }
    const controller = new AbortController();
    setTimeout(() => controller.abort('the office closed'));
    const { error } = await run(client, endless(), { signal: controller.signal });
    expect(error?.cause).toBe('the office closed');
    expect(rows).toBeLessThan(500);
  });
});

/** As a draft of immer is that was kept beyond its recipe. */
function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('what is no pair of numbers stops the job', () => {
  test.each<[string, unknown]>([
    ['a missing id', { participant_id: 2 }],
    ['an id that is undefined', { participant_id: 2, exam_id: undefined }],
    ['a text', { participant_id: '2', exam_id: 1 }],
    ['not a number', { participant_id: Number('x'), exam_id: 1 }],
    ['an unknown field', { participant_id: 2, exam_id: 1, email: 'a@b.test' }],
    ['a list', [2, 1]],
    ['nothing', null],
    ['what cannot be read', revoked()],
  ])('%s', async (_, pair) => {
    const { emulator, client } = start(3);
    const source = [...pairs(1), pair, ...pairs(1)];
    const { results, error } = await run(client, source, { concurrency: 1 });
    expect(results).toHaveLength(1);
    expect(error).toMatchObject({
      resumeFrom: 1,
      outcome: 'not_sent',
      retryable: false,
      cause: { code: 'request_validation' },
    });
    expect(emulator.requests).toHaveLength(1);
  });

  test('also where the source uses the same object again for the next pair', async () => {
    const { client } = start(3);
    const pair = { participant_id: 1, exam_id: 1 };
    function* source() {
      yield pair;
      pair.participant_id = Number.NaN;
      yield pair;
      pair.participant_id = 2;
      yield pair;
    }
    const { results, error } = await run(client, source(), { concurrency: 3 });
    expect(results).toMatchObject([{ index: 0, participant_id: 1, status: 'assigned' }]);
    expect(error).toMatchObject({ resumeFrom: 1, cause: { code: 'request_validation' } });
  });
});
