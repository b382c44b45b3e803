/**
 * The emulator's data: plain objects, times in milliseconds since the epoch. A record is replaced when it changes,
 * never modified, so that one already returned stays as it was.
 */

/** A participant, with the two conditions of an assignment. */
export interface ParticipantRecord {
  /** Unique id. */
  readonly id: number;
  /** Unique; an import finds the participant by it. */
  readonly email: string;
  /** Full name. */
  readonly name: string;
  /** In no response of the service. */
  readonly password: string;
  /** Whether the participant can be assigned. */
  readonly is_active: boolean;
  /** When the email was verified; null while it is not. */
  readonly email_verified_at: number | null;
  /** When it was created. */
  readonly created_at: number;
  /** When it last changed. */
  readonly updated_at: number;
}

/** An exam. The fields other than `id` are those in the payload of `exam_result.completed`. */
export interface ExamRecord {
  /** Unique id. */
  readonly id: number;
  /** Full name. */
  readonly name: string;
  /** Short name. */
  readonly name_short: string;
  /** Name of `exam_quiz` in a result. */
  readonly quiz_name: string;
  /** When it was created. */
  readonly created_at: number;
  /** When it last changed. */
  readonly updated_at: number;
}

/** A participant's registration for an exam. */
export interface AssignmentRecord {
  /** Appears as `user_exam_id` of a result. */
  readonly id: number;
  /** Who is registered. */
  readonly participant_id: number;
  /** For which exam. */
  readonly exam_id: number;
  /** Makes the link to the exam unique. */
  readonly token: string;
  /** When the participant started; null before. */
  readonly started_at: number | null;
  /** When the participant finished; null before. */
  readonly finished_at: number | null;
}

/** A result of an exam. */
export interface ResultRecord {
  /** Appears as `exam_result_id` of a result. */
  readonly id: number;
  /** The assignment it belongs to. */
  readonly assignment_id: number;
  /** Who took the exam. */
  readonly participant_id: number;
  /** Which exam. */
  readonly exam_id: number;
  /** Numeric status; 2 is finished. */
  readonly status: number;
  /** Text label of the status. */
  readonly status_label: string;
  /** The score, unrounded; null while there is none. */
  readonly score: number | null;
  /** When the participant started. */
  readonly start_at: number;
  /** When the participant finished. */
  readonly end_at: number;
  /** When it was recorded. */
  readonly created_at: number;
  /** When it last changed. */
  readonly updated_at: number;
}

/** A webhook endpoint. */
export interface EndpointRecord {
  readonly id: number;
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly string[];
  readonly is_active: boolean;
  readonly is_disabled_by_system: boolean;
  readonly disabled_at: number | null;
  readonly consecutive_failures: number;
  readonly last_success_at: number | null;
  readonly last_failure_at: number | null;
  readonly created_at: number;
  readonly secret: string;
}

/** A delivery of one event to one endpoint. */
export interface DeliveryRecord {
  readonly id: string;
  readonly endpoint_id: number;
  readonly event: string;
  /** `delivered` is documented by the service; `pending` and `failed` are the emulator's own. */
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly response_code: number | null;
  readonly response_body: string | null;
  readonly error_message: string | null;
  readonly payload: EventPayload;
  readonly delivered_at: number | null;
  readonly created_at: number;
}

/** The body of a delivery. */
export interface EventPayload {
  readonly event: string;
  readonly created_at: string;
  readonly data: Readonly<Record<string, unknown>>;
}
