// A fault as JSON describes it: its schema, and how it is injected.

import * as z from 'zod/mini';
import { type WebhookEventName, webhookEventNames } from '../../schemas/webhook-event.ts';
import type { Emulator } from '../emulator/emulator-api.ts';
import { type DeliveryFault, deliveryEffects, type Fault, requestEffects } from '../emulator/faults/fault.ts';
import { faultPresets, isForDeliveries } from '../emulator/faults/presets.ts';
import { type OperationName, operations } from '../emulator/service/operations.ts';
import { count, fields, flag, must, number, optional } from '../schema/fields.ts';
import { unknownName } from '../schema/unknown-name.ts';

const aStatus = must('a status from 200 to 599');
const status = z.int(aStatus).check(z.gte(200, aStatus), z.lte(599, aStatus));

const effects = [...Object.keys(requestEffects), ...deliveryEffects];
const unknownEffect = {
  error: ({ input }: { readonly input?: unknown }) => unknownName('effect', input, effects),
};

const targets = [...operations.map(({ name }) => name), ...webhookEventNames];
const unknownTarget = {
  error: ({ input }: { readonly input?: unknown }) => unknownName('operation or event', input, targets),
};
const target = z.enum(targets, unknownTarget);

export const fault = fields({
  preset: optional(z.enum(Object.keys(faultPresets), must(`one of ${Object.keys(faultPresets).join(', ')}`))),
  on: optional(z.union([target, z.array(target)], unknownTarget)),
  skip: optional(count),
  times: optional(z.nullable(z.int(must('a whole number above 0, or null')))),
  rate: optional(number),
  delay: optional(number),
  effect: optional(z.enum(effects, unknownEffect)),
  status: optional(status),
  body: optional(z.unknown()),
  headers: optional(z.record(z.string(), z.string())),
  to: optional(z.string(must('a URL'))),
  processed: optional(flag),
});

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
  const what = { ...(preset && faultPresets[preset]), ...given, ...often } as Partial<Fault | DeliveryFault>;
  if (what.effect === undefined && !('delay' in what))
    throw new TypeError('A fault needs a preset, an effect or a delay.');
  if (isForDeliveries(what)) {
    faults.injectDelivery({ ...what, ...(names && { on: names as WebhookEventName[] }) });
  } else {
    faults.inject({ ...(what as Fault), ...(names && { on: names as OperationName[] }) });
  }
}
