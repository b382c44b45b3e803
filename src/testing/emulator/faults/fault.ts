// The faults that can be injected: their types, and the effects that there are.

import type { WebhookEventName } from '../../../schemas/webhook-event.ts';
import type { EmulatorOperationName } from '../service/operations.ts';

/** A fault in a request to the service: an effect with its fields, a delay, or both. */
export interface Fault {
  /** Operations it strikes. @default all */
  on?: EmulatorOperationName | readonly EmulatorOperationName[] | undefined;
  /** How many matching requests or deliveries to pass over first. @default 0 */
  skip?: number | undefined;
  /** How many to strike; `Infinity` for all. @default 1 */
  times?: number | undefined;
  /** Wait before anything else, in milliseconds of the emulator's clock. @default 0 */
  delay?: number | undefined;
  /** What happens in place of the response. @default the response itself, after the delay */
  effect?: FaultEffect | undefined;
  /** Status of `respond`, `html` and `redirect`. @default 500, 200, 302 */
  status?: number | undefined;
  /**
   * Body of `respond`: any JSON; a string is sent as it is.
   *
   * @default `{ "message": "" }` for an error, as the service writes it, otherwise nothing
   */
  body?: unknown;
  /** Headers of `respond`. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Address that `redirect` leads to. @default `https://elsewhere.example.test/login` */
  to?: string | undefined;
  /**
   * Whether the operation is carried out before its response is lost; always so with `truncate` and `reset-body`.
   * @default false
   */
  processed?: boolean | undefined;
}

/**
 * What happens in place of a response:
 * - `respond`: a response with this `status`, and with `body` and `headers`;
 * - `html`: an HTML page;
 * - `redirect`: a redirect to the address `to`;
 * - `truncate`: the response, complete but with the first half of its body;
 * - `reset-body`: the connection breaks in the middle of the body;
 * - `reset`: the connection breaks before any response.
 */
export type FaultEffect = 'respond' | 'html' | 'redirect' | 'truncate' | 'reset-body' | 'reset';

/** A fault in a delivery attempt. */
export interface DeliveryFault extends Pick<Fault, 'skip' | 'times'> {
  /** Events it strikes. @default all */
  on?: WebhookEventName | readonly WebhookEventName[] | undefined;
  /** What is wrong with the delivery. */
  effect: DeliveryFaultEffect;
}

/**
 * What is wrong with a delivery:
 * - `duplicate`: it is sent twice;
 * - `wrong-signature`: it is signed with a secret that is not the endpoint's;
 * - `stale-timestamp`: it is signed correctly, but ten minutes ago.
 */
export type DeliveryFaultEffect = 'duplicate' | 'wrong-signature' | 'stale-timestamp';

/** The fields that go with some effects. */
export const effectFields = ['status', 'body', 'headers', 'to'] as const;

export type EffectField = (typeof effectFields)[number];

/** Every effect on requests, with the fields that go with it. */
export const requestEffects: Readonly<Record<FaultEffect, readonly EffectField[]>> = {
  respond: ['status', 'body', 'headers'],
  html: ['status'],
  redirect: ['status', 'to'],
  truncate: [],
  'reset-body': [],
  reset: [],
};

/** Every effect on deliveries. None has a field. */
export const deliveryEffects: Readonly<Record<DeliveryFaultEffect, readonly EffectField[]>> = {
  duplicate: [],
  'wrong-signature': [],
  'stale-timestamp': [],
};

/** Whether a fault strikes deliveries instead of requests. */
export function isForDeliveries(fault: Partial<Fault | DeliveryFault>): fault is DeliveryFault {
  return fault.effect !== undefined && Object.hasOwn(deliveryEffects, fault.effect);
}

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
