// The types of participants, exams and results, of which the service documents few fields.

/** A participant. The service documents only its `id`; describe the other fields with the client option `schemas`. */
export interface Participant {
  /** Unique id, used in paths and as `participant_id`. */
  readonly id: number;
  readonly [field: string]: unknown;
}

/** An exam. The service documents only its `id`; describe the other fields with the client option `schemas`. */
export interface Exam {
  /** Unique id, used as `exam_id`. */
  readonly id: number;
  readonly [field: string]: unknown;
}

/**
 * A result in a list. Its fields are undocumented by the service; describe them with the client option `schemas`. A
 * `score` sent as a string (`"87.50"`) is read as a number.
 */
export interface ExamResult {
  readonly [field: string]: unknown;
}
