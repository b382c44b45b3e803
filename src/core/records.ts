// The records of which the service documents few fields, and the schemas that a client may be given for them.

import type { StandardSchema } from '../util/standard-schema.ts';

/**
 * A participant. The service documents only its `id`; describe the other fields with the client option `schemas`, or unchecked with
 * `declare module 'exam-service-sdk' { interface Participant { email: string } }`.
 */
export interface Participant {
  /** Unique id, used in paths and as `participant_id`. */
  readonly id: number;
  readonly [field: string]: unknown;
}

/**
 * An exam. The service documents only its `id`; describe the other fields with the client option `schemas`, or unchecked with
 * `declare module 'exam-service-sdk' { interface Exam { name: string } }`.
 */
export interface Exam {
  /** Unique id, used as `exam_id`. */
  readonly id: number;
  readonly [field: string]: unknown;
}

/**
 * A result in a list. Its fields are undocumented by the service; describe them with the client option `schemas`, or unchecked with
 * `declare module 'exam-service-sdk' { interface ExamResult { status: number } }`.
 */
export interface ExamResult {
  /** The score, as in deliveries; not guaranteed. A string (`"87.50"`) is read as a number. */
  readonly score?: number | null | undefined;
  readonly [field: string]: unknown;
}

/** Standard Schemas for the records that the service does not document. Each receives the record as it was read. */
export interface RecordSchemas<P = unknown, E = unknown, R = unknown> {
  /**
   * Describes the records of `participants.list` and `.retrieve`.
   * @default only `id` is checked
   */
  readonly participant?: StandardSchema<P> | undefined;
  /**
   * Describes the records of `exams.list` and `.retrieve`.
   * @default only `id` is checked
   */
  readonly exam?: StandardSchema<E> | undefined;
  /**
   * Describes the records of `examResults.list`.
   * @default any object
   */
  readonly examResult?: StandardSchema<R> | undefined;
}
