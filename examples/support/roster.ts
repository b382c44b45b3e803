import { isApiError, type ParticipantImport, type Participants, type RejectedRow } from 'exam-service-sdk';
import * as z from 'zod/mini';
import type { Row } from './participants-file.ts';

/**
 * What a roster is compared with. The service documents only the id of a participant, so this schema is given to the
 * client: a list without emails or names is an error before anything is changed.
 */
export const knownParticipant = z.looseObject({
  id: z.int(),
  email: z.string(),
  name: z.nullable(z.string()),
});
export type KnownParticipant = z.infer<typeof knownParticipant>;

/** A participant whose name in the roster is another one. */
export interface Rename {
  readonly id: number;
  readonly email: string;
  readonly from: string | null;
  readonly to: string;
}

/** The difference between a roster and the service. */
export interface RosterPlan {
  readonly added: readonly ParticipantImport[];
  readonly renamed: readonly Rename[];
  /** Known to the service and not in the roster. They stay: nothing is ever deleted. */
  readonly missing: readonly KnownParticipant[];
  readonly unchanged: number;
  /** Why nothing may be sent, and what to do about it; empty for a plan that can be applied. */
  readonly problems: readonly string[];
}

/** A change that the service refused, with its reason. */
export interface Refusal extends Pick<RejectedRow, 'reason'> {
  readonly email: string;
}

/** A larger part of the list than this is not missing by design: the file is cut, or meant for another service. */
const MOST_MISSING = 1 / 5;

/** Renames under way at once. */
const LANES = 4;

/**
 * Whether the service tells `Ada@` from `ada@` is not documented, and importing a known email overwrites its password:
 * emails that differ only in case or surrounding spaces count as one.
 */
const keyOf = (email: string) => email.trim().toLowerCase();

/** After so many readings of a list that does not keep still, it is given up. */
const MOST_PASSES = 5;

/**
 * Everybody whom the service knows. The list is read until two passes agree on who is there: whoever moves to another page
 * just then may be missing from one, and would count as new.
 */
export async function readKnown(participants: Participants<KnownParticipant>): Promise<KnownParticipant[]> {
  let before = new Set<number>();
  for (let pass = 1; pass <= MOST_PASSES; pass += 1) {
    const list = participants.list({ limit: 100 }, { distinct: true, concurrency: 4 });
    const known = await list.toArray({ maxItems: 1_000_000 });
    if (pass > 1 && known.length === before.size && known.every(({ id }) => before.has(id))) return known;
    before = new Set(known.map(({ id }) => id));
  }
  throw new Error('The list of participants changes while it is read. Run this when nobody changes it.');
}

/** Compares a roster with the participants of the service. Sends nothing. */
export function planRoster(
  rows: readonly Row[],
  known: readonly KnownParticipant[],
  { allowMissing = false } = {},
): RosterPlan {
  const problems: string[] = [];
  const roster = readRoster(rows, problems);
  const knownByKey = new Map<string, KnownParticipant[]>();
  for (const participant of known) {
    const key = keyOf(participant.email);
    knownByKey.set(key, [...(knownByKey.get(key) ?? []), participant]);
  }

  const added: ParticipantImport[] = [];
  const renamed: Rename[] = [];
  let unchanged = 0;
  for (const [key, { line, participant: wanted }] of roster) {
    const [found, ...others] = knownByKey.get(key) ?? [];
    if (others.length > 0) {
      const ids = [found, ...others].map((one) => one?.id).join(' and ');
      problems.push(
        `Line ${line}: ${wanted.email} may be participant ${ids}, whose emails differ only in case.`,
      );
    } else if (found === undefined) {
      if (wanted.password === '') problems.push(`Line ${line}: ${wanted.email} is new and needs a password.`);
      added.push(wanted);
    } else if (found.name !== wanted.name) {
      renamed.push({ id: found.id, email: found.email, from: found.name, to: wanted.name });
    } else {
      unchanged += 1;
    }
  }
  const missing = known.filter(({ email }) => !roster.has(keyOf(email)));
  if (missing.length > known.length * MOST_MISSING && !allowMissing) {
    problems.push(
      `${missing.length} of the ${known.length} participants of the service are not in the file, more than a fifth. ` +
        'Is it the whole file, and the right service? If it is, run this again with --allow-missing.',
    );
  }
  return { added, renamed, missing, unchanged, problems };
}

/** The rows by the keys of their emails, each once. */
function readRoster(rows: readonly Row[], problems: string[]): Map<string, Row> {
  const roster = new Map<string, Row>();
  for (const { line, participant } of rows) {
    // A short line lacks fields, whatever its type says.
    const { email = '', name = '', password = '' }: Partial<ParticipantImport> = participant;
    const row: Row = { line, participant: { email: email.trim(), name: name.trim(), password } };
    const key = keyOf(email);
    const earlier = roster.get(key);
    if (key === '' || row.participant.name === '') {
      problems.push(`Line ${line}: needs an email and a name, in the columns \`email\` and \`name\`.`);
    } else if (earlier && !isSame(earlier.participant, row.participant)) {
      problems.push(`Line ${line}: ${row.participant.email} stands on line ${earlier.line} with other data.`);
    }
    if (!earlier) roster.set(key, row);
  }
  return roster;
}

function isSame(one: ParticipantImport, other: ParticipantImport): boolean {
  return one.name === other.name && one.password === other.password;
}

/**
 * Renames, then imports who is new and nobody else. What was done is not planned again, so that after an error the way on
 * is to compare again.
 *
 * @param onDone told how many more changes are done with
 * @returns the changes that the service refused; the others are made
 */
export async function applyRoster(
  participants: Participants<KnownParticipant>,
  { added, renamed, problems }: RosterPlan,
  onDone: (count: number) => void = () => {},
): Promise<Refusal[]> {
  if (problems.length > 0) throw new Error(`The roster cannot be applied: ${problems[0]}`);
  const refused: Refusal[] = [];
  // The lanes share one iterator; each ends at the first error that does not concern its participant alone.
  const queue = renamed.values();
  const lanes = Array.from({ length: LANES }, async () => {
    for (const { id, email, to } of queue) {
      await participants.update(id, { name: to }).catch((error: unknown) => {
        if (!isApiError(error) || ![404, 422].includes(error.status)) throw error;
        refused.push({ email, reason: error.serviceMessage ?? error.message });
      });
      onDone(1);
    }
  });
  for (const lane of await Promise.allSettled(lanes)) if (lane.status === 'rejected') throw lane.reason;

  let processed = 0;
  const { rejected } = await participants.importAll(added, {
    onBatchError: 'bisect',
    onProgress: (progress) => {
      onDone(progress.processed - processed);
      processed = progress.processed;
    },
  });
  for (const { index, reason } of rejected) refused.push({ email: added[index]?.email ?? '', reason });
  return refused;
}
