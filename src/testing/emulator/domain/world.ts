// The data of the service, its settings and its deliveries, as its rules and its routes are given them.

import type { WebhookEventName } from '../../../schemas/webhook-event.ts';
import type { Settings } from '../service/emulator-options.ts';
import type { DeliveryRecord, EndpointRecord } from '../state/records.ts';
import type { Store } from '../state/store.ts';

type Data = Readonly<Record<string, unknown>>;

/** What the rules of the service work on: settings, data and deliveries. */
export interface World {
  readonly settings: Settings;
  readonly store: Store;
  readonly deliveries: Deliveries;
}

/** Sends events to endpoints. */
export interface Deliveries {
  /** Sends an event to every active endpoint that is subscribed to it. */
  announce(event: WebhookEventName, data: Data): void;
  /** Sends an event to one endpoint. */
  queue(endpoint: EndpointRecord, event: WebhookEventName, data: Data): void;
  /**
   * Sends a delivery once more.
   *
   * @throws {Error} when an attempt at it is in flight
   */
  resend(delivery: DeliveryRecord): void;
}
