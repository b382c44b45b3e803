import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  ExamClient,
  type ImportAllOptions,
  ImportStoppedError,
  type ImportSummary,
  type ParticipantImport,
} from '../../../src/index.ts';
import { nextTurn } from '../../helpers/gate.ts';
import { row } from './helpers.ts';

/** What becomes of a row: the service takes it, refuses it, fails on it; or it is never sent. */
type Fate = 'good' | 'refused' | 'crashing' | 'invalid' | 'unwanted';

/** How the service names the rows that it refuses, by their places in the request. */
const namings: Record<string, (places: readonly number[]) => readonly number[]> = {
  all: (places) => places,
  'the first': (places) => places.slice(0, 1),
  none: () => [],
  'counted from 1': (places) => places.map((place) => place + 1),
  'always 0': () => [0],
};

interface Service {
  readonly fates: readonly Fate[];
  readonly naming: keyof typeof namings;
  /** More rows than this in a request are too large. */
  readonly capacity: number;
  /** Requests, by number, that get no answer. */
  readonly cut: readonly number[];
  /** Requests, by number, during which the service is down and answers 500. */
  readonly outage: { readonly from: number; readonly to: number };
}

const numberOf = ({ email }: ParticipantImport) => Number(/\d+/.exec(email)?.[0]);

/** An import against a service: its summary, and what was seen of each row from outside. */
async function run(
  service: Service,
  options: ImportAllOptions,
  onRequest: (number: number) => void = () => {},
) {
  const accepted = new Set<number>();
  const rejected: number[] = [];
  const unwanted = new Set<number>();
  let requests = 0;
  const answer = (rows: readonly ParticipantImport[], number: number): Response => {
    if (service.cut.includes(number)) throw new TypeError('fetch failed');
    if (number >= service.outage.from && number < service.outage.to)
      return new Response(null, { status: 500 });
    if (rows.length > service.capacity) return new Response(null, { status: 413 });
    const fates = rows.map((sent) => service.fates[numberOf(sent)]);
    const places = fates.flatMap((fate, place) => (fate === 'refused' ? [place] : []));
    if (places.length > 0) {
      const named = (namings[service.naming]?.(places) ?? []).map((place) => [
        `participants.${place}.email`,
        ['no'],
      ]);
      return Response.json({ message: 'Invalid.', errors: Object.fromEntries(named) }, { status: 422 });
    }
    if (fates.includes('crashing')) return new Response(null, { status: 500 });
    for (const sent of rows) accepted.add(numberOf(sent));
    return Response.json({ message: 'Imported' }, { status: 201 });
  };
  const client = new ExamClient({
    baseUrl: 'http://localhost/api/v1',
    apiKey: 'key-of-the-property',
    maxRetries: 0,
    logLevel: 'off',
    fetch: async (_, { body }) => {
      requests += 1;
      const number = requests;
      onRequest(number);
      // Requests under way at once end in another order than they began.
      for (let turns = number % 3; turns > 0; turns -= 1) await nextTurn();
      return answer(JSON.parse(String(body)).participants, number);
    },
  });
  let summary: ImportSummary;
  try {
    summary = await client.participants.importAll(service.fates.keys(), {
      ...options,
      map: (index) => {
        if (service.fates[index] === 'unwanted') {
          unwanted.add(index);
          return null;
        }
        return service.fates[index] === 'invalid' ? { ...row(index), name: '' } : row(index);
      },
      ...(options.onRejected && { onRejected: ({ index }) => rejected.push(index) }),
    });
  } catch (error) {
    if (!(error instanceof ImportStoppedError)) throw error;
    ({ summary } = error);
  }
  rejected.push(...summary.rejected.map(({ index }) => index));
  return { summary, accepted, rejected, unwanted, requests };
}

const services = fc.record<Service>({
  fates: fc.array(
    fc.oneof(
      { weight: 12, arbitrary: fc.constant<Fate>('good') },
      { weight: 2, arbitrary: fc.constant<Fate>('refused') },
      { weight: 1, arbitrary: fc.constant<Fate>('crashing') },
      { weight: 1, arbitrary: fc.constant<Fate>('invalid') },
      { weight: 1, arbitrary: fc.constant<Fate>('unwanted') },
    ),
    { maxLength: 60 },
  ),
  naming: fc.constantFrom(...Object.keys(namings)),
  capacity: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 1, max: 20 })),
  cut: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 2 }),
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

/** Every row is exactly one of imported, rejected, unwanted, or not done and so at `resumeFrom` or later. */
function expectOneEnd(service: Service, from: number, outcome: Awaited<ReturnType<typeof run>>): void {
  const { summary, accepted, rejected, unwanted } = outcome;
  expect(new Set(rejected).size).toBe(rejected.length);
  for (let index = from; index < service.fates.length; index += 1) {
    const ends = [accepted.has(index), rejected.includes(index), unwanted.has(index)].filter(Boolean);
    expect(ends.length).toBeLessThanOrEqual(1);
    if (ends.length === 0) expect(index).toBeGreaterThanOrEqual(summary.resumeFrom);
  }
  expect(summary.failed).toBe(rejected.length);
  expect(summary.skipped).toBe(unwanted.size);
  expect(summary.processed).toBe(from + summary.imported + summary.failed + summary.skipped);
}

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('each row has one end, whatever fails, and a rerun with resumeFrom finishes the import', async () => {
  await fc.assert(
    fc.asyncProperty(services, settings, async (service, options) => {
      const first = await run(service, options);
      expectOneEnd(service, 0, first);
      expect(first.summary.imported).toBe(first.accepted.size);
      if (options.onBatchError === 'bisect') {
        for (const index of first.rejected) {
          expect(['refused', 'crashing', 'invalid']).toContain(service.fates[index]);
        }
      }
      // Halving asks at most twice for each row, names once more; finding a crash asks for halves, and twice again.
      expect(first.requests).toBeLessThanOrEqual(4 * service.fates.length);

      const { resumeFrom } = first.summary;
      const mended: Service = {
        ...service,
        fates: service.fates.map((fate) => (fate === 'crashing' ? 'good' : fate)),
        cut: [],
        outage: { from: 0, to: 0 },
      };
      const second = await run(mended, { ...options, onBatchError: 'bisect', onInvalid: 'skip', resumeFrom });
      expectOneEnd(mended, resumeFrom, second);
      expect(second.summary).toMatchObject({
        resumeFrom: service.fates.length,
        processed: service.fates.length,
      });
    }),
    { numRuns: 400 },
  );
});

test('each row has one end when the import is aborted at any request', async () => {
  const drawn = fc.tuple(services, settings, fc.integer({ min: 1, max: 20 }));
  await fc.assert(
    fc.asyncProperty(drawn, async ([service, options, last]) => {
      const controller = new AbortController();
      const { signal } = controller;
      const outcome = await run(service, { ...options, signal }, (number) => {
        if (number === last) controller.abort();
      });
      expectOneEnd(service, 0, outcome);
      expect(outcome.requests).toBeLessThanOrEqual(last);
    }),
    { numRuns: 200 },
  );
});
