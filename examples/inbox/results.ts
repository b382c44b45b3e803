/** What your program does with results: keeps the newest score of each, and orders a certificate for each that is finished. */
import type { ExamClient } from 'exam-service-sdk';
import { type Database, jobIn, REREADS, type Sql } from './database.ts';
import { points } from './events.ts';

/** What the two events about results have in common. */
export interface Score {
  readonly exam_result_id: number;
  readonly participant: { readonly id: number };
  readonly exam: { readonly id: number };
  readonly score: number | null;
}

/** Which result to read again. */
export interface Reread {
  readonly exam_result_id: number;
  readonly participant_id: number;
  readonly exam_id: number;
  /** `created_at` of the events that contradict each other. */
  readonly as_of: string;
}

/**
 * Keeps the score unless a newer event was here before: deliveries come out of order. Two events of the same second do not
 * say which is the newer one, so the service is asked; no older event that comes late ends that.
 */
export async function saveScore(
  tx: Sql,
  { boss }: Database,
  { exam_result_id, participant, exam, score }: Score,
  createdAt: string,
): Promise<void> {
  const { rows } = await tx.query<{ is_tie: boolean; as_of: string }>(
    `INSERT INTO exam_results AS known (exam_result_id, participant_id, exam_id, score, as_of)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (exam_result_id) DO UPDATE
       SET score = CASE WHEN excluded.as_of > known.as_of THEN excluded.score ELSE known.score END,
           as_of = greatest(excluded.as_of, known.as_of),
           -- What was asked before this event says nothing of it.
           reread_answered = CASE WHEN excluded.as_of < known.as_of THEN known.reread_answered ELSE known.rereads END,
           is_tie = excluded.as_of <= known.as_of AND (known.is_tie OR
             (excluded.as_of = known.as_of AND excluded.score IS DISTINCT FROM known.score))
     RETURNING is_tie, as_of::text`,
    [exam_result_id, participant.id, exam.id, score, createdAt],
  );
  for (const { is_tie, as_of } of rows) {
    const job: Reread = { exam_result_id, participant_id: participant.id, exam_id: exam.id, as_of };
    if (is_tie) await boss.send(REREADS, job, jobIn(tx));
  }
}

export async function orderCertificate(tx: Sql, eventKey: string, exam_result_id: number): Promise<void> {
  await tx.query('INSERT INTO certificate_orders (event_key, exam_result_id) VALUES ($1, $2)', [
    eventKey,
    exam_result_id,
  ]);
}

/**
 * Takes the score from the service, unless another event has come meanwhile, or a reread that asked later has its response. The
 * service's documentation does not show the fields of a row: name those of yours here.
 */
export async function rereadScore(database: Database, client: ExamClient, reread: Reread): Promise<void> {
  const { exam_result_id, participant_id, exam_id, as_of } = reread;
  const { rows } = await database.query<{ rereads: number }>(
    'UPDATE exam_results SET rereads = rereads + 1 WHERE exam_result_id = $1 AND as_of = $2 RETURNING rereads',
    [exam_result_id, as_of],
  );
  const [begun] = rows;
  if (begun === undefined) return;
  for await (const result of client.examResults.list({ participant_id, exam_id })) {
    if ((result['exam_result_id'] ?? result['id']) !== exam_result_id) continue;
    const score = points.nullable().safeParse(result['score']);
    if (!score.success)
      throw new Error(`The service lists result ${exam_result_id} with a score that is not a number.`);
    await database.query(
      `UPDATE exam_results SET score = $2, is_tie = false, reread_answered = $3
         WHERE exam_result_id = $1 AND reread_answered < $3`,
      [exam_result_id, score.data, begun.rereads],
    );
    return;
  }
  throw new Error(`The service lists no result ${exam_result_id} of participant ${participant_id}.`);
}
