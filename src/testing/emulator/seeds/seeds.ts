// The records that a seed may hold, as tests write them.

import type { WebhookEventName } from '../../../schemas/webhook-event.ts';

/** A participant to create; omitted fields are made up. */
export interface ParticipantSeed {
  /** Default: the next free one. */
  id?: number | undefined;
  /** Default `participant<id>@example.test`. */
  email?: string | undefined;
  /** Default `Participant <id>`. */
  name?: string | undefined;
  /** Default `password-<id>`. */
  password?: string | undefined;
  /** Default `true`. */
  active?: boolean | undefined;
  /** Whether the email is verified. Default `true`. */
  verified?: boolean | undefined;
}

/** An exam to create; omitted fields are made up. */
export interface ExamSeed {
  /** Default: the next free one. */
  id?: number | undefined;
  /** Full name. Default `Exam <id>`. */
  name?: string | undefined;
  /** Short name. Default `EX-<id>`. */
  name_short?: string | undefined;
  /** Name of `exam_quiz` in a result. Default `<name>, quiz`. */
  quiz_name?: string | undefined;
}

/** A result to create, of an existing participant and exam. It assigns them if necessary. */
export interface ResultSeed {
  /** Who took the exam. */
  participant_id: number;
  /** Which exam. */
  exam_id: number;
  /** Null for a result that has no score yet. Default 0. */
  score?: number | null | undefined;
  /** Default 2, finished: the only value that the service documents. */
  status?: number | undefined;
  /** Text label of `status`. Default: that of a finished exam. */
  status_label?: string | undefined;
  /** In milliseconds since the epoch. Default: an hour before its end. */
  start_at?: number | undefined;
  /** In milliseconds since the epoch. Default: now on the emulator's clock, or its start if that is to come. */
  end_at?: number | undefined;
}

/** A webhook endpoint to register; omitted fields are made up. */
export interface WebhookSeed {
  /** URL of the receiver. */
  url: string;
  /** Events that it receives. Default: all four. */
  events?: readonly WebhookEventName[] | undefined;
  /** Default: none. */
  description?: string | undefined;
  /** Default `true`. */
  active?: boolean | undefined;
  /** Signing secret. Default: a random one. */
  secret?: string | undefined;
}
