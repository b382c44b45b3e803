// The schema of a seed, the initial data of an emulator in JSON.

import * as z from 'zod/mini';
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
} from '../../schema/input-fields.ts';
import type { ExamSeed, ParticipantSeed, ResultSeed, WebhookSeed } from './seeds.ts';

/** A schema for each field that code can give, and for no other. */
type SchemasOf<Row> = { readonly [Name in keyof Row]-?: z.ZodMiniType };

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
} satisfies SchemasOf<ParticipantSeed>);

export const exam = fields({
  id: optional(id),
  name: optional(text),
  name_short: optional(text),
  quiz_name: optional(text),
} satisfies SchemasOf<ExamSeed>);

export const webhook = fields({
  url: address,
  events: optional(z.array(event)),
  description: optional(text),
  active: optional(flag),
  secret: optional(text),
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
  participants: optional(rows(participant)),
  exams: optional(rows(exam)),
  assignments: optional(z.array(pair, must('a list'))),
  results: optional(z.array(result, must('a list'))),
  webhooks: optional(z.array(webhook, must('a list'))),
});
