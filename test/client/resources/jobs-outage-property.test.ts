import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AssignmentResult, AssignmentsStoppedError, ImportStoppedError } from '../../../src/index.ts';
import { skipWaits } from '../../helpers/fake-time.ts';
import { longOrShort } from '../../helpers/requirements.ts';
import { row } from './helpers.ts';
import { type Asked, type Down, downs, ended, runs, startDown } from './outage-helpers.ts';

skipWaits();

/** Hundreds of runs on a busy machine, or thousands. */
const MANY_RUNS_MS = longOrShort(1_800_000, 240_000);
const LONG_OUTAGE_MS = 1_200_000;

const kinds = Object.keys(downs) as Down[];

/** Requests, by number over all runs, during which the service is down. */
interface Outage {
  readonly from: number;
  readonly length: number;
  readonly kind: Down;
}

const outages = fc
  .array(
    fc.record<Outage>({
      from: fc.integer({ min: 1, max: 90 }),
      length: fc.integer({ min: 1, max: 25 }),
      kind: fc.constantFrom(...kinds),
    }),
    { maxLength: 2 },
  )
  .map((drawn) => drawn.toSorted((one, other) => one.from - other.from));

const settings = fc.record({
  maxOutage: fc.constantFrom(0, LONG_OUTAGE_MS),
  concurrency: fc.integer({ min: 1, max: 8 }),
  maxRetries: fc.integer({ min: 0, max: 2 }),
  totalTimeout: fc.constantFrom<(number | false)[]>(false, 20_000),
  maxRetryAfter: fc.constantFrom(60_000, 600_000),
});

/** Whether no two outages can hit one row: after a failure in each, with others accepted in between, it counts as the cause. */
const isOneOutage = (drawn: readonly Outage[]) => drawn.length < 2;

/** Responses come in another order than their requests. */
async function disorder(number: number): Promise<void> {
  for (let turns = (number % 3) * 20; turns > 0; turns -= 1) await null;
}

/** A service with these outages, which otherwise answers so, and a client of it. */
function startWith(
  drawn: readonly Outage[],
  answer: (asked: Asked) => Response | Down | undefined,
  {
    maxRetries,
    totalTimeout,
    maxRetryAfter,
  }: { maxRetries: number; totalTimeout: number | false; maxRetryAfter: number },
) {
  const options = { maxRetries, totalTimeout, maxRetryAfter };
  const service = startDown(async (asked, number) => {
    await disorder(number);
    const outage = drawn.find(({ from, length }) => number >= from && number < from + length);
    if (outage === undefined) return answer(asked);
    if (outage.kind !== 'a success that is cut') return outage.kind;
    // What is cut is the response of a service that is up.
    return answer(asked) ?? (asked.isLink ? outage.kind : undefined);
  }, options);
  const end = Math.max(0, ...drawn.map(({ from, length }) => from + length));
  return { ...service, isUp: () => service.requests.length >= end };
}

/** Runs a job until its source is done, from where it stopped; one at which it stops although the service is up is left out. */
async function untilDone(
  rows: number,
  isUp: () => boolean,
  run: (resumeFrom: number) => Promise<unknown>,
): Promise<{ runs: number; leftOut: Set<number> }> {
  const leftOut = new Set<number>();
  let resumeFrom = 0;
  let stuck = 0;
  for (let runs = 1; ; runs += 1) {
    expect(runs).toBeLessThan(400);
    const wasUp = isUp();
    const error = await run(resumeFrom).then(
      () => undefined,
      (caught: unknown) => caught,
    );
    if (error === undefined) return { runs, leftOut };
    if (!(error instanceof ImportStoppedError || error instanceof AssignmentsStoppedError)) throw error;
    expect(error.resumeFrom).toBeGreaterThanOrEqual(resumeFrom);
    stuck = wasUp && error.resumeFrom === resumeFrom ? stuck + 1 : 0;
    resumeFrom = error.resumeFrom;
    if (stuck > 1) {
      leftOut.add(resumeFrom);
      resumeFrom += 1;
      stuck = 0;
    }
    if (resumeFrom >= rows) return { runs, leftOut };
    // A pause of the client passes.
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  }
}

/** What the service makes of a pair. */
type Fate = 'new' | 'known' | 'missing' | 'no link' | 'link rejected' | 'failing' | 'link failing';

const fates = fc.array(
  fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom<Fate[]>('new', 'known') },
    {
      weight: 3,
      arbitrary: fc.constantFrom<Fate[]>('missing', 'no link', 'link rejected', 'failing', 'link failing'),
    },
  ),
  { minLength: 1, maxLength: 40 },
);

test(
  'nobody is left without a link that the service would give, in one run or over several, and no good pair fails',
  async () => {
    await fc.assert(
      fc.asyncProperty(fates, outages, settings, async (people, drawn, options) => {
        const assigned = new Set<number>(people.flatMap((fate, id) => (fate === 'known' ? [id] : [])));
        const service = startWith(
          drawn,
          ({ isLink, people: [id = 0] }) => {
            const fate = people[id];
            if (fate === 'missing') return Response.json({}, { status: 404 });
            if (isLink) {
              if (!assigned.has(id)) return Response.json({}, { status: 404 });
              if (fate === 'link failing') return '500';
              if (fate === 'link rejected') return Response.json({ message: 'No.' }, { status: 409 });
              return fate === 'no link' ? Response.json({ url: null }) : undefined;
            }
            if (fate === 'failing') return '500';
            if (assigned.has(id)) return Response.json({}, { status: 400 });
            assigned.add(id);
            return undefined;
          },
          options,
        );
        const results = new Map<number, AssignmentResult>();
        const { leftOut } = await untilDone(people.length, service.isUp, (resumeFrom) =>
          service.client.examParticipants.assignAll(people, {
            map: (_, id) => ({ participant_id: id + 1, exam_id: 1 }),
            link: true,
            maxOutage: options.maxOutage,
            concurrency: options.concurrency,
            resumeFrom,
            onResult: (result) => results.set(result.index, result),
          }),
        );
        for (const [id, fate] of people.entries()) {
          const result = results.get(id);
          if (leftOut.has(id)) {
            expect(fate, `pair ${id}`).toMatch(/failing|missing/);
            continue;
          }
          expect(result, `pair ${id}`).toBeDefined();
          if (result?.status !== 'failed') expect(assigned, `pair ${id}`).toContain(id);
          if (fate === 'missing' || fate === 'failing') expect(result?.status, `pair ${id}`).toBe('failed');
          if (fate === 'no link' || fate.startsWith('link'))
            expect(result?.url ?? null, `pair ${id}`).toBeNull();
          if ((fate !== 'new' && fate !== 'known') || !isOneOutage(drawn)) continue;
          expect(result, `pair ${id}`).toMatchObject({
            url: `https://exam.test/${id}`,
            error: null,
            linkError: null,
          });
        }
      }),
      { numRuns: longOrShort(1_000, 25) },
    );
  },
  MANY_RUNS_MS,
);

/** What the service makes of a row. */
const lines = fc
  .array(
    fc.oneof(
      { weight: 10, arbitrary: fc.constant('good' as const) },
      { weight: 2, arbitrary: fc.constantFrom('rejected' as const, 'failing' as const) },
      // Several in a row.
      { weight: 1, arbitrary: fc.constant('block' as const) },
    ),
    { minLength: 1, maxLength: 50 },
  )
  .map((drawn) =>
    drawn.flatMap((fate) =>
      fate === 'block' ? Array.from({ length: 6 }, () => 'failing' as const) : [fate],
    ),
  );

test.each(['stop', 'reject', 'bisect'] as const)(
  'every good row is imported and none is rejected, inside and beside outages, with failedBatches %s',
  async (failedBatches) => {
    const batchSizes = fc.constantFrom(1, 4, 25);
    await fc.assert(
      fc.asyncProperty(lines, outages, settings, batchSizes, async (all, drawn, options, batchSize) => {
        // In the other modes such rows stop an import, or take good ones with them.
        const rows = failedBatches === 'bisect' ? all : all.map(() => 'good' as const);
        const isBad = (fate: string) => (index: number) => rows[index] === fate;
        const service = startWith(
          drawn,
          ({ people }) => {
            if (people.some(isBad('failing'))) return '500';
            const places = [...people.keys()].filter((place) => isBad('rejected')(people[place] ?? -1));
            if (places.length === 0) return undefined;
            const errors = Object.fromEntries(places.map((place) => [`participants.${place}.email`, ['no']]));
            return Response.json({ message: 'Invalid.', errors }, { status: 422 });
          },
          options,
        );
        const rejected = new Set<number>();
        const { leftOut } = await untilDone(rows.length, service.isUp, (resumeFrom) =>
          service.client.participants.importAll(rows, {
            map: (_, index) => row(index),
            failedBatches,
            batchSize,
            maxOutage: options.maxOutage,
            concurrency: options.concurrency,
            resumeFrom,
            onRejected: ({ index }) => rejected.add(index),
          }),
        );
        for (const [index, fate] of rows.entries()) {
          if (leftOut.has(index)) expect(fate, `row ${index}`).toBe('failing');
          else if (fate === 'failing') expect(rejected, `row ${index}`).toContain(index);
          else if (fate === 'rejected') expect(rejected, `row ${index}`).toContain(index);
          else if (isOneOutage(drawn)) {
            expect(rejected, `row ${index}`).not.toContain(index);
            expect(service.held, `row ${index}`).toContain(index);
          } else expect(rejected.has(index) || service.held.has(index), `row ${index}`).toBe(true);
        }
      }),
      { numRuns: longOrShort(700, 15) },
    );
  },
  MANY_RUNS_MS,
);

test(
  'an abort at any moment ends a job at once, and nothing is sent or waited for after it',
  async () => {
    const moments = fc.integer({ min: 0, max: 900_000 });
    await fc.assert(
      fc.asyncProperty(
        outages,
        settings,
        moments,
        fc.constantFrom(...runs),
        async (drawn, options, at, [, run]) => {
          const service = startWith(drawn, () => undefined, options);
          const controller = new AbortController();
          const timer = setTimeout(() => controller.abort('enough'), at);
          const { maxOutage, concurrency } = options;
          const begun = performance.now();
          // The source takes a while for each row.
          async function* source() {
            for (let number = 0; number < 40; number += 1) {
              yield number;
              await new Promise((resolve) => setTimeout(resolve, 10_000));
            }
          }
          const { signal } = controller;
          const { error } = await ended(run(service.client, source(), { maxOutage, concurrency, signal }));
          if (error?.cause === 'enough') {
            // A source that sleeps is waited for, 5 s at most.
            expect(performance.now() - begun).toBeLessThanOrEqual(at + 5_000);
            expect(error.retryable).toBe(false);
          }
          clearTimeout(timer);
          const { length } = service.requests;
          await new Promise((resolve) => setTimeout(resolve, 600_000));
          expect(service.requests).toHaveLength(length);
        },
      ),
      { numRuns: longOrShort(1_000, 60) },
    );
  },
  MANY_RUNS_MS,
);
