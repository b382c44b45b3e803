// The work of the BullMQ worker, made safe to repeat: orders the certificate of a result once.

import type { ExamResultCompletedData } from 'exam-service-sdk/webhooks';
import { type connect, queueName } from './queue.ts';

const THIRTY_DAYS = 2_592_000;

/**
 * Redis runs a script as one transaction: nothing comes between its steps, and a worker that crashes has run all of it or
 * nothing. A step that fails undoes nothing, so the effect comes before its marker.
 */
const orderOnce = `
  local marker, orders = KEYS[1], KEYS[2]
  if redis.call('EXISTS', marker) == 1 then return 0 end
  redis.call('RPUSH', orders, ARGV[1])
  redis.call('SET', marker, 1, 'EX', ARGV[2])
  return 1
`;

/**
 * Orders the certificate of an exam result: once for each event, however often it is called. In an SQL database the same is
 * a transaction that inserts `key` into a column with a unique index and does the work, both or neither. For work beyond any
 * database, such as an e-mail, give `key` to the other side as its idempotency key.
 */
export async function orderCertificate(
  redis: Awaited<ReturnType<typeof connect>>,
  key: string,
  { exam_result_id }: ExamResultCompletedData,
): Promise<void> {
  await redis.eval(orderOnce, {
    keys: [`${queueName}:ordered:${key}`, `${queueName}:certificates`],
    arguments: [String(exam_result_id), String(THIRTY_DAYS)],
  });
}
