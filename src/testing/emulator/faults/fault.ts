import type { WebhookEventName } from '../../../schemas/webhook-event.ts';
import type { OperationName } from '../operations.ts';

/** Which requests a fault strikes, and how often. */
interface Occasion {
  /** How many it strikes. Default 1, the next; `Infinity` for all from now on. */
  times?: number;
  /** Chance of striking one, from 0 to 1, drawn from the emulator's seeded series. Default 1. */
  rate?: number;
}

/** Something that goes wrong with a request to the service. */
export interface Fault extends Occasion {
  /** Operations it strikes. Default: every one. */
  on?: OperationName | readonly OperationName[];
  /** Wait before anything else, in milliseconds on the emulator's clock. Default 0. */
  delay?: number;
  /** What comes instead of the answer. Default: the answer itself, after the delay. */
  effect?: FaultEffect;
  /**
   * Whether the operation is carried out before its answer is lost. Default `false`; always so where the
   * effect spoils the answer's body.
   */
  processed?: boolean;
}

/**
 * What comes instead of the answer:
 * - `respond`: this status, body (a string as it is, anything else as JSON; default empty) and headers;
 * - `html`: an HTML page, status 200 unless given;
 * - `redirect`: to this address, status 302 unless given;
 * - `truncate`: a complete response whose body is the first half of the answer;
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

/** Something that goes wrong with an attempt to deliver an event. */
export interface DeliveryFault extends Occasion {
  /** Events it strikes. Default: every one. */
  on?: WebhookEventName | readonly WebhookEventName[];
  /**
   * - `duplicate`: the same delivery is sent twice;
   * - `wrong-signature`: it is signed with a secret that is not the endpoint's;
   * - `stale-timestamp`: it is signed, rightly, ten minutes ago.
   */
  effect: 'duplicate' | 'wrong-signature' | 'stale-timestamp';
}

/** A fault that waits for its requests, or for its deliveries. */
export interface InjectedFault<Kind = Fault | DeliveryFault> {
  /** What was injected. */
  readonly fault: Kind;
  /** How often it may still strike. */
  readonly left: number;
  /** How often it has struck. */
  readonly struck: number;
  /** It strikes no more. */
  remove(): void;
}
