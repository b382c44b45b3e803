import type { SchemaOutput, StandardSchema } from '../standard-schema.ts';

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

/** Standard Schemas that describe the service's undocumented records. Each gets the record as it was read. */
export interface RecordSchemas {
  /** Describes the records of `participants.list` and `.retrieve`. Default: only `id` is checked. */
  readonly participant?: StandardSchema;
  /** Describes the records of `exams.list` and `.retrieve`. Default: only `id` is checked. */
  readonly exam?: StandardSchema;
  /** Describes the records of `examResults.list`. Default: any object. */
  readonly examResult?: StandardSchema;
}

/** The type of a record: what its schema reads when there is one, else the documented part. */
export type RecordOf<Schemas, Name extends keyof RecordSchemas, Documented> = Schemas extends {
  readonly [Key in Name]: infer Schema extends StandardSchema;
}
  ? SchemaOutput<Schema>
  : Documented;
