// A fault as JSON describes it: its schema, and how it is injected.

import * as z from 'zod/mini';
import { type WebhookEventName, webhookEventNames } from '../../schemas/webhook-event.ts';
import { isObject } from '../../util/json.ts';
import type { Emulator } from '../emulator/emulator-api.ts';
import { type DeliveryFault, deliveryEffects, type Fault, requestEffects } from '../emulator/faults/fault.ts';
import { faultPresets, isForDeliveries } from '../emulator/faults/presets.ts';
import { unknownEffect } from '../emulator/faults/strike.ts';
import { type OperationName, operations } from '../emulator/service/operations.ts';
import { fields, flag, must, number, optional } from '../schema/fields.ts';
import { unknownName } from '../schema/unknown-name.ts';

const aStatus = must('a status from 200 to 599');
const status = z.int(aStatus).check(z.gte(200, aStatus), z.lte(599, aStatus));

const effects = {
  error({ input }: { readonly input?: unknown }): string {
    if (isObject(input)) return unknownEffect(input);
    return requestEffects.some((name) => name === input)
      ? `must be an object such as {"type": "${input}"}`
      : unknownName('effect', input, [...requestEffects, ...deliveryEffects]);
  },
};

const requestEffect = z.discriminatedUnion(
  'type',
  [
    fields({
      type: z.literal('respond'),
      status,
      body: optional(z.unknown()),
      headers: optional(z.record(z.string(), z.string())),
    }),
    fields({ type: z.literal('html'), status: optional(status) }),
    fields({ type: z.literal('redirect'), to: z.string(must('a URL')), status: optional(status) }),
    fields({ type: z.literal(['truncate', 'reset-body', 'reset']) }),
  ],
  effects,
);

const targets = [...operations.map(({ name }) => name), ...webhookEventNames];
const unknownTarget = {
  error: ({ input }: { readonly input?: unknown }) => unknownName('operation or event', input, targets),
};
const target = z.enum(targets, unknownTarget);

export const fault = fields({
  preset: optional(z.enum(Object.keys(faultPresets), must(`one of ${Object.keys(faultPresets).join(', ')}`))),
  on: optional(z.union([target, z.array(target)], unknownTarget)),
  times: optional(z.nullable(z.int(must('a whole number above 0, or null')))),
  rate: optional(number),
  delay: optional(number),
  effect: optional(z.union([requestEffect, z.enum(deliveryEffects)], effects)),
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
  const what: Partial<Fault | DeliveryFault> = { ...(preset && faultPresets[preset]), ...given };
  if (what.effect === undefined && !('delay' in what))
    throw new TypeError('A fault needs a preset, an effect or a delay.');
  if (isForDeliveries(what)) {
    faults.injectDelivery({ ...what, ...often, ...(names && { on: names as WebhookEventName[] }) });
  } else {
    faults.inject({ ...(what as Fault), ...often, ...(names && { on: names as OperationName[] }) });
  }
}
