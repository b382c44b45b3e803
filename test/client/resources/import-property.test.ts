import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { numRuns } from '../../helpers/requirements.ts';
import {
  calm,
  type Held,
  type Line,
  namingNames,
  type Run,
  rowOf,
  run,
  type Service,
} from './import-model.ts';

const line = fc.record<Line>({
  person: fc.integer({ min: 0, max: 40 }),
  fate: fc.oneof(
    { weight: 12, arbitrary: fc.constant('good' as const) },
    { weight: 2, arbitrary: fc.constantFrom('rejected' as const, 'crashing' as const) },
    { weight: 1, arbitrary: fc.constantFrom('invalid' as const, 'unwanted' as const) },
  ),
});

const unlimited = fc.constant(Number.POSITIVE_INFINITY);

const services = fc.record<Service>({
  lines: fc.array(line, { maxLength: 60 }),
  naming: fc.constantFrom(...namingNames),
  capacity: fc.oneof(unlimited, fc.integer({ min: 1, max: 20 })),
  speed: fc.oneof(unlimited, unlimited, fc.integer({ min: 1, max: 20 })),
  troubles: fc
    .array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.constantFrom('reset', 'lost', 503, 500, 'hang')), {
      maxLength: 3,
    })
    .map((entries) => new Map(entries) as Service['troubles']),
  outage: fc
    .record({ from: fc.integer({ min: 1, max: 40 }), length: fc.integer({ min: 0, max: 6 }) })
    .map(({ from, length }) => ({ from, to: from + length })),
});

const settings = fc.record({
  batchSize: fc.integer({ min: 1, max: 20 }),
  concurrency: fc.integer({ min: 1, max: 4 }),
  onBatchError: fc.constantFrom('stop', 'continue', 'bisect'),
  onInvalid: fc.constantFrom('stop', 'skip'),
  onRejected: fc.option(
    fc.constant(() => {}),
    { nil: undefined },
  ),
});

const bisect = { onBatchError: 'bisect', onInvalid: 'skip' } as const;
const faulty = ['rejected', 'crashing', 'invalid'];

/**
 * Whether no two faults can hit one row. Sent alone, a row on which the service fails twice, and that takes another row after each,
 * is taken for the cause; who has two independent faults without a retry is told so.
 */
const isOneFault = ({ troubles, outage }: Service) => troubles.size + (outage.to > outage.from ? 1 : 0) < 2;

/** Every row is exactly one of imported, rejected, unwanted, or not done and so at `resumeFrom` or later; nothing said is false. */
function expectTruth(service: Service, from: number, outcome: Run, isAborted = false): void {
  const { summary, taken, rejected, doubted, unwanted, ...seen } = outcome;
  expect(new Set(rejected).size).toBe(rejected.length);
  for (let index = from; index < summary.resumeFrom; index += 1) {
    const ends = [taken.has(index), rejected.includes(index), unwanted.has(index)].filter(Boolean);
    // A row that was taken, whose answer was lost, and that met another fault after that, seems to crash the service; its reason
    // says that it may be imported.
    expect(ends).toHaveLength(taken.has(index) && doubted.has(index) && !isOneFault(service) ? 2 : 1);
  }
  // What lies behind is told by the rerun.
  for (const { from: first } of seen.batches) expect(first).toBeLessThan(summary.resumeFrom);
  for (const index of rejected) expect(index).toBeLessThan(summary.resumeFrom);
  // The service may have taken rows whose answer was lost, and never fewer than it is said to have.
  const told = seen.batches.flatMap(({ from: first, to }) => [first, to - 1]);
  for (const index of told) expect(taken).toContain(index);
  expect(summary.imported).toBeLessThanOrEqual(taken.size);
  const sent = new Set(seen.requests.flat());
  // An abort may come before a request that was begun left.
  expect(summary.sent).toBeGreaterThanOrEqual(sent.size);
  if (!isAborted) expect(summary.sent).toBe(sent.size);
  expect(summary.failed).toBe(rejected.length);
  expect(summary.processed).toBe(from + summary.imported + summary.failed + summary.skipped);
  for (const lines of seen.requests) {
    const people = lines.map((index) => service.lines[index]?.person);
    expect(new Set(people).size).toBe(people.length);
  }
  if (seen.error === undefined) expect(summary.resumeFrom).toBe(service.lines.length);
}

/** The same service after the rows that crash it were dealt with. */
const mended = (service: Service): Service => ({
  ...service,
  lines: service.lines.map(({ person, fate }) => ({ person, fate: fate === 'crashing' ? 'good' : fate })),
});

/** What the service must hold once all is done: for each email the last line that it can take. */
function wanted({ lines }: Service): Held {
  const held: Held = new Map();
  for (const [index, each] of lines.entries()) {
    if (each.fate === 'good') held.set(rowOf(each, index).email.trim().toLowerCase(), index);
  }
  return held;
}

const good = (person: number): Line => ({ person, fate: 'good' });
const plain = { onBatchError: 'stop', onInvalid: 'stop', onRejected: undefined } as const;

/** While the first batch asks whether the service is up, a newer row of the same email as the row that it asks with is taken. */
const newerMeanwhile: Service = {
  lines: [good(0), good(1), good(2), { person: 3, fate: 'rejected' }, good(13), good(13)],
  naming: 'all',
  capacity: 4,
  speed: 1,
  troubles: new Map(),
  outage: { from: 1, to: 1 },
};

/** Hundreds of runs on a busy machine. */
const MANY_RUNS_MS = 180_000;

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

test(
  'each row has one end, whatever fails, and a rerun with resumeFrom finishes the import',
  async () => {
    await fc.assert(
      fc.asyncProperty(services, settings, async (service, options) => {
        const held: Held = new Map();
        const first = await run(service, options, held);
        expectTruth(service, 0, first);
        if (options.onBatchError === 'bisect' && isOneFault(service)) {
          for (const index of first.rejected) expect(faulty).toContain(service.lines[index]?.fate);
        }
        const healthy = mended(calm(service));
        const { resumeFrom } = first.summary;
        const second = await run(healthy, { ...options, ...bisect, resumeFrom }, held);
        expect(second.error).toBeUndefined();
        expectTruth(healthy, resumeFrom, second);
      }),
      { numRuns: numRuns(600) },
    );
  },
  MANY_RUNS_MS,
);

test(
  'with bisect, a service that is up takes every good row in one run, however many rows crash it',
  async () => {
    await fc.assert(
      fc.asyncProperty(services, settings, async (drawn, options) => {
        const service = calm(drawn);
        const held: Held = new Map();
        const outcome = await run(service, { ...options, ...bisect }, held);
        expectTruth(service, 0, outcome);
        if (outcome.error !== undefined) {
          // Rows that crash the service look like an outage as long as it has taken none before them.
          for (const index of outcome.taken) expect(index).toBeGreaterThanOrEqual(outcome.summary.resumeFrom);
          expect(service.lines[outcome.summary.resumeFrom]?.fate).toBe('crashing');
          return;
        }
        expect(held).toEqual(wanted(service));
        const bad = service.lines.flatMap(({ fate }, index) => (faulty.includes(fate) ? [index] : []));
        expect([...outcome.rejected].sort((a, b) => a - b)).toEqual(bad);
      }),
      { numRuns: numRuns(600), examples: [[newerMeanwhile, { ...plain, batchSize: 4, concurrency: 2 }]] },
    );
  },
  MANY_RUNS_MS,
);

test(
  'resumed at every index, an import holds in the end what one run would have left',
  async () => {
    await fc.assert(
      fc.asyncProperty(services, settings, async (drawn, options) => {
        const service = mended(calm(drawn));
        for (let stop = 0; stop <= service.lines.length; stop += 7) {
          const held: Held = new Map();
          const part = { ...service, lines: service.lines.slice(0, stop) };
          await run(part, { ...options, ...bisect }, held);
          const rest = await run(service, { ...options, ...bisect, resumeFrom: stop }, held);
          expect(rest.summary.processed).toBe(service.lines.length);
          expect(held).toEqual(wanted(service));
        }
      }),
      { numRuns: numRuns(100) },
    );
  },
  MANY_RUNS_MS,
);

test(
  'reruns from wherever it stopped bring every good row, in the end as the source has it',
  async () => {
    await fc.assert(
      fc.asyncProperty(services, settings, async (drawn, options) => {
        const service = mended(drawn);
        const held: Held = new Map();
        const rejected = new Set<number>();
        let resumeFrom = 0;
        let requests = 0;
        for (let runs = 0; runs < 200 && resumeFrom < service.lines.length; runs += 1) {
          // Troubles and outages are counted over all runs, so that they end.
          const since = requests;
          const shifted: Service = {
            ...service,
            troubles: new Map([...service.troubles].map(([number, trouble]) => [number - since, trouble])),
            outage: { from: service.outage.from - since, to: service.outage.to - since },
          };
          const outcome = await run(shifted, { ...options, ...bisect, resumeFrom }, held);
          expectTruth(shifted, resumeFrom, outcome);
          for (const index of outcome.rejected) rejected.add(index);
          requests += outcome.requests.length;
          ({ resumeFrom } = outcome.summary);
        }
        expect(resumeFrom).toBe(service.lines.length);
        const lost = [...wanted(service)].filter(([email, index]) => held.get(email) !== index);
        // Nothing is lost without a word.
        for (const [, index] of lost) expect(rejected).toContain(index);
        if (isOneFault(service)) expect(lost).toEqual([]);
      }),
      { numRuns: numRuns(400) },
    );
  },
  MANY_RUNS_MS,
);

test(
  'each row has one end when the import is aborted at any request',
  async () => {
    const drawn = fc.tuple(services, settings, fc.integer({ min: 1, max: 20 }));
    await fc.assert(
      fc.asyncProperty(drawn, async ([service, options, last]) => {
        const controller = new AbortController();
        const { signal } = controller;
        const outcome = await run(service, { ...options, signal }, new Map(), (number) => {
          if (number === last) controller.abort();
        });
        expectTruth(service, 0, outcome, true);
        expect(outcome.requests.length).toBeLessThanOrEqual(last);
      }),
      { numRuns: numRuns(300) },
    );
  },
  MANY_RUNS_MS,
);
