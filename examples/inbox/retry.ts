/** Gives everything that is not done another round. */
import { type Database, DEAD_LETTERS, jobIn, QUEUE, REREADS } from './database.ts';
import type { Reread } from './results.ts';

/**
 * Makes a job for each event that is not handled, also for those that had a problem, and for each contradiction. The tables
 * say what that is, so no job needs to have survived. A second job for an event that still has one does nothing.
 *
 * @returns how many jobs were made
 */
export async function retryAll({ boss, transaction }: Database): Promise<number> {
  const made = await transaction(async (tx) => {
    const events = await tx.query<{ event_key: string }>(
      'UPDATE inbox SET problem = NULL WHERE handled_at IS NULL RETURNING event_key',
    );
    const ties = await tx.query<Record<keyof Reread, string>>(
      'SELECT exam_result_id, participant_id, exam_id, as_of::text FROM exam_results WHERE is_tie',
    );
    await boss.insert(
      QUEUE,
      events.rows.map(({ event_key }) => ({ data: { eventKey: event_key } })),
      jobIn(tx),
    );
    await boss.insert(
      REREADS,
      // PostgreSQL gives a bigint as text.
      ties.rows.map(({ exam_result_id, participant_id, exam_id, as_of }) => ({
        data: {
          exam_result_id: Number(exam_result_id),
          participant_id: Number(participant_id),
          exam_id: Number(exam_id),
          as_of,
        },
      })),
      jobIn(tx),
    );
    return events.rows.length + ties.rows.length;
  });
  await boss.deleteAllJobs(DEAD_LETTERS);
  return made;
}
