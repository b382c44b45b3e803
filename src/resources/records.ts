/**
 * A participant. The interface document shows no field of it but the id (Resources, Participant); describe
 * the others with the client option `schemas`.
 */
export interface Participant {
  /** Unique id, used in paths and as `participant_id`. */
  readonly id: number;
  readonly [field: string]: unknown;
}

/**
 * An exam. The interface document shows no field of it but the id (Resources, Exam); describe the others with
 * the client option `schemas`.
 */
export interface Exam {
  /** Unique id, used as `exam_id`. */
  readonly id: number;
  readonly [field: string]: unknown;
}

/**
 * A result. The interface document shows no field of it in the list (Resources, Exam result); describe them
 * with the client option `schemas`. A `score` that the service sends as text (`"87.50"`) is read as a number.
 */
export interface ExamResult {
  readonly [field: string]: unknown;
}
