import { isCount } from '../../util/numbers.ts';
import { newAssignment } from './domain/assignments.ts';
import { finished } from './domain/events.ts';
import { checkScore } from './domain/exam-taking.ts';
import type { World } from './domain/world.ts';
import type { AssignmentRecord, ExamRecord, ParticipantRecord, ResultRecord } from './state/records.ts';
import type { Pair, Store } from './state/store.ts';

/** A participant to put in place; whatever is left out is made up. */
export interface ParticipantSeed {
  /** Default: the next free one. */
  id?: number;
  /** Default `participant<id>@example.test`. */
  email?: string;
  /** Default `Participant <id>`. */
  name?: string;
  /** Default `password-<id>`. */
  password?: string;
  /** Default `true`. */
  active?: boolean;
  /** Whether the email is verified. Default `true`. */
  verified?: boolean;
}

/** An exam to put in place; whatever is left out is made up. */
export interface ExamSeed {
  /** Default: the next free one. */
  id?: number;
  /** Full name. Default `Exam <id>`. */
  name?: string;
  /** Short name. Default `EX-<id>`. */
  name_short?: string;
  /** Name that `exam_quiz` of a result shows. Default `<name>, quiz`. */
  quiz_name?: string;
}

/**
 * A result to put in place, of a participant and an exam that are there. It assigns them where they are not
 * yet.
 */
export interface ResultSeed {
  /** Who took the exam. */
  participant_id: number;
  /** Which exam. */
  exam_id: number;
  /** Default 0. */
  score?: number;
  /** Default 2, finished: the one value that the document names. */
  status?: number;
  /** Text label of `status`. Default: that of a finished exam. */
  status_label?: string;
  /** In milliseconds since the epoch. Default: an hour ago, on the emulator's clock. */
  start_at?: number;
  /** In milliseconds since the epoch. Default: now. */
  end_at?: number;
}

const HOUR = 3_600_000;

/** @throws {RangeError} when an id or an email is taken */
export function seedParticipants(
  { settings, store }: World,
  seeds: number | readonly ParticipantSeed[],
): ParticipantRecord[] {
  const now = settings.clock.now();
  return expand(seeds).map((seed) => {
    const id = checkedId(seed.id ?? store.participants.nextId());
    return store.addParticipant({
      id,
      email: seed.email ?? `participant${id}@example.test`,
      name: seed.name ?? `Participant ${id}`,
      password: seed.password ?? `password-${id}`,
      is_active: seed.active ?? true,
      email_verified_at: (seed.verified ?? true) ? now : null,
      created_at: now,
      updated_at: now,
    });
  });
}

/** @throws {RangeError} when an id is taken */
export function seedExams({ settings, store }: World, seeds: number | readonly ExamSeed[]): ExamRecord[] {
  const now = settings.clock.now();
  return expand(seeds).map((seed) => {
    const id = checkedId(seed.id ?? store.exams.nextId());
    const name = seed.name ?? `Exam ${id}`;
    return store.exams.insert({
      id,
      name,
      name_short: seed.name_short ?? `EX-${id}`,
      quiz_name: seed.quiz_name ?? `${name}, quiz`,
      created_at: now,
      updated_at: now,
    });
  });
}

/** @throws {RangeError} when a participant or an exam is missing, or they are assigned already */
export function seedAssignments({ store }: World, pairs: readonly Pair[]): AssignmentRecord[] {
  return pairs.map((pair) => {
    checkPair(store, pair);
    return store.addAssignment(newAssignment(pair));
  });
}

/** @throws {RangeError} when a participant or an exam is missing */
export function seedResults({ settings, store }: World, seeds: readonly ResultSeed[]): ResultRecord[] {
  const now = settings.clock.now();
  return seeds.map((seed) => {
    checkPair(store, seed);
    const { score = 0 } = seed;
    checkScore(score);
    const start_at = seed.start_at ?? now - HOUR;
    const end_at = seed.end_at ?? now;
    const assignment = store.assignment(seed) ?? store.addAssignment(newAssignment(seed));
    store.replaceAssignment({ ...assignment, started_at: start_at, finished_at: end_at });
    return store.addResult({
      id: store.results.nextId(),
      assignment_id: assignment.id,
      participant_id: seed.participant_id,
      exam_id: seed.exam_id,
      status: seed.status ?? finished.status,
      status_label: seed.status_label ?? finished.status_label,
      score,
      start_at,
      end_at,
      created_at: now,
      updated_at: now,
    });
  });
}

function checkPair(store: Store, { participant_id, exam_id }: Pair): void {
  if (store.participants.get(participant_id) === undefined)
    throw new RangeError(`There is no participant ${participant_id}.`);
  if (store.exams.get(exam_id) === undefined) throw new RangeError(`There is no exam ${exam_id}.`);
}

function expand<Seed extends object>(seeds: number | readonly Seed[]): readonly Partial<Seed>[] {
  return typeof seeds === 'number' ? Array.from({ length: seeds }, () => ({})) : seeds;
}

function checkedId(id: number): number {
  if (!isCount(id)) throw new RangeError(`An id is a whole number above 0, not ${id}.`);
  return id;
}
