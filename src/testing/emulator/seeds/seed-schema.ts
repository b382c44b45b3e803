// The schema of a seed, the initial data of an emulator in JSON.

import * as z from 'zod/mini';
import {
  address,
  count,
  described,
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
} from '../../schema/input-fields.ts';
import type { ExamSeed, ParticipantSeed, ResultSeed, WebhookSeed } from './seeds.ts';

/** A schema for each field that code can give, and for no other. */
type SchemasOf<Row> = { readonly [Name in keyof Row]-?: z.ZodMiniType };

/** A list, or how many to make up. */
const rows = <Row extends z.ZodMiniType>(row: Row) =>
  z.union([count, z.array(row)], { error: 'must be a list, or how many' });

const MADE_UP = 'What you leave out is made up.';

export const participant = described(
  fields({
    id: described(optional(id), 'Default: the next one.'),
    email: described(optional(text), 'Unique.'),
    name: described(optional(text), 'Full name.'),
    password: described(optional(text), 'For the login.'),
    active: described(optional(flag), 'Default: true.'),
    verified: described(optional(flag), 'Whether the email is verified. Default: true.'),
  } satisfies SchemasOf<ParticipantSeed>),
  MADE_UP,
);

export const exam = described(
  fields({
    id: described(optional(id), 'Default: the next one.'),
    name: described(optional(text), 'Full name.'),
    name_short: described(optional(text), 'Short name.'),
    quiz_name: described(optional(text), 'Name of `exam_quiz` in a result.'),
  } satisfies SchemasOf<ExamSeed>),
  MADE_UP,
);

export const webhook = fields({
  url: described(address, 'Address of the receiver.'),
  events: described(optional(z.array(event)), 'Events that it receives. Default: all.'),
  description: described(optional(text), 'Your own note.'),
  active: described(optional(flag), 'Whether the endpoint gets deliveries. Default: true.'),
  secret: described(optional(text), 'Signs the deliveries. Default: a random one.'),
} satisfies SchemasOf<WebhookSeed>);

const result = fields({
  ...pair.shape,
  score: optional(score),
  status: optional(z.int(must('a whole number'))),
  status_label: optional(text),
  start_at: optional(moment),
  end_at: optional(moment),
} satisfies SchemasOf<ResultSeed>);

/** The form of a row of each kind in JSON. In code, a time may be a `Date`. */
export const seedRows = {
  participants: participant,
  exams: exam,
  assignments: pair,
  results: result,
  webhooks: webhook,
} as const;

/** The form of a seed file. */
export const seed = fields({
  participants: described(optional(rows(participant)), 'A list, or how many to make up.'),
  exams: described(optional(rows(exam)), 'A list, or how many to make up.'),
  assignments: described(optional(z.array(pair, must('a list'))), 'A list of pairs of ids.'),
  results: described(optional(z.array(result, must('a list'))), 'A list.'),
  webhooks: described(optional(z.array(webhook, must('a list'))), 'A list.'),
});
