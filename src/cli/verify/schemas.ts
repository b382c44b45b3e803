// The documented responses of webhook operations: their schemas, and how to read their envelope.

import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../../util/json.ts';
import type { Content } from '../reply.ts';

// Stricter than what the client accepts: here it is the service that is checked, by the letter of its documentation.

const orNull = <T extends z.ZodMiniType>(schema: T) => z.nullable(schema);
const integer = z.int();
const text = z.string();
/** ISO 8601 with a UTC offset. */
const timestamp = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:?\d\d|Z)$/));

/** Fields of one type. */
function each(schema: z.ZodMiniType, names: string): Record<string, z.ZodMiniType> {
  return Object.fromEntries(names.split(' ').map((name) => [name, schema]));
}

export const envelope = z.looseObject({
  success: z.boolean(),
  message: orNull(text),
  data: z.union([z.looseObject({}), z.array(z.unknown()), z.null()]),
});

export const endpoint = z.looseObject({
  ...each(integer, 'id consecutive_failures'),
  url: text.check(z.regex(/^https?:/)),
  description: orNull(text),
  events: z.array(text).check(z.minLength(1)),
  ...each(z.boolean(), 'is_active is_disabled_by_system'),
  ...each(orNull(timestamp), 'disabled_at last_success_at last_failure_at'),
  created_at: timestamp,
});

export const delivery = z.looseObject({
  id: z.uuid(),
  ...each(text, 'event status'),
  attempts: integer,
  response_code: orNull(integer),
  ...each(orNull(text), 'response_body error_message'),
  payload: z.looseObject({}),
  delivered_at: orNull(timestamp),
  created_at: timestamp,
});

export const payload = z.looseObject({ event: text, created_at: timestamp, data: z.looseObject({}) });

/** `data` of `exam_result.completed`. */
export const completedResult = z.looseObject({
  ...each(integer, 'exam_result_id user_exam_id status'),
  ...each(text, 'participant_code status_label'),
  exam: z.looseObject({ id: integer, ...each(text, 'name name_short') }),
  exam_quiz: z.looseObject({ id: integer, name: text }),
  participant: z.looseObject({ id: integer, ...each(text, 'name email') }),
  score: z.number(),
  ...each(timestamp, 'start_at end_at'),
});

export const pagination = z.looseObject(each(integer, 'total per_page current_page last_page from to'));

/** Of a page without rows, which has no first and no last one to count. */
export const emptyPagination = z.extend(pagination, each(orNull(integer), 'from to'));

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
