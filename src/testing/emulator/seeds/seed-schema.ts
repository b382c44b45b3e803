// A seed, the initial data of an emulator: its schema, and how its contents are made.

import * as z from 'zod/mini';
import type { EmulatorControl } from '../emulator-control.ts';
import {
  address,
  count,
  event,
  fields,
  flag,
  id,
  moment,
  must,
  optional,
  pair,
  score,
  text,
} from '../../schema/fields.ts';

/** A list, or how many to make up. */
const rows = <Row extends z.ZodMiniType>(row: Row) =>
  z.union([count, z.array(row)], { error: 'must be a list, or how many' });

export const participant = fields({
  id: optional(id),
  email: optional(text),
  name: optional(text),
  password: optional(text),
  active: optional(flag),
  verified: optional(flag),
});

export const exam = fields({
  id: optional(id),
  name: optional(text),
  name_short: optional(text),
  quiz_name: optional(text),
});

export const webhook = fields({
  url: address,
  events: optional(z.array(event)),
  description: optional(text),
  active: optional(flag),
  secret: optional(text),
});

/** The form of a seed file. */
export const seed = fields({
  participants: optional(rows(participant)),
  exams: optional(rows(exam)),
  assignments: optional(z.array(pair, must('a list'))),
  results: optional(
    z.array(
      fields({
        ...pair.shape,
        score: optional(score),
        status: optional(z.int(must('a whole number'))),
        status_label: optional(text),
        start_at: optional(moment),
        end_at: optional(moment),
      }),
      must('a list'),
    ),
  ),
  webhooks: optional(z.array(webhook, must('a list'))),
});

/**
 * Creates the contents of a seed, in the order in which they depend on each other.
 *
 * @throws {RangeError} when a row conflicts with existing data; the message names the part and the row
 */
export function seedAll(
  control: EmulatorControl,
  what: z.infer<typeof seed>,
): Record<keyof typeof what, unknown[]> {
  return {
    participants: control.seedParticipants(what.participants ?? 0),
    exams: control.seedExams(what.exams ?? 0),
    assignments: control.seedAssignments(what.assignments ?? []),
    results: control.seedResults(what.results ?? []),
    webhooks: control.seedWebhooks(what.webhooks ?? []),
  };
}
