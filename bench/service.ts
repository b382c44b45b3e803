// What a service sends in the comparisons: bodies of lists, and a signed delivery.

import { createHmac } from 'node:crypto';
import type { Delivery } from './contenders.ts';

/** A page of a list, in every contender's own way of paging: by page number, and by `has_more` with the id of the last item. */
export function pageOf(page: number, lastPage: number, perPage: number): string {
  const data = Array.from({ length: perPage }, (_, index) => rowOf((page - 1) * perPage + index));
  const meta = { current_page: page, last_page: lastPage, per_page: perPage, total: lastPage * perPage };
  return JSON.stringify({ object: 'list', has_more: page < lastPage, data, meta });
}

function rowOf(index: number) {
  return {
    id: index + 1,
    object: 'exam',
    created: 1_700_000_000 + index,
    name: `Exam number ${index}`,
    name_short: `EX-${index}`,
    passing_grade: '63.00',
    start_at: '2025-03-01T01:00:00.000000Z',
    end_at: null,
  };
}

/** A delivery of 1 KiB. */
export function createDelivery(): Delivery {
  const data = {
    exam_result_id: 1,
    user_exam_id: 501,
    participant_code: 'P-0001',
    exam: { id: 1, name: 'Try out', name_short: 'TO-1' },
    exam_quiz: { id: 1, name: 'Verbal' },
    participant: { id: 1, name: 'Ana Putri', email: 'ana@example.test' },
    status: 2,
    status_label: 'Finished',
    score: 87.5,
    start_at: '2025-03-01T08:00:00+07:00',
    end_at: '2025-03-01T09:45:12+07:00',
    answers: Array.from({ length: 36 }, (_, index) => `answer ${index}`),
  };
  const event = { event: 'exam_result.completed', created_at: '2025-03-01T09:45:13+07:00', data };
  const body = Buffer.from(JSON.stringify(event));
  const secret = 'whsec_benchmark_0123456789abcdef';
  const seconds = Math.floor(Date.now() / 1_000);
  const hmac = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
  return { body, secret, signature: `t=${seconds},v1=${hmac}` };
}
