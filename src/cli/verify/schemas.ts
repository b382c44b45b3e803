// The documented responses of webhook operations: their schemas, and how to read their envelope.

import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../../util/json.ts';
import type { Content } from '../reply.ts';

// Stricter than what the client accepts: here it is the service that is checked, by the letter of its documentation.

const orNull = <T extends z.ZodMiniType>(schema: T) => z.nullable(schema);
const integer = z.int();
/** ISO 8601 with a UTC offset. */
const timestamp = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:?\d\d|Z)$/));

export const envelope = z.looseObject({
  success: z.boolean(),
  message: orNull(z.string()),
  data: z.union([z.looseObject({}), z.array(z.unknown()), z.null()]),
});

export const endpoint = z.looseObject({
  id: integer,
  url: z.string().check(z.regex(/^https?:/)),
  description: orNull(z.string()),
  events: z.array(z.string()).check(z.minLength(1)),
  is_active: z.boolean(),
  is_disabled_by_system: z.boolean(),
  disabled_at: orNull(timestamp),
  consecutive_failures: integer,
  last_success_at: orNull(timestamp),
  last_failure_at: orNull(timestamp),
  created_at: timestamp,
});

export const delivery = z.looseObject({
  id: z.uuid(),
  event: z.string(),
  status: z.string(),
  attempts: integer,
  response_code: orNull(integer),
  response_body: orNull(z.string()),
  error_message: orNull(z.string()),
  payload: z.looseObject({}),
  delivered_at: orNull(timestamp),
  created_at: timestamp,
});

export const payload = z.looseObject({
  event: z.string(),
  created_at: timestamp,
  data: z.looseObject({}),
});

/** `data` of `exam_result.completed`. */
export const completedResult = z.looseObject({
  exam_result_id: integer,
  user_exam_id: integer,
  participant_code: z.string(),
  exam: z.looseObject({ id: integer, name: z.string(), name_short: z.string() }),
  exam_quiz: z.looseObject({ id: integer, name: z.string() }),
  participant: z.looseObject({ id: integer, name: z.string(), email: z.string() }),
  status: integer,
  status_label: z.string(),
  score: z.number(),
  start_at: timestamp,
  end_at: timestamp,
});

export const pagination = z.looseObject({
  total: integer,
  per_page: integer,
  current_page: integer,
  last_page: integer,
  from: integer,
  to: integer,
});

/** Of a page without rows, which has no first and no last one to count. */
export const emptyPagination = z.extend(pagination, { from: orNull(integer), to: orNull(integer) });

/** The documented fields that are missing or of another type, and of which one: names only, never a value. */
export function wrongFields(schema: z.ZodMiniType, value: unknown): string[] {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return [
    ...new Set(
      issues.map(({ path, code }) => {
        const found = path.reduce<unknown>((inner, key) => Object(inner)[key], value);
        // Of the right type, but of another form.
        const isForm = code === 'invalid_format' || code === 'too_small';
        return `${path.join('.') || 'the whole value'} ${isForm ? 'is not as documented' : describeType(found)}`;
      }),
    ),
  ];
}

/** The record in `data`; without fields if there is none. */
export function rowOf({ body }: Content): JsonObject {
  const data: unknown = Object(body).data;
  return isObject(data) ? data : {};
}

/** The records of the list in `data`. */
export function rowsOf({ body }: Content): JsonObject[] {
  const data: unknown = Object(body).data;
  return Array.isArray(data) ? data.filter(isObject) : [];
}

function describeType(value: unknown): string {
  if (value === undefined) return 'is missing';
  if (value === null) return 'is null';
  if (Array.isArray(value)) return 'is a list';
  if (typeof value === 'number') return 'is not an integer';
  return typeof value === 'object' ? 'is an object' : `is a ${typeof value}`;
}
