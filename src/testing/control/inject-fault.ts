import type * as z from 'zod/mini';
import { isEventName } from '../emulator/domain/events.ts';
import type { Emulator } from '../emulator/emulator-api.ts';
import type { DeliveryFault, Fault } from '../emulator/faults/fault.ts';
import { type OperationName, operations } from '../emulator/operations.ts';
import { faultPresets, isForDeliveries } from './fault-presets.ts';
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
    faults.injectDelivery({ ...what, ...often, ...(names && { on: all(names, isEventName, 'event') }) });
  } else {
    faults.inject({
      ...(what as Fault),
      ...often,
      ...(names && { on: all(names, isOperation, 'operation') }),
    });
  }
}

function isOperation(name: string): name is OperationName {
  return operations.some((operation) => operation.name === name);
}

function all<Name extends string>(
  names: readonly string[],
  isOne: (name: string) => name is Name,
  kind: string,
): Name[] {
  return names.map((name) => {
    if (isOne(name)) return name;
    throw new TypeError(`This fault cannot strike ${name}: \`on\` needs the name of an ${kind}.`);
  });
}
