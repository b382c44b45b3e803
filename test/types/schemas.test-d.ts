// Each public type is written by hand, so that the published declarations name no library. Here the compiler
// holds them to the schemas that read and check the same things.
import type { IsEqual, OmitIndexSignature } from 'type-fest';
import type * as z from 'zod/mini';
import type {
  Assignment,
  CreatedWebhookEndpoint,
  Exam,
  ExamLink,
  ExamListQuery,
  ExamResult,
  ExamResultListQuery,
  Participant,
  ParticipantImport,
  ParticipantListQuery,
  ParticipantUpdate,
  TestDelivery,
  WebhookCreate,
  WebhookDelivery,
  WebhookDeliveryListQuery,
  WebhookEndpoint,
  WebhookTest,
  WebhookUpdate,
} from '../../src/index.ts';
import type * as exam from '../../src/schemas/exam.ts';
import type * as examParticipant from '../../src/schemas/exam-participant.ts';
import type * as examResult from '../../src/schemas/exam-result.ts';
import type * as participant from '../../src/schemas/participant.ts';
import type * as webhook from '../../src/schemas/webhook.ts';

/** A type without what a schema cannot express: `readonly`, and the names that an open string completes. */
type Plain<T> = unknown extends T
  ? T
  : T extends string
    ? string
    : T extends readonly (infer Item)[]
      ? Plain<Item>[]
      : T extends object
        ? { -readonly [Key in keyof T]: Plain<T[Key]> }
        : T;

/** What a schema documents, without the further fields that it lets through. */
type Documented<T> = T extends readonly (infer Item)[] ? Documented<Item>[] : OmitIndexSignature<T>;

type Same<Public, Schema> = IsEqual<Plain<Public>, Plain<Schema>>;
type Fits<Public, Schema> = [Public] extends [Schema] ? true : false;

export const answers: [
  participant: Same<Participant, z.output<ReturnType<typeof participant.participant>>>,
  exam: Same<Exam, z.output<ReturnType<typeof exam.exam>>>,
  examResult: Same<ExamResult, z.output<ReturnType<typeof examResult.examResult>>>,
  examLink: Same<ExamLink, z.output<ReturnType<typeof examParticipant.examLink>>>,
  webhookEndpoint: Same<WebhookEndpoint, Documented<z.output<ReturnType<typeof webhook.webhookEndpoint>>>>,
  created: Same<
    CreatedWebhookEndpoint,
    Documented<z.output<ReturnType<typeof webhook.webhookEndpointWithSecret>>>
  >,
  webhookList: Same<WebhookEndpoint[], Documented<z.output<ReturnType<typeof webhook.webhookList>>>>,
  availableEvents: Same<Record<string, string>, z.output<ReturnType<typeof webhook.availableEvents>>>,
  webhookDelivery: Same<WebhookDelivery, Documented<z.output<ReturnType<typeof webhook.webhookDelivery>>>>,
  testDelivery: Same<TestDelivery, Documented<z.output<ReturnType<typeof webhook.testDelivery>>>>,
] = [true, true, true, true, true, true, true, true, true, true];

export const parameters: [
  assignment: Same<Assignment, z.input<ReturnType<typeof examParticipant.assignment>>>,
  exams: Same<ExamListQuery, z.input<ReturnType<typeof exam.examsQuery>>>,
  examResults: Same<ExamResultListQuery, z.input<ReturnType<typeof examResult.examResultsQuery>>>,
  participants: Same<ParticipantListQuery, z.input<ReturnType<typeof participant.listQuery>>>,
  participantImport: Same<
    { participants: readonly ParticipantImport[] },
    z.input<ReturnType<typeof participant.importBody>>
  >,
  webhookCreate: Same<WebhookCreate, z.input<ReturnType<typeof webhook.createWebhookBody>>>,
  webhookUpdate: Same<WebhookUpdate, z.input<ReturnType<typeof webhook.updateWebhookBody>>>,
  webhookTest: Same<WebhookTest, z.input<ReturnType<typeof webhook.testWebhookBody>>>,
  deliveries: Same<WebhookDeliveryListQuery, z.input<ReturnType<typeof webhook.deliveriesQuery>>>,
] = [true, true, true, true, true, true, true, true, true];

// Wider schemas: a rule on several fields is checked when the call is made.
export const narrower: [
  participantUpdate: Fits<ParticipantUpdate, z.input<ReturnType<typeof participant.updateBody>>>,
] = [true];
