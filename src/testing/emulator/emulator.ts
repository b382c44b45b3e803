import type { EmulatorClock } from './clock.ts';
import { createControl, type EmulatorControl } from './control.ts';
import { type DeliveryAttempt, DeliveryEngine } from './deliveries/engine.ts';
import { seededRandom } from './domain/random.ts';
import type { DeliveryFault, Fault, InjectedFault } from './faults/fault.ts';
import { FaultQueue } from './faults/fault-queue.ts';
import { createApp } from './http/app.ts';
import type { ServiceWorld } from './http/handler.ts';
import { Log, type ReceivedRequest } from './http/request-log.ts';
import { type EmulatorOptions, resolveOptions } from './options.ts';
import type { EmulatorServer, ListenOptions } from './server.ts';
import { Store } from './state/store.ts';

/** The exam administration service in memory. */
export interface Emulator {
  /**
   * The service as a function: answers a request to any origin whose path begins with `/api/v1`. Takes what
   * `fetch` takes, so that it can stand in for it; a redirect is returned, not followed.
   *
   * Rejects like `fetch` where a fault breaks the connection, and with the signal's reason where the caller
   * aborts.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * Serves HTTP on Node, on 127.0.0.1 and a free port unless told otherwise.
   *
   * @throws Error where the port is taken
   */
  listen(options?: ListenOptions): Promise<EmulatorServer>;
  /** What no operation does: put data in place, take exams, change states. */
  readonly control: EmulatorControl;
  /** Makes things go wrong. */
  readonly faults: EmulatorFaults;
  /** The last 10,000 requests received, oldest first. */
  readonly requests: readonly ReceivedRequest[];
  /** The last 10,000 attempts to deliver an event, oldest first, in the order in which they ended. */
  readonly deliveries: readonly DeliveryAttempt[];
  /** The clock given in the options, or the real one. */
  readonly clock: EmulatorClock;
  /**
   * Resolves when no attempt at a delivery is under way. Retries that wait for their time are not waited for.
   */
  settled(): Promise<void>;
  /** Forgets all data, requests, deliveries, waiting retries and faults. The clock and open servers stay. */
  reset(): void;
}

/** Faults in requests and in deliveries. The oldest that fits strikes, one at a time. */
export interface EmulatorFaults {
  /** @throws RangeError for a number of times or a rate that can mean nothing */
  inject(fault: Fault): InjectedFault;
  /** @throws RangeError for a number of times or a rate that can mean nothing */
  injectDelivery(fault: DeliveryFault): InjectedFault;
  /** Takes every fault back. */
  clear(): void;
}

/**
 * Makes an emulator of the service, with no data in it.
 *
 * @throws TypeError or RangeError for an option that can mean nothing
 */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const settings = resolveOptions(options);
  let random = seededRandom(settings.seed);
  const faults = new FaultQueue<Fault>(() => random());
  const deliveryFaults = new FaultQueue<DeliveryFault>(() => random());
  const requests = new Log<ReceivedRequest>();
  const deliveries = new Log<DeliveryAttempt>();
  let clientActive = true;
  let world = createWorld();
  let app = createServiceApp();

  function createWorld(): ServiceWorld {
    const store = new Store();
    const takeFault = (event: string) => deliveryFaults.take(event);
    const engine = new DeliveryEngine({
      settings,
      store,
      takeFault,
      log: (attempt) => deliveries.add(attempt),
    });
    return { settings, store, deliveries: engine, announce: (event, data) => engine.announce(event, data) };
  }

  function createServiceApp() {
    return createApp(world, {
      requests,
      takeFault: (operation) => faults.take(operation),
      clientActive: () => clientActive,
    });
  }

  async function answerRequest(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    return app.fetch(request);
  }

  return {
    fetch: answerRequest,
    async listen(listenOptions) {
      const { startServer } = await import('./server.ts');
      return startServer(answerRequest, listenOptions);
    },
    control: createControl(
      () => world,
      (active) => {
        clientActive = active;
      },
    ),
    faults: {
      inject: (fault) => faults.add(fault),
      injectDelivery: (fault) => deliveryFaults.add(fault),
      clear() {
        faults.clear();
        deliveryFaults.clear();
      },
    },
    requests: requests.entries,
    deliveries: deliveries.entries,
    clock: settings.clock,
    settled: () => world.deliveries.settled(),
    reset() {
      world.deliveries.stop();
      requests.clear();
      deliveries.clear();
      faults.clear();
      deliveryFaults.clear();
      clientActive = true;
      random = seededRandom(settings.seed);
      world = createWorld();
      app = createServiceApp();
    },
  };
}
