import { exam } from '../schemas/exam.ts';
import { examLink } from '../schemas/exam-participant.ts';
import { examResult } from '../schemas/exam-result.ts';
import { participant } from '../schemas/participant.ts';
import { webhookDelivery, webhookEndpoint } from '../schemas/webhook.ts';
import type { StandardSchema } from '../util/standard-schema.ts';
import type { ExamLink } from './exam-participants.ts';
import type { Exam, ExamResult, Participant } from './records.ts';
import type { WebhookDelivery, WebhookEndpoint } from './webhook-types.ts';

/**
 * The schemas that check answers, as Standard Schemas, for data that you got another way, such as from a cache or a
 * file.
 */
export const schemas: {
  /** A participant: an object with a positive integer `id`; its other fields are undocumented by the service. */
  readonly participant: StandardSchema<Participant>;
  /** An exam: an object with a positive integer `id`; its other fields are undocumented by the service. */
  readonly exam: StandardSchema<Exam>;
  /**
   * A result in the list: an object; its fields are undocumented by the service. A decimal string in `score` is read as
   * a number.
   */
  readonly examResult: StandardSchema<ExamResult>;
  /** The link to an exam: an object with `url`; its body is undocumented by the service. */
  readonly examLink: StandardSchema<ExamLink>;
  /** A webhook endpoint (`GET /webhooks`). */
  readonly webhookEndpoint: StandardSchema<WebhookEndpoint>;
  /** A delivery (`GET /webhooks/{id}/deliveries`). */
  readonly webhookDelivery: StandardSchema<WebhookDelivery>;
} = { participant, exam, examResult, examLink, webhookEndpoint, webhookDelivery };
