// The parameters and responses of the webhook operations.

import type { WebhookEventName } from './webhook-event.ts';

/** `status` of a delivery. `delivered` is the only value that the service documents. */
export type WebhookDeliveryStatus = 'delivered';

/** A webhook endpoint, as in `GET /webhooks`. Times are ISO 8601 strings as sent. */
export interface WebhookEndpoint {
  /** Unique id, used in paths. */
  readonly id: number;
  /** HTTP or HTTPS address of the receiver. */
  readonly url: string;
  /** Description of your own, at most 255 characters. */
  readonly description: string | null;
  /** The events that it receives. */
  readonly events: readonly (WebhookEventName | (string & Record<never, never>))[];
  /** Whether it receives deliveries. */
  readonly is_active: boolean;
  /** Whether the service disabled it because deliveries kept failing. */
  readonly is_disabled_by_system: boolean;
  /** When the service disabled it; `null` while it has not. */
  readonly disabled_at: string | null;
  /** Number of failed deliveries in a row. */
  readonly consecutive_failures: number;
  /** When a delivery last succeeded, with UTC offset. */
  readonly last_success_at: string | null;
  /** When a delivery last failed, with UTC offset. */
  readonly last_failure_at: string | null;
  /** When it was created, with UTC offset. */
  readonly created_at: string;
}

/** A webhook endpoint with its signing secret, which is shown only when it is created or rotated. */
export interface CreatedWebhookEndpoint extends WebhookEndpoint {
  /** Key for `verifyWebhook`. It cannot be read again: store it now. */
  readonly secret: string;
}

/** Body of `POST /webhooks`. */
export interface WebhookCreate {
  /** Absolute http or https address of the receiver, at most 2048 characters; https is recommended. */
  readonly url: string;
  /** The events that it receives, at least one. */
  readonly events: readonly WebhookEventName[];
  /** Description of your own, at most 255 characters. */
  readonly description?: string | null | undefined;
  /**
   * Whether the endpoint receives deliveries.
   * @default true
   */
  readonly is_active?: boolean | undefined;
}

/** Changes for `PATCH /webhooks/{id}`, at least one. A field left out stays as it is. */
export interface WebhookUpdate {
  /** Absolute http or https address of the receiver, at most 2048 characters; https is recommended. */
  readonly url?: string | undefined;
  /** The events that it receives, at least one. */
  readonly events?: readonly WebhookEventName[] | undefined;
  /** Description of your own, at most 255 characters; `null` removes it. */
  readonly description?: string | null | undefined;
  /** Whether the endpoint receives deliveries. */
  readonly is_active?: boolean | undefined;
}

/** Body of `POST /webhooks/{id}/test`. */
export interface WebhookTest {
  /**
   * The event to send.
   * @default 'exam_result.completed'
   */
  readonly event?: WebhookEventName | undefined;
}

/** Response of `POST /webhooks/{id}/test`. */
export interface TestDelivery {
  /** Whether a delivery was queued. */
  readonly queued: boolean;
}

/** Query of `GET /webhooks/{id}/deliveries`. */
export interface WebhookDeliveryListQuery {
  /** Only deliveries of this event. */
  readonly event?: WebhookEventName | undefined;
  /** Only deliveries with this status. */
  readonly status?: WebhookDeliveryStatus | (string & Record<never, never>) | undefined;
  /** Page number, from 1. The service's default is 1. */
  readonly page?: number | undefined;
  /** Items per page, 1 to 100. The service's default is 25. */
  readonly per_page?: number | undefined;
}

/** A delivery with all its attempts, as in `GET /webhooks/{id}/deliveries`. */
export interface WebhookDelivery {
  /** UUID. */
  readonly id: string;
  /** Name of the event. */
  readonly event: WebhookEventName | (string & Record<never, never>);
  /** Status of the delivery; `delivered` is the only documented value. */
  readonly status: WebhookDeliveryStatus | (string & Record<never, never>);
  /** Number of delivery attempts. */
  readonly attempts: number;
  /** HTTP status of the receiver's response; `null` when it did not respond. */
  readonly response_code: number | null;
  /** Body of the receiver's response, or `null`. */
  readonly response_body: string | null;
  /** Error message, or `null`. */
  readonly error_message: string | null;
  /** The event payload that was sent: the whole body or its `data`, which of them is undocumented by the service. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** When it was delivered, with UTC offset; `null` while it is not. */
  readonly delivered_at: string | null;
  /** When the delivery was created, with UTC offset. */
  readonly created_at: string;
}
