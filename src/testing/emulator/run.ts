// What an emulator does between two resets. A reset makes it anew, so nothing of it is left behind.

import type { DeliveryAttempt } from './deliveries/attempt.ts';
import { DeliveryEngine } from './deliveries/engine.ts';
import { createUuids } from './domain/uuid.ts';
import type { World } from './domain/world.ts';
import type { EmulatorActivity } from './emulator-api.ts';
import type { DeliveryFault, Fault } from './faults/fault.ts';
import { FaultQueue } from './faults/fault-queue.ts';
import { faultsOnDeliveries, faultsOnRequests } from './faults/kinds.ts';
import { createApp } from './http/app.ts';
import { RateLimit } from './http/rate-limit.ts';
import { Log, type ReceivedRequest } from './http/request-log.ts';
import type { Settings } from './service/emulator-options.ts';
import type { Store } from './state/store.ts';

/** What stays when an emulator is reset: whoever holds it sees the next run as well. */
export interface Lasting {
  readonly settings: Settings;
  readonly requests: ReceivedRequest[];
  readonly deliveries: DeliveryAttempt[];
  readonly emit: (activity: EmulatorActivity) => void;
}

export class Run implements World {
  readonly settings: Settings;
  readonly store: Store;
  readonly deliveries: DeliveryEngine;
  readonly faults: FaultQueue<Fault>;
  readonly deliveryFaults: FaultQueue<DeliveryFault>;
  isClientActive = true;
  readonly #requests: Log<ReceivedRequest>;
  #emit: Lasting['emit'];
  readonly #app: ReturnType<typeof createApp>;

  constructor({ settings, requests, deliveries, emit }: Lasting, store: Store) {
    const changed = () => emit({ type: 'change', request: null, attempt: null });
    const attempts = new Log(deliveries);
    this.settings = settings;
    this.store = store;
    this.faults = new FaultQueue(faultsOnRequests, changed);
    this.deliveryFaults = new FaultQueue(faultsOnDeliveries, changed);
    this.#requests = new Log(requests);
    this.#emit = emit;
    this.deliveries = new DeliveryEngine({
      settings,
      store,
      newId: createUuids(),
      takeFault: (event) => this.deliveryFaults.take(event),
      log(attempt) {
        attempts.add(attempt);
        emit({ type: 'delivery', request: null, attempt });
      },
    });
    this.#app = createApp(this, {
      requests: this.#requests,
      rateLimit: new RateLimit(settings),
      takeFault: (operation) => this.faults.take(operation),
      clientActive: () => this.isClientActive,
      onResponse: (request) => this.#emit({ type: 'request', request, attempt: null }),
    });
  }

  /** Ends what is in flight, so that it leaves no trace. */
  stop(): void {
    this.deliveries.stop();
    this.#requests.end();
    this.#emit = () => {};
  }

  async fetch(request: Request): Promise<Response> {
    return this.#app.fetch(request);
  }
}
