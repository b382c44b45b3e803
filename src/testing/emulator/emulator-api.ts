import type { EmulatorClock } from './service/clock.ts';
import type { EmulatorControl } from './emulator-control.ts';
import type { DeliveryAttempt } from './deliveries/engine.ts';
import type { DeliveryFault, Fault, InjectedFault } from './faults/fault.ts';
import type { ReceivedRequest } from './http/request-log.ts';
import type { Filled, ServiceSettings } from './service/emulator-options.ts';
import type { EmulatorServer, ListenOptions } from './http/server.ts';
import type { EmulatorSnapshot } from './state/snapshot.ts';

/** The exam administration service in memory. */
export interface Emulator {
  /**
   * The service as a function: answers a request to any origin whose path starts with `/api/v1`. It takes the same
   * arguments as `fetch` and can replace it; a redirect is returned, not followed.
   *
   * Rejects like `fetch` when a fault breaks the connection, and with the signal's reason when the caller aborts.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * Serves HTTP in Node, by default on 127.0.0.1 and a free port: the service under `/api/v1`, and at `/` a page that
   * shows what the emulator contains.
   *
   * @throws {Error} when the port is taken
   */
  listen(options?: ListenOptions): Promise<EmulatorServer>;
  /** What happens without a request: create data, take exams, change states. */
  readonly control: EmulatorControl;
  /** Injects faults. */
  readonly faults: EmulatorFaults;
  /** The last requests received, oldest first: at most 10,000, and as many as fit into 32 MiB. */
  readonly requests: readonly ReceivedRequest[];
  /**
   * The last delivery attempts, oldest first, in the order in which they ended: at most 10,000, and as many as fit into
   * 32 MiB.
   */
  readonly deliveries: readonly DeliveryAttempt[];
  /** The key that it accepts. */
  readonly apiKey: string;
  /** The clock given in the options, or the real one. */
  readonly clock: EmulatorClock;
  /** How the emulated service behaves now: the options, and the changes of `control.configure`. */
  readonly settings: Filled<ServiceSettings>;
  /**
   * Calls `listener` immediately for everything that happens, even after a reset. A listener that throws is reported
   * on the console.
   *
   * @returns a function that unsubscribes
   */
  subscribe(listener: (activity: EmulatorActivity) => void): () => void;
  /** Resolves when no delivery attempt is in flight. It does not wait for scheduled retries. */
  settled(): Promise<void>;
  /** Everything that the emulator stores, except faults and its history. */
  snapshot(): EmulatorSnapshot;
  /**
   * Resets the emulator and loads a snapshot, which may have been converted to JSON and back. Pending deliveries are
   * resumed. If the snapshot is rejected, the emulator does not change.
   *
   * @throws {TypeError} when it is not a snapshot
   * @throws {RangeError} when its records contradict each other; the message names the record
   */
  restore(snapshot: unknown): void;
  /**
   * Clears all data, requests, deliveries, scheduled retries and faults, and reverts changed settings. Delivery attempts
   * in flight are aborted and appear nowhere. The clock and open servers stay.
   */
  reset(): void;
}

/** Faults in requests and in deliveries. The oldest matching one strikes, one at a time. */
export interface EmulatorFaults {
  /**
   * @throws {RangeError} when `times`, `rate` or a status is invalid
   * @throws {TypeError} when there is no such operation or effect, or a header or body cannot be sent
   */
  inject(fault: Fault): InjectedFault<Fault>;
  /**
   * @throws {RangeError} when `times` or `rate` is invalid
   * @throws {TypeError} when there is no such event or effect
   */
  injectDelivery(fault: DeliveryFault): InjectedFault<DeliveryFault>;
  /** Faults that may still strike, oldest first, those for requests before those for deliveries. */
  readonly waiting: readonly InjectedFault[];
  /** Removes every fault. */
  clear(): void;
}

/**
 * Something that happened in an emulator:
 * - `request`: a request was answered, or its connection broken;
 * - `delivery`: a delivery attempt ended;
 * - `change`: a record or a fault has changed.
 */
export type EmulatorActivity =
  | { readonly type: 'request'; readonly request: ReceivedRequest }
  | { readonly type: 'delivery'; readonly attempt: DeliveryAttempt }
  | { readonly type: 'change' };
