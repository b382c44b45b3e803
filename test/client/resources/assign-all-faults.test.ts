import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createClient } from '../../helpers/client.ts';
import { type ServiceResponse, startService } from '../../helpers/server.ts';
import { indexes, pairs, personIn, rejecting, run, statuses } from './assign-helpers.ts';

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

describe('404 for every pair at the start of a run', () => {
  const notFound = { status: 404, body: { message: 'Not found.' } };

  test.each([1, 4])(
    'stops after 20, leaves them unsettled and says how to go past (concurrency %i)',
    async (concurrency) => {
      await using server = startService(notFound);
      const { results, summary, error } = await run(createClient(server), pairs(200), { concurrency });
      expect(results).toEqual([]);
      expect(summary).toMatchObject({ processed: 0, failed: 0, failures: [], resumeFrom: 0 });
      expect(error).toMatchObject({
        resumeFrom: 0,
        outcome: 'rejected',
        retryable: false,
        cause: { status: 404 },
      });
      expect(error?.message).toContain('resumeFrom: 20`');
      expect(server.requests.length).toBeLessThan(20 + 2 * concurrency);
    },
  );

  test.each([19, 20])(
    'is a decision about each where another response comes, or the source ends, before 20: %i',
    async (count) => {
      await using server = startService(rejecting((person) => person <= 19, notFound));
      const { results, summary, error } = await run(createClient(server), pairs(count));
      expect(error).toBeUndefined();
      expect(indexes(results)).toEqual(Array.from({ length: count }, (_, index) => index));
      expect(statuses(results).filter((status) => status === 'failed')).toHaveLength(19);
      expect(summary).toMatchObject({ processed: count, failed: 19, resumeFrom: count });
    },
  );

  test('counts pairs alone: rows that map leaves out are settled, and resumeFrom stays at the first 404', async () => {
    await using server = startService(notFound);
    const { summary, error } = await run(createClient(server), pairs(60), {
      map: (pair) => (pair.participant_id % 2 === 1 ? null : pair),
    });
    expect(summary).toMatchObject({ failed: 0, resumeFrom: 1 });
    expect(summary.skipped).toBeGreaterThanOrEqual(20);
    expect(error?.message).toContain('resumeFrom: 40`');
  });

  test('is not a 400: a class of people who have not verified their email', async () => {
    await using server = startService(({ path }) => (path.endsWith('/link') ? notFound : { status: 400 }));
    expect(await createClient(server).examParticipants.assignAll(pairs(40))).toMatchObject({ failed: 40 });
  });
});

describe('a pair on which the service fails with a server error', () => {
  const failingOn = (...people: readonly number[]) =>
    rejecting((person) => people.includes(person), { status: 500 });

  test.each([1, 4])(
    'has failed when it gets another after another pair was accepted, and others go on (concurrency %i)',
    async (concurrency) => {
      await using server = startService(failingOn(3));
      const { results, error } = await run(createClient(server), pairs(9), { concurrency });
      expect(error).toBeUndefined();
      expect(indexes(results)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
      expect(results.filter(({ status }) => status === 'failed')).toMatchObject([
        { index: 2, error: { outcome: 'unknown', retryable: true } },
      ]);
    },
  );

  test('has failed too where its link gets a response: the server error alone says nothing', async () => {
    await using server = startService((request, exchange) =>
      request.path.endsWith('/link') ? { status: 404 } : failingOn(3)(request, exchange),
    );
    const { results } = await run(createClient(server), pairs(5), { concurrency: 1 });
    expect(statuses(results)).toEqual(['assigned', 'assigned', 'failed', 'assigned', 'assigned']);
  });

  test('stops the job where nothing is accepted after it', async () => {
    await using server = startService(failingOn(3));
    const { results, error } = await run(createClient(server), pairs(3), { concurrency: 1 });
    expect(statuses(results)).toEqual(['assigned', 'assigned']);
    const cause = { status: 500 };
    expect(error).toMatchObject({ resumeFrom: 2, outcome: 'unknown', retryable: true, cause });
    expect(error?.message).toContain('resumeFrom: 3`');
  });

  test.each([1, 4])(
    'is none of the pairs of an outage, which stops the job after five in a row (concurrency %i)',
    async (concurrency) => {
      await using server = startService((request) =>
        !request.path.endsWith('/link') && personIn(request) <= 4
          ? { status: 201, body: {} }
          : { status: 500 },
      );
      const { results, error } = await run(createClient(server), pairs(100), { concurrency });
      expect(statuses(results)).toEqual(['assigned', 'assigned', 'assigned', 'assigned']);
      expect(error).toMatchObject({ resumeFrom: 4, retryable: true, summary: { failed: 0 } });
      expect(server.requests.length).toBeLessThan(60);
    },
  );

  test.each<[string, ServiceResponse]>([
    ['unknown', { status: 500 }],
    ['rejected', { status: 503, headers: { 'Retry-After': '0' } }],
  ])('stops the job with the outcome of its request: %s', async (outcome, response) => {
    await using server = startService(response);
    const { error } = await run(createClient(server), pairs(100));
    expect(error).toMatchObject({ resumeFrom: 0, outcome, retryable: true, cause: { outcome } });
  });
});
