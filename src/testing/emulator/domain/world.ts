// The data of the service, its settings and its deliveries, as its rules and its routes are given them.

import type { DeliveryEngine } from '../deliveries/engine.ts';
import type { Settings } from '../service/emulator-options.ts';
import type { Store } from '../state/store.ts';

/** What the rules of the service work on. */
export interface World {
  readonly settings: Settings;
  readonly store: Store;
  readonly deliveries: DeliveryEngine;
}
