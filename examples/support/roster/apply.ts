// Carries out the plan of a roster: renames and imports participants.

import { isApiError, type Participants, type Rejection } from 'exam-service-sdk';
import type { KnownParticipant } from './known.ts';
import type { RosterPlan } from './plan.ts';

/** A change that the service refused, with its reason. */
export interface Refusal extends Pick<Rejection, 'reason'> {
  readonly email: string;
}

/** Renames under way at once. */
const LANES = 4;

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
  const { rejections } = await participants.importAll(added, {
    onBatchError: 'bisect',
    onProgress: (progress) => {
      onDone(progress.processed - processed);
      processed = progress.processed;
    },
  });
  for (const { index, reason } of rejections) refused.push({ email: added[index]?.email ?? '', reason });
  return refused;
}
