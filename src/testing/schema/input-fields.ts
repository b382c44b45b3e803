// Schemas of single fields in input for the emulator, with their messages.

import * as z from 'zod/mini';
import { webhookEventNames } from '../../schemas/webhook-event.ts';
import { parseTime } from '../../util/iso-time.ts';
import { unknownName } from './unknown-name.ts';

/** Messages that name the rule. Those of zod would require its locale. */
export const must = (rule: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? 'is missing' : `must be ${rule}`,
});

export const id = z.int(must('a whole number above 0')).check(z.gte(1, 'must be a whole number above 0'));
export const count = z
  .int(must('a whole number of 0 or more'))
  .check(z.gte(0, 'must be a whole number of 0 or more'));
export const number = z.number(must('a number'));
/** Null for a result that has none yet. */
export const score = z.nullable(number);
export const flag = z.boolean(must('true or false'));
export const text = z.string(must('a string'));
export const address = z.url({ protocol: /^https?$/, ...must('an http or https URL') });
export const event = z.enum(webhookEventNames, must('the name of an event'));
const aTime = must('a time like 2025-03-01T08:00:00+07:00');
/** A time as written in JSON. */
export const moment = z.string(aTime).check(z.refine((written) => parseTime(written) !== undefined, aTime));

export const optional = z.exactOptional;

/** The schema with a sentence about it, for the console and the document, and the words to choose from. */
export function described<Schema extends z.ZodMiniType>(
  schema: Schema,
  description: string,
  examples?: readonly string[],
): Schema {
  return schema.check(z.meta({ description, ...(examples && { examples }) }));
}

/** An object with these fields and no others. */
export function fields<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? unknownName('field', issue.keys[0], known) : 'must be an object',
  });
}

export const participantId = described(id, 'Id of the participant.');

/** A participant and an exam. */
export const pair = fields({ participant_id: participantId, exam_id: described(id, 'Id of the exam.') });
