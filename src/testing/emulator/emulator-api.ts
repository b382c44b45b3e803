import type { EmulatorClock } from './clock.ts';
import type { EmulatorControl } from './control.ts';
import type { DeliveryAttempt } from './deliveries/engine.ts';
import type { DeliveryFault, Fault, InjectedFault } from './faults/fault.ts';
import type { ReceivedRequest } from './http/request-log.ts';
import type { ServiceSettings } from './options.ts';
import type { EmulatorServer, ListenOptions } from './server.ts';
import type { EmulatorSnapshot } from './state/snapshot.ts';

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
   * Serves HTTP on Node, on 127.0.0.1 and a free port unless told otherwise: the service below `/api/v1`, and
   * at `/` a page that shows what the emulator holds.
   *
   * @throws {Error} when the port is taken
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
  /** What the emulated service is like now: the options, and what `control.configure` changed. */
  readonly settings: Readonly<Required<ServiceSettings>>;
  /**
   * Calls `listener` at once for everything that happens, also after a reset.
   *
   * @returns a function that ends it
   */
  subscribe(listener: (activity: EmulatorActivity) => void): () => void;
  /**
   * Resolves when no attempt at a delivery is under way. Retries that wait for their time are not waited for.
   */
  settled(): Promise<void>;
  /** Everything that the emulator remembers, apart from faults and the lists of what happened. */
  snapshot(): EmulatorSnapshot;
  /**
   * Resets the emulator and takes over what a snapshot holds, also one that went through JSON. Deliveries that
   * were pending are taken up again. A snapshot that is refused leaves the emulator as it was.
   *
   * @throws {TypeError} when it is not a snapshot
   * @throws {RangeError} when its records contradict each other
   */
  restore(snapshot: unknown): void;
  /**
   * Forgets all data, requests, deliveries, waiting retries and faults, and takes changes of settings back. The clock
   * and open servers stay.
   */
  reset(): void;
}

/** Faults in requests and in deliveries. The oldest that fits strikes, one at a time. */
export interface EmulatorFaults {
  /** @throws {RangeError} when `times` or `rate` is invalid */
  inject(fault: Fault): InjectedFault<Fault>;
  /** @throws {RangeError} when `times` or `rate` is invalid */
  injectDelivery(fault: DeliveryFault): InjectedFault<DeliveryFault>;
  /** Those that may still strike, oldest first, the ones for requests before the ones for deliveries. */
  readonly waiting: readonly InjectedFault[];
  /** Takes every fault back. */
  clear(): void;
}

/**
 * Something that happened in an emulator:
 * - `request`: a request was answered, or its connection broken;
 * - `delivery`: an attempt to deliver an event ended;
 * - `change`: a record or a fault is no longer what it was.
 */
export type EmulatorActivity =
  | { readonly type: 'request'; readonly request: ReceivedRequest }
  | { readonly type: 'delivery'; readonly attempt: DeliveryAttempt }
  | { readonly type: 'change' };
