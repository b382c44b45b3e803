// What happens to an assignment in an exam: started, finished, scored again.

import type { AssignmentRecord, ResultRecord } from '../state/records.ts';
import type { Assignment } from '../state/store.ts';
import { finished, resultData } from './events.ts';
import type { World } from './world.ts';

/**
 * Assigned -> started. No operation does this: a participant would, through the link.
 *
 * @throws {Error} when the pair is not assigned or has already started
 */
export function startExam({ settings, store }: World, pair: Assignment): AssignmentRecord {
  const assignment = assignedPair({ store }, pair);
  if (assignment.started_at !== null) throw new Error(describe(pair, 'has already started'));
  return store.assignments.replace({ ...assignment, started_at: settings.clock.now() });
}

/**
 * Ends the exam of a participant who has started it, with a result, and announces `exam_result.completed`.
 *
 * @throws {Error} when the pair is not assigned, has not started or has already finished
 */
export function finishExam(world: World, pair: Assignment, score: number | null): ResultRecord {
  const { settings, store } = world;
  const assignment = assignedPair(world, pair);
  if (assignment.started_at === null) throw new Error(describe(pair, 'has not started'));
  if (assignment.finished_at !== null) throw new Error(describe(pair, 'has already finished'));
  if (score !== null) checkScore(score);
  // The clock may be behind the one that the exam was started on, which was moved forward before a restart.
  const now = Math.max(settings.clock.now(), assignment.started_at);
  store.assignments.replace({ ...assignment, finished_at: now });
  const result = store.results.add({
    assignment_id: assignment.id,
    participant_id: pair.participant_id,
    exam_id: pair.exam_id,
    ...finished,
    score,
    start_at: assignment.started_at,
    end_at: now,
    created_at: now,
    updated_at: now,
  });
  world.deliveries.announce('exam_result.completed', resultData(store, result, settings));
  return result;
}

/**
 * Changes the score of a result and announces `exam_result.scored`.
 *
 * @throws {Error} when there is no such result
 */
export function rescoreResult(world: World, resultId: number, score: number): ResultRecord {
  const { settings, store } = world;
  const result = store.results.get(resultId);
  if (result === undefined) throw new Error(`There is no exam result ${resultId}.`);
  checkScore(score);
  const rescored = store.results.replace({ ...result, score, updated_at: settings.clock.now() });
  world.deliveries.announce('exam_result.scored', resultData(store, rescored, settings));
  return rescored;
}

/** @throws {RangeError} when the score is not a finite number */
export function checkScore(score: number): void {
  if (!Number.isFinite(score)) throw new RangeError(`A score is a number, not ${score}.`);
}

function assignedPair({ store }: Pick<World, 'store'>, pair: Assignment): AssignmentRecord {
  const assignment = store.assignment(pair);
  if (assignment === undefined) throw new Error(describe(pair, 'is not assigned to'));
  return assignment;
}

function describe({ participant_id, exam_id }: Assignment, state: string): string {
  return `Participant ${participant_id} ${state} exam ${exam_id}.`;
}
