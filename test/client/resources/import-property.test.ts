import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { longOrShort } from '../../helpers/requirements.ts';
import {
  type Line,
  namingNames,
  type Run,
  rowOf,
  run,
  type Service,
  serverErrors,
  World,
} from './import-model.ts';

const line = fc.record<Line>({
  person: fc.integer({ min: 0, max: 40 }),
  version: fc.integer({ min: 0, max: 1 }),
  fate: fc.oneof(
    { weight: 12, arbitrary: fc.constant('good' as const) },
    { weight: 2, arbitrary: fc.constantFrom('rejected' as const, 'failing' as const) },
    { weight: 1, arbitrary: fc.constantFrom('invalid' as const, 'unwanted' as const) },
  ),
});

const unlimited = fc.constant(Number.POSITIVE_INFINITY);

const services = fc.record<Service>({
  // The last of the rows may be the poisoned one.
  lines: fc
    .tuple(fc.array(line, { maxLength: 60 }), fc.boolean())
    .map(([lines, isPoisoned]) => [
      ...lines,
      ...(isPoisoned ? [{ person: 99, version: 0, fate: 'failing' as const }] : []),
    ]),
  naming: fc.constantFrom(...namingNames),
  serverError: fc.constantFrom(...serverErrors),
  capacity: fc.oneof(unlimited, fc.integer({ min: 1, max: 20 })),
  speed: fc.oneof(unlimited, unlimited, fc.integer({ min: 1, max: 20 })),
  troubles: fc
    .array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.constantFrom('reset', 'lost', 503, 500, 'hang')), {
      maxLength: 3,
    })
    .map((entries) => new Map(entries) as Service['troubles']),
  outage: fc
    .record({ from: fc.integer({ min: 1, max: 40 }), length: fc.integer({ min: 0, max: 12 }) })
    .map(({ from, length }) => ({ from, to: from + length })),
});

const settings = fc.record({
  batchSize: fc.integer({ min: 1, max: 20 }),
  concurrency: fc.integer({ min: 1, max: 4 }),
});

const bisect = { failedBatches: 'bisect', invalidRows: 'reject' } as const;

/** Whether no two faults can hit one row: a row on which the service fails twice, and takes others in between, counts as the cause. */
const isOneFault = ({ troubles, outage }: Service) => troubles.size + (outage.to > outage.from ? 1 : 0) < 2;

const sent = (line: Line, at: number) => JSON.stringify(rowOf(line, at));

/** What must become of each line in one go, by the rules alone. */
function expected({ lines }: Service) {
  const holders = new Map<number, number>();
  return lines.map((each, index): 'imported' | 'rejected' | 'skipped' => {
    if (each.fate === 'unwanted') return 'skipped';
    if (each.fate === 'invalid') return 'rejected';
    const earlier = lines[holders.get(each.person) ?? -1];
    if (earlier !== undefined) {
      if (sent(earlier, holders.get(each.person) ?? 0) === sent(each, index)) return 'skipped';
      return 'rejected';
    }
    holders.set(each.person, index);
    return each.fate === 'good' ? 'imported' : 'rejected';
  });
}

/** Every report of a run is true. */
function expectTruth(world: World, from: number, { summary, rejected, error, requests }: Run): void {
  const indexes = rejected.map(({ index }) => index);
  expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => a - b));
  expect(summary.rejected).toBe(rejected.length);
  expect(summary.requests).toBe(requests);
  expect(summary.processed).toBe(from + summary.imported + summary.rejected + summary.skipped);
  for (const rejection of rejected) {
    const { index, outcome, row } = rejection;
    expect(index).toBeGreaterThanOrEqual(from);
    expect(index).toBeLessThan(summary.resumeFrom);
    expect(row).toBe(world.service.lines[index]);
    expect(JSON.stringify(rejection)).not.toContain('password');
    // Nobody else has this very row.
    const isTold = outcome !== 'unknown' && world.held.get(row.person) === rowOf(row, index).password;
    if (isTold) expect(hasEqual(world.service, index)).toBe(true);
  }
  if (error === undefined) expect(summary.resumeFrom).toBe(world.service.lines.length);
  else expect(error.message).toContain(`resumeFrom: ${summary.resumeFrom}\``);
}

const hasEqual = ({ lines }: Service, index: number) =>
  lines.some((each, other) => other !== index && each.person === lines[index]?.person);

/** Hundreds of runs on a busy machine. */
const MANY_RUNS_MS = 240_000;
const numRuns = (short: number) => longOrShort(1_000, short);

beforeEach(() => {
  // The import waits a random part of a second after a batch that took too long.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

test(
  'reruns until done bring every good row, reject no other, and say what is true',
  async () => {
    await fc.assert(
      fc.asyncProperty(services, settings, async (service, options) => {
        const world = new World(service);
        const rejected = new Set<number>();
        let resumeFrom = 0;
        let stops = 0;
        let stopsInAll = 0;
        for (let runs = 0; resumeFrom < service.lines.length; runs += 1) {
          expect(runs).toBeLessThan(200);
          const outcome = await run(world, { ...options, ...bisect, resumeFrom });
          expectTruth(world, resumeFrom, outcome);
          for (const { index } of outcome.rejected) rejected.add(index);
          const { error, summary } = outcome;
          if (error !== undefined && summary.resumeFrom === resumeFrom) stops += 1;
          else stops = 0;
          if (error !== undefined) stopsInAll += 1;
          resumeFrom = summary.resumeFrom;
          // Stopped again and again at the same row, with nothing accepted: the reader of the message leaves it out.
          if (stops > 20) {
            rejected.add(resumeFrom);
            resumeFrom += 1;
          }
        }
        const fates = expected(service);
        for (const [index, { person, version, fate }] of service.lines.entries()) {
          // After a stop nobody knows that the service rejected an earlier row with this email.
          const isKnown = service.lines.slice(0, index).every((each) => each.person !== person);
          if (fates[index] === 'imported' && isOneFault(service) && (isKnown || stopsInAll === 0)) {
            expect(rejected.has(index), `row ${index}`).toBe(false);
            expect(world.held.has(person), `row ${index}`).toBe(true);
          }
          // Nobody is lost without a word: of equal rows the first is sent, and reported.
          const first = service.lines.map(sent).indexOf(sent({ person, version, fate }, index));
          if (fate !== 'good' || world.held.has(person) || rejected.has(first)) continue;
          expect(rejected, `row ${index}`).toContain(index);
        }
      }),
      { numRuns: numRuns(120) },
    );
  },
  MANY_RUNS_MS,
);

test(
  'a service that is up is understood in one run, row by row',
  async () => {
    await fc.assert(
      fc.asyncProperty(services, settings, async (drawn, options) => {
        const service = { ...drawn, troubles: new Map(), outage: { from: 0, to: 0 } };
        const world = new World(service);
        const outcome = await run(world, { ...options, ...bisect });
        expectTruth(world, 0, outcome);
        if (outcome.error !== undefined) {
          expect(service.lines[outcome.summary.resumeFrom]?.fate).toBe('failing');
          return;
        }
        const fates = expected(service);
        const count = (fate: string) => fates.filter((each) => each === fate).length;
        const { imported, rejected, skipped } = outcome.summary;
        expect(outcome.rejected.map(({ index }) => index)).toEqual(
          fates.flatMap((fate, index) => (fate === 'rejected' ? [index] : [])),
        );
        expect({ imported, rejected, skipped }).toEqual({
          imported: count('imported'),
          rejected: count('rejected'),
          skipped: count('skipped'),
        });
      }),
      { numRuns: numRuns(120) },
    );
  },
  MANY_RUNS_MS,
);

test(
  'an abort at any request ends the run, and a rerun does the rest',
  async () => {
    const drawn = fc.tuple(
      services,
      settings,
      fc.integer({ min: 1, max: 20 }),
      fc.constantFrom('stop', 'reject', 'bisect'),
    );
    await fc.assert(
      fc.asyncProperty(drawn, async ([service, options, last, failedBatches]) => {
        const world = new World(service);
        const controller = new AbortController();
        const { signal } = controller;
        const aborted = await run(world, { ...options, ...bisect, failedBatches, signal }, () => {
          if (world.requests.length + 1 === last) controller.abort();
        });
        const { summary, error } = aborted;
        if (error?.cause === signal.reason && signal.aborted) {
          expect(world.requests.length).toBeLessThanOrEqual(last + options.concurrency);
          for (const [index, { person }] of service.lines.entries()) {
            // Of who is not settled something may be stored.
            if (index >= summary.resumeFrom && error?.outcome !== 'unknown' && summary.imported === 0)
              expect(world.held.has(person)).toBe(false);
          }
        }
        expect(summary.processed).toBe(summary.imported + summary.rejected + summary.skipped);
      }),
      { numRuns: numRuns(60) },
    );
  },
  MANY_RUNS_MS,
);

test.each(['stop', 'reject', 'bisect'] as const)(
  'an import that stops says `unknown` if a row that is not settled may be stored, with failedBatches %s',
  async (failedBatches) => {
    await fc.assert(
      fc.asyncProperty(services, settings, async (service, options) => {
        const world = new World(service);
        const { error, summary } = await run(world, { ...options, ...bisect, failedBatches });
        if (error === undefined || error.outcome === 'unknown') return;
        // Everything that the service holds is counted.
        expect(world.held.size).toBeLessThanOrEqual(summary.imported);
      }),
      { numRuns: numRuns(40) },
    );
  },
  MANY_RUNS_MS,
);
