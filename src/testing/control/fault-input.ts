// A fault as JSON describes it: its schema, and how it is injected.

import * as z from 'zod/mini';
import { webhookEventNames } from '../../schemas/webhook-event.ts';
import type { Emulator } from '../emulator/emulator-api.ts';
import {
  type DeliveryFault,
  deliveryEffects,
  type Fault,
  isForDeliveries,
  requestEffects,
} from '../emulator/faults/fault.ts';
import { operationNames } from '../emulator/service/operations.ts';
import { count, described, fields, flag, must, number, optional, text } from '../schema/input-fields.ts';
import { unknownName } from '../schema/unknown-name.ts';

const TIMES = 'a whole number above 0, or null for always';
const names = [...operationNames, ...webhookEventNames];
const effects = [...Object.keys(requestEffects), ...Object.keys(deliveryEffects)];

/** Names and numbers are checked where the fault is injected, as in code. */
export const fault = fields({
  effect: described(
    optional(z.enum(effects, { error: ({ input }) => unknownName('effect', input, effects) })),
    'What goes wrong. Default: nothing but the delay.',
  ),
  on: described(
    optional(z.union([text, z.array(text)])),
    'Operations or events that it strikes. Default: all.',
    names,
  ),
  status: described(optional(number), 'Of `respond`, `html` and `redirect`. Default: 500, 200, 302.'),
  times: described(
    optional(z.nullable(z.int(must(TIMES)).check(z.gte(1, `must be ${TIMES}`)))),
    'How many it strikes; null for all. Default: 1.',
  ),
  skip: described(optional(count), 'How many pass first. Default: 0.'),
  delay: described(optional(number), 'Wait before anything else, in milliseconds.'),
  processed: described(
    optional(flag),
    'Whether the operation is carried out before its response is lost. Default: false.',
  ),
  body: described(optional(z.unknown()), 'Of `respond`: any JSON, or text.'),
  headers: described(optional(z.record(text, text)), 'Of `respond`, as JSON.'),
  to: described(optional(text), 'Where `redirect` leads.'),
} satisfies Readonly<Record<keyof Fault, z.ZodMiniType>>);

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
