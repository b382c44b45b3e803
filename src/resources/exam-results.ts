// `client.examResults`: lists the results of exams.

import { defineOperation } from '../core/operation.ts';
import type { ListOptions } from '../core/options/client-options.ts';
import type { PagePromise } from '../core/pages/page.ts';
import type { ExamResult } from '../core/records.ts';
import { Resource } from '../core/transport.ts';
import * as schemas from '../schemas/exam-result.ts';

/** Query of `GET /exam-results`. You can combine the filters. */
export interface ExamResultListQuery {
  /** Page number, from 1. The service's default is 1. */
  readonly page?: number | undefined;
  /** Items per page, 1 to 100. The service's default is 10. */
  readonly limit?: number | undefined;
  /** Only results of this participant. */
  readonly participant_id?: number | undefined;
  /** Only results of this exam. */
  readonly exam_id?: number | undefined;
}

export const listExamResults = defineOperation({
  id: 'examResults.list',
  method: 'GET',
  path: '/exam-results',
  request: { query: schemas.examResultsQuery },
  response: { kind: 'list', schema: schemas.examResult, extraSchema: 'examResult' },
});

/**
 * Exam results (`GET /exam-results`).
 * Its method can throw the errors common to all operations: `RequestValidationError` before anything is sent, 401 and 403 for the
 * key, and the errors of connection and response.
 */
export class ExamResults<Item = ExamResult> extends Resource<{ readonly examResult: Item }> {
  /**
   * Lists the results of all exams and participants, or those that match the query. Await it for one page, or iterate over it for
   * every result. `GET /exam-results`
   *
   * @example
   * ```ts
   * for await (const result of client.examResults.list({ exam_id: 7, limit: 100 })) console.log(result['score']);
   * ```
   */
  list(query: ExamResultListQuery = {}, options?: ListOptions<Item>): PagePromise<Item> {
    return this.transport.list(listExamResults, { query }, options);
  }
}
