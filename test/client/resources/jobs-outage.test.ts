import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ConfigurationError } from '../../../src/index.ts';
import { failure, recordLog } from '../../helpers/client.ts';
import { skipWaits } from '../../helpers/fake-time.ts';
import { someOf } from '../../helpers/requirements.ts';
import { upTo } from './jobs-helpers.ts';
import { type Down, ended, runs, startDown } from './outage-helpers.ts';

skipWaits();
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(1));

const HOUR_MS = 3_600_000;

/** Whether each is waited for before a request was accepted, and after. */
const kinds: readonly [down: Down, atFirst: boolean, later: boolean][] = [
  ['a refused connection', true, true],
  ['an unknown host', false, true],
  ['a lost connection', true, true],
  ['a certificate that is out of date', false, false],
  ["a gateway's page with 403", false, true],
  ["a gateway's page with 404", false, true],
  ['a redirect', false, true],
  ['425', true, true],
  ['429', true, true],
  ['429 without a time', true, true],
  ['500', true, true],
  ['501', true, true],
  ['503', true, true],
  ['504', true, true],
  ['a time limit of the platform', true, true],
  ['a page of a success', true, true],
  ['401', false, false],
  ['403', false, false],
];

describe.each(runs)('%s', (name, run) => {
  test.each(kinds)(
    'waits for a service that is down with %s: before a request was accepted %s, later %s',
    async (down, atFirst, later) => {
      for (const [before, waits] of [
        [0, atFirst],
        [6, later],
      ] as const) {
        let isUp = false;
        const service = startDown(
          (_, number) => {
            isUp ||= number > before + 8;
            return number > before && !isUp ? down : undefined;
          },
          { maxRetryAfter: 60_000 },
        );
        const { error, summary } = await ended(run(service.client, upTo(20), { maxOutage: HOUR_MS }));
        expect(error?.retryable, String(error)).toBe(waits ? undefined : false);
        if (waits) expect(summary).toMatchObject({ processed: 20, resumeFrom: 20 });
        // Without waiting, it stops, and says whether that can help.
        const other = startDown((__, number) => (number > before ? down : undefined), {
          maxRetryAfter: 60_000,
        });
        const stopped = await ended(run(other.client, upTo(20)));
        expect(stopped.error, name).toMatchObject({ retryable: waits });
      }
    },
  );
});

const down = (from: number): Down | undefined => (from > 0 ? 'a refused connection' : undefined);

describe.each(someOf(runs))('%s', (_name, run) => {
  test.each([1, 8])(
    'sends few requests while the service is down, and stops as at first after maxOutage (concurrency %i)',
    async (concurrency) => {
      const service = startDown((_, number) => down(number - 6));
      const begun = performance.now();
      const { error } = await ended(run(service.client, upTo(2_000), { maxOutage: HOUR_MS, concurrency }));
      expect(error).toMatchObject({ retryable: true, cause: { code: 'connection' } });
      expect(Math.abs(performance.now() - begun - HOUR_MS)).toBeLessThan(1_000);
      const tries = service.requests.length - 6;
      expect(tries).toBeGreaterThan(55);
      expect(tries).toBeLessThan(95);
      // No two at a time, once it is noticed.
      const times = service.requests.slice(6 + concurrency).map(({ at }) => at);
      expect(new Set(times).size).toBe(times.length);
    },
  );

  test('waits 1 s, then twice as long each time, up to a minute, and half of it at least', async () => {
    for (const [random, expected] of [
      [1, [1, 2, 4, 8, 16, 32, 60, 60]],
      [0, [0.5, 1, 2, 4, 8, 16, 30, 30]],
    ] as const) {
      vi.mocked(Math.random).mockReturnValue(random);
      const service = startDown((_, number) => down(number - 6));
      await ended(run(service.client, upTo(50), { maxOutage: 600_000 }));
      const times = service.requests.slice(6).map(({ at }) => at);
      expect(times.slice(1, 9).map((at, index) => (at - (times[index] ?? 0)) / 1_000)).toEqual(expected);
    }
  });

  test('reads at most one row for each try', async () => {
    const service = startDown((_, number) => down(number - 6));
    let taken = 0;
    function* source() {
      for (; taken < 1_000; taken += 1) yield taken;
    }
    await ended(run(service.client, source(), { maxOutage: HOUR_MS }));
    expect(taken).toBeLessThanOrEqual(6 + (service.requests.length - 6) + 2);
  });

  test('says when an outage begins and why, and when it ends', async () => {
    const log = recordLog();
    const service = startDown((_, number) => down(number > 6 && number < 12 ? 1 : 0), {
      logger: log,
      logLevel: 'info',
    });
    await ended(run(service.client, upTo(20), { maxOutage: HOUR_MS }));
    expect(log.lines).toEqual([
      {
        level: 'warn',
        message: expect.stringMatching(/(import|assign)All: the service is down.*ECONNREFUSED/),
      },
      {
        level: 'info',
        message: expect.stringMatching(/(import|assign)All: the service responds again, after \d+ s/),
      },
    ]);
  });

  test('advises to check the base URL only before anything was accepted', async () => {
    for (const [before, isAdvised] of [
      [0, true],
      [6, false],
    ] as const) {
      const service = startDown((_, number) => (number > before ? 'a refused connection' : undefined));
      const { error } = await ended(run(service.client, upTo(20)));
      expect(error?.message.includes('Check the base URL')).toBe(isAdvised);
    }
  });

  test.each([-1, Number.NaN, '1', null])('takes no maxOutage of %s', async (maxOutage) => {
    const { client } = startDown();
    const error = await failure(run(client, upTo(1), { maxOutage } as never), ConfigurationError);
    expect(error.message).toContain('`maxOutage` must be a number of milliseconds');
  });
});

test("an outage with failedBatches 'stop' or 'reject' asks for one other batch, and for those two in turn", async () => {
  for (const [name, run] of runs.slice(0, 2)) {
    const service = startDown((_, number) => (number > 6 ? '500' : undefined));
    await ended(run(service.client, upTo(50), { maxOutage: HOUR_MS }));
    const asked = service.requests.slice(6).map(({ people }) => people[0]);
    expect(asked.slice(0, 16), name).toEqual([6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 6, 6, 6, 6, 6, 7]);
  }
});

const bisect = runs.find(([name]) => name.includes('bisect'))?.[1] as (typeof runs)[0][1];

describe('a row on which the service always fails, with maxOutage', () => {
  const failing = (bad: readonly number[]) =>
    startDown(({ people }) => (people.some((each) => bad.includes(each)) ? '500' : undefined));

  test.each(['stop', 'reject'] as const)(
    "stops an import with failedBatches '%s' once another batch was accepted, and names bisect",
    async (failedBatches) => {
      const service = failing([7]);
      const map = (number: number) => ({ email: `p${number}@x.test`, name: 'N', password: 'secret-1' });
      const options = { failedBatches, batchSize: 5, maxOutage: HOUR_MS, map };
      const { error } = await ended(service.client.participants.importAll(upTo(50), options));
      expect(error).toMatchObject({ resumeFrom: 5, retryable: true, cause: { status: 500 } });
      expect(error?.message).toContain("failedBatches: 'bisect'");
      // The batch five times, one row of the next, and the batch once more.
      expect(service.requests.map(({ people }) => people[0])).toEqual([0, 5, 5, 5, 5, 5, 10, 5]);
      expect(service.requests[6]?.people).toEqual([10]);
    },
  );

  test('is rejected, and so is each of a block of them, which the job passes', async () => {
    const bad = [5, 6, 7, 8, 9, 10, 11, 12];
    const service = failing(bad);
    const { error, summary } = await ended(bisect(service.client, upTo(60), { maxOutage: HOUR_MS }));
    expect(error).toBeUndefined();
    expect(summary).toMatchObject({ imported: 52, rejections: bad.map((index) => ({ index })) });
  });

  test('looks like an outage where it is the last: the job waits, stops, and says how to go past it', async () => {
    const service = failing([9]);
    for (const [name, run] of runs.slice(0, 4)) {
      const begun = performance.now();
      const { error } = await ended(run(service.client, upTo(10), { maxOutage: HOUR_MS }));
      expect(error, name).toMatchObject({ resumeFrom: 9, retryable: true });
      expect(error?.message).toContain('or past it with `resumeFrom: 10`');
      expect(performance.now() - begun).toBeGreaterThanOrEqual(HOUR_MS);
      if (name.includes('stop')) expect(error?.message).toContain('bisect');
    }
  });
});

test('a service that comes back for one request costs at most the row after it', async () => {
  // At the fifth failure in a row, at request 8, the outage is noticed.
  for (let up = 9; up < 25; up += 1) {
    const service = startDown((_, number) =>
      number > 3 && number < 40 && number !== up ? '500' : undefined,
    );
    const { error, summary } = await ended(bisect(service.client, upTo(60), { maxOutage: HOUR_MS }));
    expect(error).toBeUndefined();
    expect(service.held.size, `up at request ${up}`).toBeGreaterThanOrEqual(59);
    expect(summary).toMatchObject({ processed: 60 });
  }
});

describe('a row that the service rejects', () => {
  const no = () => Response.json({ message: 'No.' }, { status: 422 });

  test('shows that an outage has ended', async () => {
    const service = startDown((_, number) => {
      if (number === 12) return no();
      return number > 3 && number < 12 ? '500' : undefined;
    });
    const { summary } = await ended(bisect(service.client, upTo(30), { maxOutage: HOUR_MS }));
    expect(summary).toMatchObject({ imported: 29, rejected: 1 });
    const [rejected, next] = service.requests.slice(11);
    expect((next?.at ?? 0) - (rejected?.at ?? 0)).toBeLessThan(1_000);
  });

  test('is none of five in a row on which the service fails', async () => {
    const service = startDown(({ people: [person = 0] }) => {
      if (person === 5) return no();
      return person > 0 && person < 10 ? '500' : undefined;
    });
    const { error, summary } = await ended(bisect(service.client, upTo(30)));
    expect(error).toBeUndefined();
    expect(summary).toMatchObject({ imported: 21, rejected: 9 });
  });
});

describe("the reading of known emails, with existing: 'skip'", () => {
  const skip = {
    existing: 'skip',
    map: (number: number) => ({ email: `p${number}@x.test`, name: 'N', password: 'secret-1' }),
  } as const;
  const list = () =>
    Response.json({
      data: [{ id: 1, email: 'p1@x.test' }],
      meta: { current_page: 1, last_page: 1, total: 1 },
    });

  // As before anything was accepted; but a 501 to a GET is none of an outage.
  const waited = kinds.map(([kind, atFirst]) => [kind, atFirst && kind !== '501'] as const);

  test.each(waited)('waits after %s: %s', async (kind, waits) => {
    const service = startDown((asked, number) => {
      if (asked.people[0] !== undefined && !Number.isNaN(asked.people[0])) return undefined;
      return number < 8 ? kind : list();
    });
    const job = service.client.participants.importAll(upTo(5), { ...skip, maxOutage: HOUR_MS });
    const { error, summary } = await ended(job);
    if (waits) expect(summary).toMatchObject({ imported: 4, known: 1 });
    else expect(error).toMatchObject({ resumeFrom: 0, retryable: false, summary: { imported: 0 } });
  });

  test('ends at once when it is aborted while it waits', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort('enough'), 10_500);
    const service = startDown(() => '500');
    const job = service.client.participants.importAll(upTo(5), {
      ...skip,
      maxOutage: HOUR_MS,
      signal: controller.signal,
    });
    expect((await ended(job)).error).toMatchObject({ cause: 'enough', resumeFrom: 0 });
    await null;
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('a key function that fails is waited for once a request was accepted: before, it may never work', async () => {
  for (const before of [0, 5]) {
    let asked = 0;
    const apiKey = () => {
      asked += 1;
      if (asked > before && asked < before + 5) throw new Error('the vault is sealed');
      return 'key-7f3a9c51';
    };
    const service = startDown(undefined, { apiKey });
    const { error, summary } = await ended(bisect(service.client, upTo(20), { maxOutage: HOUR_MS }));
    if (before > 0) expect(summary).toMatchObject({ imported: 20 });
    else expect(error).toMatchObject({ retryable: false, cause: { code: 'configuration' } });
  }
});
