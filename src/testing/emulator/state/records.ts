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
  /** Unique id. */
  readonly id: number;
  /** Address of the receiver. */
  readonly url: string;
  /** Null where none was given. */
  readonly description: string | null;
  /** Names of the events that it receives. */
  readonly events: readonly string[];
  /** Whether it receives deliveries. */
  readonly is_active: boolean;
  /** Whether it was disabled after too many failures. */
  readonly is_disabled_by_system: boolean;
  /** When it was disabled; null unless it is. */
  readonly disabled_at: number | null;
  /** Failed attempts since the last success. */
  readonly consecutive_failures: number;
  /** When an attempt was last acknowledged; null before. */
  readonly last_success_at: number | null;
  /** When an attempt last failed; null before. */
  readonly last_failure_at: number | null;
  /** When it was created. */
  readonly created_at: number;
  /** Signing secret. */
  readonly secret: string;
}

/** A delivery of one event to one endpoint. */
export interface DeliveryRecord {
  /** UUID. */
  readonly id: string;
  /** Its endpoint. */
  readonly endpoint_id: number;
  /** Name of the event. */
  readonly event: string;
  /** `delivered` is documented by the service; `pending` and `failed` are the emulator's own. */
  readonly status: 'pending' | 'delivered' | 'failed';
  /** Number of attempts so far. */
  readonly attempts: number;
  /** HTTP status of the last response; null when there was none. */
  readonly response_code: number | null;
  /** Body of the last response; null when there was none. */
  readonly response_body: string | null;
  /** Why the last attempt was not acknowledged; null when it was. */
  readonly error_message: string | null;
  /** The body that is sent. */
  readonly payload: {
    /** Name of the event. */
    readonly event: string;
    /** When it happened, in ISO 8601 with an offset. */
    readonly created_at: string;
    /** What happened. */
    readonly data: Readonly<Record<string, unknown>>;
  };
  /** When it was acknowledged; null before. */
  readonly delivered_at: number | null;
  /** When it was queued. */
  readonly created_at: number;
}
