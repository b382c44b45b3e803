// Creates the records of a seed and makes up the fields that it omits.

import { webhookEventNames } from '../../../schemas/webhook-event.ts';
import { messageOf } from '../../../util/errors.ts';
import { isCount } from '../../../util/numbers.ts';
import { readTime } from '../../schema/read-time.ts';
import { rejectUnknown } from '../../schema/unknown-name.ts';
import { newAssignment } from '../domain/assignments.ts';
import { createEndpoint } from '../domain/endpoints.ts';
import { finished } from '../domain/events.ts';
import { checkScore } from '../domain/exam-taking.ts';
import type { World } from '../domain/world.ts';
import type {
  AssignmentRecord,
  EndpointRecord,
  ExamRecord,
  ParticipantRecord,
  ResultRecord,
} from '../state/records.ts';
import type { Assignment, Store } from '../state/store.ts';
import { seedRows } from './seed-schema.ts';
import type { ExamSeed, ParticipantSeed, ResultSeed, WebhookSeed } from './seeds.ts';

const HOUR = 3_600_000;

/** @throws {RangeError} when an id or an email is taken */
export function seedParticipants(
  { settings, store }: World,
  seeds: number | readonly ParticipantSeed[],
): ParticipantRecord[] {
  const now = settings.clock.now();
  return eachRow('participants', expand(seeds), (seed) => {
    const id = checkedId(seed.id ?? store.participants.lastId + 1);
    return store.participants.add({
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
  return eachRow('exams', expand(seeds), (seed) => {
    const id = checkedId(seed.id ?? store.exams.lastId + 1);
    const name = seed.name ?? `Exam ${id}`;
    return store.exams.add({
      id,
      name,
      name_short: seed.name_short ?? `EX-${id}`,
      quiz_name: seed.quiz_name ?? `${name}, quiz`,
      created_at: now,
      updated_at: now,
    });
  });
}

/** @throws {RangeError} when a participant or an exam is missing, or they are already assigned */
export function seedAssignments({ store }: World, pairs: readonly Assignment[]): AssignmentRecord[] {
  return eachRow('assignments', pairs, (pair) => {
    checkPair(store, pair);
    return store.assignments.add(newAssignment(pair));
  });
}

/** @throws {RangeError} when a participant or an exam is missing, a time is none, or a result ends before it starts */
export function seedResults({ settings, store }: World, seeds: readonly ResultSeed[]): ResultRecord[] {
  const now = settings.clock.now();
  return eachRow('results', seeds, (seed) => {
    checkPair(store, seed);
    const { score = 0 } = seed;
    if (score !== null) checkScore(score);
    const start = seed.start_at === undefined ? undefined : readTime(seed.start_at, 'start_at');
    const end_at = seed.end_at === undefined ? Math.max(now, start ?? now) : readTime(seed.end_at, 'end_at');
    const start_at = start ?? end_at - HOUR;
    if (end_at < start_at) throw new RangeError('It was finished before it was started.');
    const assignment = store.assignment(seed) ?? store.assignments.add(newAssignment(seed));
    store.assignments.replace({ ...assignment, started_at: start_at, finished_at: end_at });
    return store.results.add({
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

/** @throws {Error} when there would be more than five */
export function seedWebhooks(world: World, seeds: readonly WebhookSeed[]): EndpointRecord[] {
  return eachRow('webhooks', seeds, ({ url, events, description, active, secret }) =>
    createEndpoint(world, {
      url,
      events: events ?? webhookEventNames,
      description: description ?? null,
      is_active: active ?? true,
      ...(secret !== undefined && { secret }),
    }),
  );
}

/** Creates one row after the other; those before a wrong one stay. Errors name their row. */
function eachRow<Seed extends object, Row>(
  kind: keyof typeof seedRows,
  seeds: readonly Seed[],
  put: (seed: Seed) => Row,
): Row[] {
  if (!Array.isArray(seeds)) throw new RangeError(`${kind} must be a list of rows, not ${seeds}.`);
  return seeds.map((seed, index) => {
    try {
      rejectUnknown('field', seed, Object.keys(seedRows[kind].shape));
      return put(seed);
    } catch (cause) {
      throw new RangeError(`${kind}, row ${index + 1}: ${messageOf(cause)}`, { cause });
    }
  });
}

/** @throws {RangeError} when the participant or the exam is missing */
export function checkPair(store: Store, { participant_id, exam_id }: Assignment): void {
  if (store.participants.get(participant_id) === undefined)
    throw new RangeError(`There is no participant ${participant_id}.`);
  if (store.exams.get(exam_id) === undefined) throw new RangeError(`There is no exam ${exam_id}.`);
}

function expand<Seed extends object>(seeds: number | readonly Seed[]): readonly Partial<Seed>[] {
  return isCount(seeds, 0) ? Array.from({ length: seeds }, () => ({})) : (seeds as readonly Seed[]);
}

function checkedId(id: number): number {
  if (!isCount(id)) throw new RangeError(`An id is a whole number above 0, not ${id}.`);
  return id;
}
