import type { Exam, ExamResult, Participant } from '../core/records.ts';
import type { StandardSchema } from '../core/standard-schema.ts';
import { exam } from '../schemas/exam.ts';
import { examLink } from '../schemas/exam-participant.ts';
import { examResult } from '../schemas/exam-result.ts';
import { participant } from '../schemas/participant.ts';
import { webhookDelivery, webhookEndpoint } from '../schemas/webhook.ts';
import type { ExamLink } from './exam-participants.ts';
import type { WebhookDelivery, WebhookEndpoint } from './webhook-types.ts';

/**
 * The schemas by which answers are checked, as Standard Schemas: for data that came another way, such as from
 * a cache or a file.
 */
export const schemas: {
  readonly participant: StandardSchema<Participant>;
  readonly exam: StandardSchema<Exam>;
  readonly examResult: StandardSchema<ExamResult>;
  readonly examLink: StandardSchema<ExamLink>;
  readonly webhookEndpoint: StandardSchema<WebhookEndpoint>;
  readonly webhookDelivery: StandardSchema<WebhookDelivery>;
} = { participant, exam, examResult, examLink, webhookEndpoint, webhookDelivery };
