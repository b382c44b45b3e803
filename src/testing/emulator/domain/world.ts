import type { WebhookEventName } from '../../../schemas/webhook-event.ts';
import type { Settings } from '../service/emulator-options.ts';
import type { Store } from '../state/store.ts';

/** What the rules of the service work on: settings, data and events. */
export interface World {
  readonly settings: Settings;
  readonly store: Store;
  /** Sends an event to the subscribed endpoints. */
  announce(event: WebhookEventName, data: Readonly<Record<string, unknown>>): void;
}
