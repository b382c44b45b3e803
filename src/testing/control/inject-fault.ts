import type * as z from 'zod/mini';
import type { WebhookEventName } from '../../schemas/webhook-event.ts';
import type { Emulator } from '../emulator/emulator-api.ts';
import type { DeliveryFault, Fault } from '../emulator/faults/fault.ts';
import type { OperationName } from '../emulator/service/operations.ts';
import { faultPresets, isForDeliveries } from '../emulator/faults/presets.ts';
import type { fault } from './inputs.ts';

/**
 * Injects a fault described in JSON: a preset, an effect or a delay.
 *
 * @throws {TypeError} when the fault has no effect, or `on` names something it cannot strike
 * @throws {RangeError} when `times` or `rate` is invalid
 */
export function injectFault({ faults }: Emulator, input: z.infer<typeof fault>): void {
  const { preset, on, times, ...given } = input;
  const names = on === undefined ? undefined : [on].flat();
  const often = times === undefined ? {} : { times: times ?? Number.POSITIVE_INFINITY };
  const what: Partial<Fault | DeliveryFault> = { ...(preset && faultPresets[preset]), ...given };
  if (what.effect === undefined && !('delay' in what))
    throw new TypeError('A fault needs a preset, an effect or a delay.');
  if (isForDeliveries(what)) {
    faults.injectDelivery({ ...what, ...often, ...(names && { on: names as WebhookEventName[] }) });
  } else {
    faults.inject({ ...(what as Fault), ...often, ...(names && { on: names as OperationName[] }) });
  }
}
