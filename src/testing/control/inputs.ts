// Schemas of the bodies that the control interface accepts.

import * as z from 'zod/mini';
import { webhookEventNames } from '../../schemas/webhook-event.ts';
import { isObject } from '../../util/json.ts';
import { deliveryEffects, requestEffects } from '../emulator/faults/fault.ts';
import { unknownEffect } from '../emulator/faults/strike.ts';
import { emulatorFrameworks } from '../emulator/laravel/sentences.ts';
import { operations } from '../emulator/service/operations.ts';
import { emulatorStyles } from '../emulator/service/emulator-options.ts';
import { unknownName } from '../schema/unknown-name.ts';
import { faultPresets } from '../emulator/faults/presets.ts';
import { count, event, fields, flag, id, must, number, optional, pair, score, text } from '../schema/fields.ts';

export const nothing = fields({});

/** Checked elsewhere. */
export const anything = z.unknown();

export const finishedPair = fields({ ...pair.shape, score: optional(score) });

export const rescoredResult = fields({ result_id: id, score: number });

export const participantState = fields({
  participant_id: id,
  active: optional(flag),
  verified: optional(flag),
});

export const testDelivery = fields({ endpoint_id: id, event: optional(event) });

export const endpoint = fields({ endpoint_id: id });

export const endpointState = fields({ ...endpoint.shape, active: flag });

export const delivery = fields({ delivery_id: text });

export const clientState = fields({ active: flag });

export const step = fields({ seconds: number.check(z.gte(0, 'must be 0 or more')) });

export const excerpt = fields({ last: optional(count) });

const form = z.enum(['number', 'string'], must('number or string'));
/** `null` means no limit, since JSON has no infinity. */
const limit = z.nullable(count);

export const settings = fields({
  style: optional(z.enum(emulatorStyles, must(`one of ${emulatorStyles.join(', ')}`))),
  framework: optional(z.enum(emulatorFrameworks, must(`one of ${emulatorFrameworks.join(', ')}`))),
  import_answers: optional(z.enum(['counts', 'records'], must('counts or records'))),
  unknown_records: optional(z.enum(['after-key', 'before-key'], must('after-key or before-key'))),
  requests_per_minute: optional(limit),
  decimals: optional(form),
  event_decimals: optional(form),
  ids: optional(form),
  numbers: optional(form),
  credentials: optional(z.enum(['own', 'either'], must('own or either'))),
  refused_keys: optional(z.record(z.string(), z.literal([401, 403], must('401 or 403')))),
  utc_offset: optional(z.int(must('a whole number of minutes'))),
  max_participants: optional(limit),
  max_participants_per_exam: optional(limit),
  imported_participants: optional(fields({ active: optional(flag), verified: optional(flag) })),
  disable_after_failures: optional(limit),
  retry_delays: optional(z.array(number)),
  delivery_timeout: optional(number),
});

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
