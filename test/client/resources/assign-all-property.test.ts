import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import type { AssignAllOptions } from '../../../src/index.ts';
import { createClient, nowhere } from '../../helpers/client.ts';
import { nextTurn } from '../../helpers/gate.ts';
import { numRuns } from '../../helpers/requirements.ts';
import { indexes, run as runJob } from './assign-helpers.ts';

/** What the service makes of a pair. */
type Fate =
  | 'new'
  | 'known'
  | 'missing'
  | 'rejected'
  | 'rejected with a 200'
  | 'server error'
  | 'server error of the link'
  | 'no link';
type Trouble = 'reset' | 'lost' | 500 | 503 | 429;

interface Service {
  readonly fates: readonly Fate[];
  /** So many requests for the link of a new pair find nothing, as on a replica that is behind. */
  readonly lag: number;
  readonly troubles: ReadonlyMap<number, Trouble>;
  /** Requests, by number, during which the service is down. */
  readonly outage: { readonly from: number; readonly to: number };
}

const calm = (service: Service): Service => ({ ...service, troubles: new Map(), outage: { from: 0, to: 0 } });

/** The state of the service, which outlives a run. */
interface State {
  readonly assigned: Set<number>;
  readonly asked: Map<number, number>;
}

function stateOf({ fates }: Service): State {
  const known = fates.flatMap((fate, id) =>
    fate === 'new' || fate.startsWith('rejected') || fate === 'missing' ? [] : [id],
  );
  return { assigned: new Set(known.filter((id) => fates[id] !== 'server error')), asked: new Map() };
}

async function run(service: Service, options: AssignAllOptions, state = stateOf(service), from = 0) {
  const made: number[] = [];
  let requests = 0;
  const assign = (id: number): Response => {
    const fate = service.fates[id];
    if (fate === 'missing') return Response.json({}, { status: 404 });
    if (fate === 'rejected') return Response.json({}, { status: 422 });
    if (fate === 'rejected with a 200') return Response.json({ success: false, message: 'No.' });
    if (fate === 'server error') return new Response(null, { status: 500 });
    if (state.assigned.has(id)) return Response.json({}, { status: 400 });
    state.assigned.add(id);
    state.asked.set(id, 0);
    made.push(id);
    return Response.json({}, { status: 201 });
  };
  const link = (id: number): Response => {
    const fate = service.fates[id];
    if (fate === 'server error of the link') return new Response(null, { status: 500 });
    if (!state.assigned.has(id)) return Response.json({}, { status: 404 });
    const asked = state.asked.get(id) ?? service.lag;
    state.asked.set(id, asked + 1);
    if (asked < service.lag) return Response.json({}, { status: 404 });
    return Response.json({ link: fate === 'no link' ? null : `https://h.test/${id}` });
  };
  const { examParticipants } = createClient({
    ...nowhere,
    fetch: async (url, { body }) => {
      requests += 1;
      const number = requests;
      for (let turns = number % 3; turns > 0; turns -= 1) await nextTurn();
      const trouble = service.troubles.get(number);
      if (trouble === 'reset') throw new TypeError('fetch failed');
      if (typeof trouble === 'number') return new Response(null, { status: trouble });
      if (number >= service.outage.from && number < service.outage.to) {
        return new Response(null, { status: 500 });
      }
      const isLink = url.includes('/link');
      const ids = isLink ? Object.fromEntries(new URL(url).searchParams) : JSON.parse(String(body));
      const id = Number(ids.participant_id) - 1;
      const response = isLink ? link(id) : assign(id);
      if (trouble === 'lost') throw new TypeError('fetch failed');
      return response;
    },
  });
  const pairs = service.fates.map((_, id) => ({ participant_id: id + 1, exam_id: 1 }));
  const { results, ...ended } = await runJob({ examParticipants }, pairs, { ...options, resumeFrom: from });
  return { outcomes: results, ...ended, made, requests, state, resumeFrom: ended.summary.resumeFrom };
}

const services = fc.record<Service>({
  fates: fc.array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom<Fate>('new', 'known') },
      {
        weight: 2,
        arbitrary: fc.constantFrom<Fate>(
          'missing',
          'rejected',
          'rejected with a 200',
          'server error',
          'server error of the link',
          'no link',
        ),
      },
    ),
    { maxLength: 30 },
  ),
  lag: fc.integer({ min: 0, max: 2 }),
  troubles: fc
    .array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.constantFrom('reset', 'lost', 500, 503, 429)), {
      maxLength: 3,
    })
    .map((entries) => new Map(entries) as Service['troubles']),
  outage: fc
    .record({ from: fc.integer({ min: 1, max: 40 }), length: fc.integer({ min: 0, max: 6 }) })
    .map(({ from, length }) => ({ from, to: from + length })),
});

const settings = fc.record({ concurrency: fc.integer({ min: 1, max: 4 }), link: fc.boolean() });

/** Nothing that was reported is false, and each pair before `resumeFrom` was, and no other. */
function expectTruth(options: AssignAllOptions, outcome: Awaited<ReturnType<typeof run>>, from = 0): void {
  const { outcomes, made, summary, state, resumeFrom, error } = outcome;
  // Another outcome than `unknown` says that nothing was done beyond what was reported.
  if (error !== undefined && error.outcome !== 'unknown')
    expect(Math.max(-1, ...made)).toBeLessThan(resumeFrom);
  // In order and without a gap, up to the first pair that is not settled.
  const reported = indexes(outcomes);
  expect(reported).toEqual(Array.from({ length: resumeFrom - from }, (_, index) => from + index));
  for (const { index, participant_id } of outcomes) expect(participant_id).toBe(index + 1);
  expect(new Set(made).size).toBe(made.length);
  for (const each of outcomes) {
    const id = each.participant_id - 1;
    if (each.status === 'failed') {
      const { outcome: verdict } = each.error;
      expect(['rejected', 'unknown']).toContain(verdict);
      if (verdict === 'rejected') expect(made).not.toContain(id);
      continue;
    }
    expect(state.assigned).toContain(id);
    if (each.status === 'assigned') expect(made).toContain(id);
    if (options.link) expect(each.url === null).toBe(each.linkError !== null);
    else expect(each.linkError).toBeNull();
    if (each.linkError !== null) expect(each.linkError).toMatchObject({ outcome: 'done', retryable: true });
  }
  const count = (status: string) => outcomes.filter((each) => each.status === status).length;
  expect(summary).toMatchObject({
    processed: from + outcomes.length,
    assigned: count('assigned'),
    alreadyAssigned: count('already_assigned'),
    failed: count('failed'),
    withoutLink: outcomes.filter(({ linkError }) => linkError !== null).length,
    failures: outcomes.filter(({ status }) => status === 'failed'),
    resumeFrom,
  });
}

/** Hundreds of runs on a busy machine. */
const MANY_RUNS_MS = 180_000;

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

test(
  'a service that is up settles every pair in one run, even if single pairs and links fail',
  async () => {
    await fc.assert(
      fc.asyncProperty(services, settings, async (drawn, options) => {
        const service = calm(drawn);
        const outcome = await run(service, options);
        expectTruth(options, outcome);
        const failing = [
          'missing',
          'rejected',
          'rejected with a 200',
          'server error',
          'server error of the link',
        ];
        for (const { status, participant_id } of outcome.outcomes) {
          const fate = service.fates[participant_id - 1] ?? 'new';
          expect(status === 'failed').toBe(failing.includes(fate));
        }
        // Where nothing was accepted after a server error, it looks like an outage; 404s before it wait for another response.
        if (outcome.error !== undefined) {
          expect(outcome.error.retryable).toBe(true);
          expect(service.fates[outcome.resumeFrom]).toMatch(/server error|missing/);
        }
      }),
      { numRuns: numRuns(600) },
    );
  },
  MANY_RUNS_MS,
);

test(
  'every result of a pair is true, and reruns from where it stopped lose none without a word',
  async () => {
    await fc.assert(
      fc.asyncProperty(services, settings, async (drawn, options) => {
        const service = {
          ...drawn,
          fates: drawn.fates.map((fate) => (fate.startsWith('server error') ? 'new' : fate)),
        };
        const state = stateOf(service);
        const failed = new Set<number>();
        let from = 0;
        let requests = 0;
        for (let runs = 0; runs < 100 && from < service.fates.length; runs += 1) {
          const since = requests;
          const shifted: Service = {
            ...service,
            troubles: new Map([...service.troubles].map(([number, trouble]) => [number - since, trouble])),
            outage: { from: service.outage.from - since, to: service.outage.to - since },
          };
          const outcome = await run(shifted, options, state, from);
          expectTruth(options, outcome, from);
          for (const { status, participant_id } of outcome.outcomes) {
            if (status === 'failed') failed.add(participant_id - 1);
          }
          requests += outcome.requests;
          from = outcome.resumeFrom;
        }
        expect(from).toBe(service.fates.length);
        for (const [id, fate] of service.fates.entries()) {
          const isAssignable = fate === 'new' || fate === 'known' || fate === 'no link';
          if (isAssignable && !state.assigned.has(id)) expect(failed).toContain(id);
        }
      }),
      { numRuns: numRuns(600) },
    );
  },
  MANY_RUNS_MS,
);
