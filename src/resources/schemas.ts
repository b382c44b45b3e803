// The schemas that check responses, for the caller's own use.

import type { Exam, ExamResult, Participant } from '../core/records.ts';
import { exam } from '../schemas/exam.ts';
import { examLink } from '../schemas/exam-participant.ts';
import { examResult } from '../schemas/exam-result.ts';
import { participant } from '../schemas/participant.ts';
import { webhookDelivery, webhookEndpoint } from '../schemas/webhook.ts';
import type { WebhookDelivery, WebhookEndpoint } from '../schemas/webhook-types.ts';
import type { StandardSchema } from '../util/standard-schema.ts';
import type { ExamLink } from './exam-participants.ts';

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
} = {
  get participant() {
    return participant();
  },
  get exam() {
    return exam();
  },
  get examResult() {
    return examResult();
  },
  get examLink() {
    return examLink();
  },
  get webhookEndpoint() {
    return webhookEndpoint();
  },
  get webhookDelivery() {
    return webhookDelivery();
  },
};
