// The parameters and responses of the webhook operations.

import type { LiteralUnion } from 'type-fest';
import type { WebhookEventName } from '../schemas/webhook-event.ts';

/** `status` of a delivery. `delivered` is the only value that the service documents. */
export type WebhookDeliveryStatus = 'delivered';

/** A webhook endpoint, as in `GET /webhooks`. Times are ISO 8601 strings as sent. */
export interface WebhookEndpoint {
  /** Unique id, used in paths. */
  id: number;
  /** HTTP or HTTPS address of the receiver. */
  url: string;
  /** Description of your own, at most 255 characters. */
  description: string | null;
  /** The events that it receives. */
  events: LiteralUnion<WebhookEventName, string>[];
  /** Whether it receives deliveries. */
  is_active: boolean;
  /** Whether the service disabled it because deliveries kept failing. */
  is_disabled_by_system: boolean;
  /** When the service disabled it; `null` while it has not. */
  disabled_at: string | null;
  /** Number of failed deliveries in a row. */
  consecutive_failures: number;
  /** When a delivery last succeeded, with UTC offset. */
  last_success_at: string | null;
  /** When a delivery last failed, with UTC offset. */
  last_failure_at: string | null;
  /** When it was created, with UTC offset. */
  created_at: string;
  /** Any further fields that the service sends. */
  [field: string]: unknown;
}

/** A webhook endpoint with its signing secret, which is shown only when it is created. */
export interface CreatedWebhookEndpoint extends WebhookEndpoint {
  /** Key for `verifyWebhook`. It cannot be read again: store it now. */
  secret: string;
}

/** The result of `webhooks.ensure`. */
export type EnsuredWebhook = {
  /** The endpoint as the service has it now. */
  readonly endpoint: WebhookEndpoint;
} & (
  | {
      /** Whether this call registered the endpoint. */
      readonly created: true;
      /** The signing secret. It cannot be read again: store it now. */
      readonly secret: string;
    }
  | {
      /** Whether this call registered the endpoint. */
      readonly created: false;
      /** The endpoint existed, or another process registered it at the same moment: its secret cannot be read. */
      readonly secret: null;
    }
);

/** Response of `GET /webhooks`. */
export interface WebhookList {
  /** The endpoints, without their secrets. */
  data: WebhookEndpoint[];
  /** Metadata of the list. */
  meta: {
    /** Each event that you can subscribe to, with its description. */
    available_events: Record<string, string>;
    [field: string]: unknown;
  };
}

/** Body of `POST /webhooks`. */
export interface WebhookCreate {
  /** Absolute http or https address of the receiver, at most 2048 characters; https is recommended. */
  readonly url: string;
  /** At least one event. */
  readonly events: readonly LiteralUnion<WebhookEventName, string>[];
  /** At most 255 characters. */
  readonly description?: string | null | undefined;
  /** @default true */
  readonly is_active?: boolean | undefined;
}

/** Changes for `PATCH /webhooks/{id}`, at least one. */
export type WebhookUpdate = Partial<WebhookCreate> & {
  /** Whether to replace the signing secret; the response then shows the new one. @default false */
  readonly rotate_secret?: boolean | undefined;
} & (
    | { [Field in keyof WebhookCreate]-?: Pick<Required<WebhookCreate>, Field> }[keyof WebhookCreate]
    | {
        /** Replaces the signing secret; the response shows the new one. */
        readonly rotate_secret: true;
      }
  );

/** Body of `POST /webhooks/{id}/test`. */
export interface WebhookTest {
  /** The event to send. The service's default is `exam_result.completed`. */
  readonly event?: LiteralUnion<WebhookEventName, string> | undefined;
}

/** Response of `POST /webhooks/{id}/test`. */
export interface TestDelivery {
  /** Whether a delivery was queued. */
  queued: boolean;
  [field: string]: unknown;
}

/** Query of `GET /webhooks/{id}/deliveries`. */
export interface WebhookDeliveryListQuery {
  /** Only deliveries of this event. */
  readonly event?: LiteralUnion<WebhookEventName, string> | undefined;
  /** Only deliveries with this status. */
  readonly status?: LiteralUnion<WebhookDeliveryStatus, string> | undefined;
  /** Page number, from 1. The service's default is 1. */
  readonly page?: number | undefined;
  /** Items per page, 1 to 100. The service's default is 25. */
  readonly per_page?: number | undefined;
}

/** A delivery with all its attempts, as in `GET /webhooks/{id}/deliveries`. */
export interface WebhookDelivery {
  /** UUID. */
  id: string;
  /** Name of the event. */
  event: LiteralUnion<WebhookEventName, string>;
  /** Status of the delivery; `delivered` is the only documented value. */
  status: LiteralUnion<WebhookDeliveryStatus, string>;
  /** Number of delivery attempts. */
  attempts: number;
  /** HTTP status of the receiver's response; `null` when it did not respond. */
  response_code: number | null;
  /** Body of the receiver's response, or `null`. */
  response_body: string | null;
  /** Error message, or `null`. */
  error_message: string | null;
  /** The event payload that was sent: the whole body or its `data`, which of them is undocumented by the service. */
  payload: Record<string, unknown>;
  /** When it was delivered, with UTC offset; `null` while it is not. */
  delivered_at: string | null;
  /** When the delivery was created, with UTC offset. */
  created_at: string;
  [field: string]: unknown;
}
