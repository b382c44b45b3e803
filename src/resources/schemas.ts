// The records of which the service documents few fields, and the schemas that check responses.

import type { RecordSchemas } from '../core/operation.ts';
import { exam } from '../schemas/exam.ts';
import { examLink } from '../schemas/exam-participant.ts';
import { examResult } from '../schemas/exam-result.ts';
import { participant } from '../schemas/participant.ts';
import { webhookDelivery, webhookEndpoint } from '../schemas/webhook.ts';
import type { SchemaOutput, StandardSchema } from '../util/standard-schema.ts';
import type { ExamLink } from './exam-participants.ts';
import type { WebhookDelivery, WebhookEndpoint } from './webhook-types.ts';

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

/** A result in a list. Its fields are undocumented by the service; describe them with the client option `schemas`. */
export interface ExamResult {
  /** The score, as in deliveries; not guaranteed. A string (`"87.50"`) is read as a number. */
  readonly score?: number | null | undefined;
  readonly [field: string]: unknown;
}

/** The type of a record: the output of its schema if there is one, otherwise the documented fields. */
export type RecordOf<Schemas, Name extends keyof RecordSchemas, Documented> = Schemas extends {
  readonly [Key in Name]: infer Schema extends StandardSchema;
}
  ? SchemaOutput<Schema>
  : Documented;

/** The schemas that check responses, as Standard Schemas, for data that you got another way, such as from a cache or a file. */
export const responseSchemas: {
  /** A participant: an object with a positive integer `id`. */
  readonly participant: StandardSchema<Participant>;
  /** An exam: an object with a positive integer `id`. */
  readonly exam: StandardSchema<Exam>;
  /** A result in the list: an object. A decimal string in `score` is read as a number. */
  readonly examResult: StandardSchema<ExamResult>;
  /** The link to an exam: an object with `url`. */
  readonly examLink: StandardSchema<ExamLink>;
  /** A webhook endpoint (`GET /webhooks`). */
  readonly webhookEndpoint: StandardSchema<WebhookEndpoint>;
  /** A delivery (`GET /webhooks/{id}/deliveries`). */
  readonly webhookDelivery: StandardSchema<WebhookDelivery>;
} = { participant, exam, examResult, examLink, webhookEndpoint, webhookDelivery };
