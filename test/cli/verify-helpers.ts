import { expect, test } from 'vitest';
import { createEmulator, type EmulatorOptions } from '../../src/testing/index.ts';
import { withoutBackoff } from '../helpers/no-backoff.ts';
import { type Deviation, startDeviating, together } from './deviations.ts';
import { startCli } from './helpers.ts';
import { serve } from './serve.ts';
import { shortenPolls } from './skip-waits.ts';

export const key = 'a-key-that-nobody-may-see';

/** Values of records, none of which may be shown. */
export const personal = ['ana.putri', 'Ana Putri', 'P-0001', '87.5', 'receiver.example'];

export interface VerifiedService extends AsyncDisposable {
  readonly url: string;
  readonly emulator: ReturnType<typeof createEmulator>;
}

/** An emulator with enough in it to decide everything, on a real clock, as deliveries are signed by it. */
export function startFilled(options: EmulatorOptions = {}): VerifiedService {
  const emulator = createEmulator({ apiKey: key, ...options });
  const { control } = emulator;
  control.seedExams(102);
  control.seedParticipants([{ email: 'ana.putri@example.com', name: 'Ana Putri' }, {}]);
  control.seedResults(
    Array.from({ length: 102 }, (_, index) => ({
      participant_id: 1 + (index % 2),
      exam_id: 1 + (index % 51) * 2 + (index % 2),
      score: 87.5,
    })),
  );
  return Object.assign(
    serve((request) => emulator.fetch(request)),
    { emulator },
  );
}

/** What a run of `verify --json` found, by the ids of the claims. */
export async function verify(url: string, ...args: string[]) {
  using _backoff = withoutBackoff();
  using _polls = shortenPolls();
  const run = startCli(['verify', '--base-url', url, '--json', ...args], {
    env: { EXAM_SERVICE_API_KEY: key },
  });
  const code = await run.exitCode;
  const report: Report = run.stdout === '' ? { claims: [], notes: [], left: [] } : JSON.parse(run.stdout);
  const of = (verdict: string) =>
    report.claims.filter((claim) => claim.verdict === verdict).map(({ id, seen }) => `${id}: ${seen}`);
  return {
    code,
    report,
    contradicted: of('contradicted'),
    undecided: of('not decided'),
    stderr: run.stderr,
    written: run.stdout + run.stderr,
  };
}

interface Report {
  left: { what: string; command: string }[];
  claims: { id: string; section: string; says: string; verdict: string; seen: string }[];
  notes: string[];
}

/** Mistakes of a service, each with the claims that it contradicts. Those of one round share no claim and no check. */
export type Round = readonly (readonly [what: string, deviation: Deviation, claims: readonly string[]])[];

/** Declares a test for each round: all of its mistakes are found in one run, and nothing else is contradicted. */
export function testRounds(rounds: readonly Round[]): void {
  test.each(rounds.map((round) => [round.map(([what]) => what).join('; '), round] as const))(
    'a service is contradicted in every mistake, and in nothing else: %s',
    async (_what, round) => {
      await using service = startFilled();
      await using deviating = startDeviating(service, together(round.map(([, deviation]) => deviation)));
      const { code, contradicted } = await verify(deviating.url, '--write', '--listen', '0');
      const expected = round.flatMap(([, , claims]) => claims).toSorted();
      expect(contradicted.map((text) => text.split(':')[0]).toSorted()).toEqual(expected);
      expect(code).toBe(1);
    },
  );
}
