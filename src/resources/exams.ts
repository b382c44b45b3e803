// `client.exams`: lists and retrieves exams.

import type { ApiPromise } from '../core/api-promise.ts';
import { defineOperation } from '../core/operation.ts';
import type { ListOptions, RequestOptions } from '../core/options/client-options.ts';
import type { PagePromise } from '../core/pages/page.ts';
import type { Exam } from '../core/records.ts';
import { Resource } from '../core/transport.ts';
import * as schemas from '../schemas/exam.ts';

/** Query of `GET /exams`. */
export interface ExamListQuery {
  /** Page number, from 1. The service's default is 1. */
  readonly page?: number | undefined;
  /** Items per page, 1 to 100. The service's default is 10. */
  readonly limit?: number | undefined;
}

export const listExams = defineOperation({
  id: 'exams.list',
  method: 'GET',
  path: '/exams',
  request: { query: schemas.examsQuery },
  response: { kind: 'list', schema: schemas.exam, extraSchema: 'exam' },
});

export const retrieveExam = defineOperation({
  id: 'exams.retrieve',
  method: 'GET',
  path: '/exams/{id}',
  request: { path: schemas.examPath },
  response: { kind: 'record', key: 'id', schema: schemas.exam, extraSchema: 'exam' },
});

/**
 * Exams (`GET /exams`, `GET /exams/{id}`).
 * Every method can throw the errors common to all operations: `RequestValidationError` before anything is sent, 401 and 403 for the
 * key, and the errors of connection and response.
 */
export class Exams<Item = Exam> extends Resource<{ readonly exam: Item }> {
  /**
   * Lists all exams. Await it for one page, or iterate over it for every exam. `GET /exams`
   *
   * @example
   * ```ts
   * for await (const exam of client.exams.list({ limit: 100 })) console.log(exam.id);
   * ```
   */
  list(query: ExamListQuery = {}, options?: ListOptions<Item>): PagePromise<Item> {
    return this.transport.list(listExams, { query }, options);
  }

  /**
   * Reads one exam. `GET /exams/{id}`
   *
   * @throws {NotFoundError} when the service responds with 404; it does not document when it does.
   */
  retrieve(id: number, options?: RequestOptions): ApiPromise<Item> {
    return this.transport.call(retrieveExam, { path: { id } }, options);
  }
}
