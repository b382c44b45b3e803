// The records that a seed may hold, as tests write them.

import type { WebhookEventName } from '../../../schemas/webhook-event.ts';

/** A participant to create; omitted fields are made up. */
export interface ParticipantSeed {
  /** Unique id. @default the next free one */
  id?: number | undefined;
  /** Email. @default `participant<id>@example.test` */
  email?: string | undefined;
  /** Full name. @default `Participant <id>` */
  name?: string | undefined;
  /** Login password. @default `password-<id>` */
  password?: string | undefined;
  /** Whether the participant is active. @default true */
  active?: boolean | undefined;
  /** Whether the email is verified. @default true */
  verified?: boolean | undefined;
}

/** An exam to create; omitted fields are made up. */
export interface ExamSeed {
  /** Unique id. @default the next free one */
  id?: number | undefined;
  /** Full name. @default `Exam <id>` */
  name?: string | undefined;
  /** Short name. @default `EX-<id>` */
  name_short?: string | undefined;
  /** Name of `exam_quiz` in a result. @default `<name>, quiz` */
  quiz_name?: string | undefined;
}

/** A result to create, of an existing participant and exam. It assigns them if necessary. */
export interface ResultSeed {
  /** Who took the exam. */
  participant_id: number;
  /** Which exam. */
  exam_id: number;
  /** Null for a result that has no score yet. @default 0 */
  score?: number | null | undefined;
  /** Numeric status. @default 2, finished: the only value that the service documents */
  status?: number | undefined;
  /** Text label of `status`. @default that of a finished exam */
  status_label?: string | undefined;
  /** A `Date`, or ISO 8601 with a UTC offset. @default an hour before its end */
  start_at?: Date | string | undefined;
  /** A `Date`, or ISO 8601 with a UTC offset. @default now on the emulator's clock, or its start if that is to come */
  end_at?: Date | string | undefined;
}

/** A webhook endpoint to register; omitted fields are made up. */
export interface WebhookSeed {
  /** URL of the receiver. */
  url: string;
  /** Events that it receives. @default all four */
  events?: readonly WebhookEventName[] | undefined;
  /** Description of your own. @default none */
  description?: string | undefined;
  /** Whether the endpoint receives deliveries. @default true */
  active?: boolean | undefined;
  /** Signing secret. @default a random one */
  secret?: string | undefined;
}
