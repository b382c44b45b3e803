// A delivery attempt, as the log of an emulator holds it.

/** One request to a receiver, and its result. */
export interface DeliveryAttempt {
  /** UUID of the delivery; the same for every attempt at it. */
  readonly delivery_id: string;
  /** Id of its endpoint. */
  readonly endpoint_id: number;
  /** Name of the event. */
  readonly event: string;
  /** URL that it was sent to. */
  readonly url: string;
  /** 1 for the first attempt at this delivery. */
  readonly attempt: number;
  /** Value of `X-Cbt-Signature`. */
  readonly signature: string;
  /** Body as sent. */
  readonly body: string;
  /** When it was sent, in milliseconds since the epoch. */
  readonly sent_at: number;
  /** HTTP status of the response; null when there was none. */
  readonly response_code: number | null;
  /** Body of the response, at most 64 KiB of it; null when there was none. */
  readonly response_body: string | null;
  /** Why it was not acknowledged; null when it was. */
  readonly error_message: string | null;
}

/** What became of an attempt. */
export type AttemptResult = Pick<DeliveryAttempt, 'response_code' | 'response_body' | 'error_message'>;
