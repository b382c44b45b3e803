// The service's rules for assignments and exam links.

import type { Except } from 'type-fest';
import { idOf } from '../state/keys.ts';
import type { AssignmentRecord, ExamRecord, ParticipantRecord } from '../state/records.ts';
import type { Assignment } from '../state/store.ts';
import { registrationData } from './events.ts';
import { requireParticipant } from './participants.ts';
import { rejections } from './rejection.ts';
import type { World } from './world.ts';

/** Base of the exam links: an address that resolves nowhere. */
const LINK_BASE = 'https://exam.example.test/take';

/** @throws {Rejection} when there is none: 404 */
export function requireExam({ store }: World, key: number | string): ExamRecord {
  const exam = store.exams.get(idOf(key));
  if (exam === undefined) throw rejections.noRecord('Exam', key);
  return exam;
}

/** @throws {Rejection} when either is missing: 404 */
function requirePair(world: World, pair: Assignment): { participant: ParticipantRecord; exam: ExamRecord } {
  return {
    participant: requireParticipant(world, pair.participant_id),
    exam: requireExam(world, pair.exam_id),
  };
}

/**
 * `POST /exam-participants/assign`: not assigned -> assigned.
 *
 * @throws {Rejection} when either is missing: 404; when a condition is not met: 400
 */
export function assign(world: World, pair: Assignment): AssignmentRecord {
  const { settings, store } = world;
  const { participant, exam } = requirePair(world, pair);
  if (!participant.is_active) throw rejections.inactiveParticipant();
  if (participant.email_verified_at === null) throw rejections.unverifiedEmail();
  if (store.assignment(pair) !== undefined) throw rejections.alreadyRegistered();
  const limit = settings.maxParticipantsPerExam;
  // They are counted only where there is a limit.
  if (limit < Infinity && store.assignedTo(exam.id) >= limit) throw rejections.examFull(limit);
  const assignment = store.assignments.add(newAssignment(pair));
  world.deliveries.announce('exam_participant.registered', registrationData(assignment, participant, exam));
  return assignment;
}

/** The values of a new assignment. */
export function newAssignment({ participant_id, exam_id }: Assignment): Except<AssignmentRecord, 'id'> {
  return {
    participant_id,
    exam_id,
    token: globalThis.crypto.randomUUID(),
    started_at: null,
    finished_at: null,
  };
}

/**
 * `POST /exam-participants/unassign`: assigned -> not assigned.
 *
 * @throws {Rejection} when either is missing: 404; when the participant is not registered or has started: 400
 */
export function unassign(world: World, pair: Assignment): void {
  const { participant, exam } = requirePair(world, pair);
  const assignment = world.store.assignment(pair);
  if (assignment === undefined) throw rejections.notRegistered();
  if (assignment.started_at !== null) throw rejections.alreadyStarted();
  world.store.assignments.remove(assignment);
  world.deliveries.announce('exam_participant.unregistered', registrationData(assignment, participant, exam));
}

/**
 * The participant's link to the exam, the same as long as the assignment exists.
 *
 * @throws {Rejection} when there is no such assignment, also because the participant or the exam does not exist: 404
 */
export function examLink(world: World, pair: Assignment): string {
  const assignment = world.store.assignment(pair);
  if (assignment === undefined) throw rejections.notAssigned();
  return `${LINK_BASE}/${assignment.token}`;
}
