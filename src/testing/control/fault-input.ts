// A fault as JSON describes it: its schema, and how it is injected.

import * as z from 'zod/mini';
import type { Emulator } from '../emulator/emulator-api.ts';
import {
  type DeliveryFault,
  deliveryEffects,
  type Fault,
  isForDeliveries,
  requestEffects,
} from '../emulator/faults/fault.ts';
import { count, fields, flag, must, number, optional, text } from '../schema/input-fields.ts';
import { unknownName } from '../schema/unknown-name.ts';

const TIMES = 'a whole number above 0, or null (in a form, empty) for always';
const effects = [...Object.keys(requestEffects), ...Object.keys(deliveryEffects)];

/** Names and numbers are checked where the fault is injected, as in code. */
export const fault = fields({
  on: optional(z.union([text, z.array(text)])),
  skip: optional(count),
  times: optional(z.nullable(z.int(must(TIMES)).check(z.gte(1, `must be ${TIMES}`)))),
  delay: optional(number),
  effect: optional(z.enum(effects, { error: ({ input }) => unknownName('effect', input, effects) })),
  status: optional(number),
  body: optional(z.unknown()),
  headers: optional(z.record(text, text)),
  to: optional(text),
  processed: optional(flag),
});

/**
 * Injects a fault described in JSON. JSON has no infinity, so that `times: null` is always.
 *
 * @throws {TypeError} when the fault has no effect, or `on` names something it cannot strike
 * @throws {RangeError} when `skip` or `times` is invalid
 */
export function injectFault({ faults }: Emulator, input: z.infer<typeof fault>): void {
  const given = { ...input, ...(input.times === null && { times: Infinity }) } as Fault | DeliveryFault;
  if (isForDeliveries(given)) faults.injectDelivery(given);
  else faults.inject(given);
}
