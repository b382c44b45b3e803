import type { WebhookEventName } from '../../../schemas/webhook-event.ts';
import type { Settings } from '../options.ts';
import type { Store } from '../state/store.ts';

/** The data for the rules of the service. */
export interface World {
  readonly settings: Settings;
  readonly store: Store;
  /** Sends an event to the subscribed endpoints. */
  announce(event: WebhookEventName, data: Readonly<Record<string, unknown>>): void;
}
