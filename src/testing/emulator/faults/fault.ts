// The types of the faults that can be injected.

import type { WebhookEventName } from '../../../schemas/webhook-event.ts';
import type { OperationName } from '../service/operations.ts';

/** Which requests a fault strikes, and how often. */
interface Occasion {
  /** How many times it strikes. Default 1; `Infinity` for always. */
  times?: number | undefined;
  /** Probability of striking, from 0 to 1, drawn from the emulator's seeded random numbers. Default 1. */
  rate?: number | undefined;
}

/** A fault in a request to the service. */
export interface Fault extends Occasion {
  /** Operations it strikes. Default: all. */
  on?: OperationName | readonly OperationName[] | undefined;
  /** Wait before anything else, in milliseconds of the emulator's clock. Default 0. */
  delay?: number | undefined;
  /** What to send instead of the response. Default: the response itself, after the delay. */
  effect?: FaultEffect | undefined;
  /**
   * Whether the operation is carried out before its response is lost. Default `false`; always true for effects that
   * corrupt the response's body.
   */
  processed?: boolean | undefined;
}

/**
 * What to send instead of the response:
 * - `respond`: this status, body (a string as is, anything else as JSON) and headers; without a body, an error has the JSON of the
 *   service, with an empty message, and anything else nothing;
 * - `html`: an HTML page, with status 200 by default;
 * - `redirect`: a redirect to this address, with status 302 by default;
 * - `truncate`: a complete response whose body is the first half of the response;
 * - `reset-body`: the connection breaks in the middle of the body;
 * - `reset`: the connection breaks before any response.
 */
export type FaultEffect =
  | { type: 'respond'; status: number; body?: unknown; headers?: Readonly<Record<string, string>> }
  | { type: 'html'; status?: number }
  | { type: 'redirect'; to: string; status?: number }
  | { type: 'truncate' }
  | { type: 'reset-body' }
  | { type: 'reset' };

/** A fault in a delivery attempt. */
export interface DeliveryFault extends Occasion {
  /** Events it strikes. Default: all. */
  on?: WebhookEventName | readonly WebhookEventName[] | undefined;
  /**
   * - `duplicate`: the same delivery is sent twice;
   * - `wrong-signature`: it is signed with a secret that is not the endpoint's;
   * - `stale-timestamp`: it is signed correctly, but ten minutes ago.
   */
  effect: 'duplicate' | 'wrong-signature' | 'stale-timestamp';
}

/** What there is to send instead of a response. */
export const requestEffects = [
  'respond',
  'html',
  'redirect',
  'truncate',
  'reset-body',
  'reset',
] as const satisfies readonly FaultEffect['type'][];

/** What there is to change about a delivery. */
export const deliveryEffects = [
  'duplicate',
  'wrong-signature',
  'stale-timestamp',
] as const satisfies readonly DeliveryFault['effect'][];

/** An injected fault in requests or deliveries. */
export interface InjectedFault<Kind = Fault | DeliveryFault> {
  /** The fault. */
  readonly fault: Kind;
  /** How often it may still strike. */
  readonly left: number;
  /** How often it has struck. */
  readonly struck: number;
  /** Removes the fault. */
  remove(): void;
}
