// The settings of the service in JSON.

import * as z from 'zod/mini';
import { emulatorFrameworks, emulatorStyles } from '../emulator/service/emulator-options.ts';
import { count, fields, flag, must, number, optional } from '../schema/fields.ts';

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
