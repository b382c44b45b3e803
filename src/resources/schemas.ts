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
 * The schemas by which answers are checked, as Standard Schemas: for data that came another way, such as from
 * a cache or a file.
 */
export const schemas: {
  /** A participant: an object with a positive integer `id`; its other fields are undocumented. */
  readonly participant: StandardSchema<Participant>;
  /** An exam: an object with a positive integer `id`; its other fields are undocumented. */
  readonly exam: StandardSchema<Exam>;
  /**
   * A result in the list: an object; its fields are undocumented. A decimal string in `score` is read as a
   * number.
   */
  readonly examResult: StandardSchema<ExamResult>;
  /** The link to an exam: an object with `url`; its body is undocumented. */
  readonly examLink: StandardSchema<ExamLink>;
  /** A webhook endpoint (interface document, Webhook endpoint). */
  readonly webhookEndpoint: StandardSchema<WebhookEndpoint>;
  /** A delivery (interface document, Webhook delivery). */
  readonly webhookDelivery: StandardSchema<WebhookDelivery>;
} = { participant, exam, examResult, examLink, webhookEndpoint, webhookDelivery };
