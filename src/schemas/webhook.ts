// Schemas of webhook endpoints, deliveries and their requests.

import * as z from 'zod/mini';
import { toList } from '../util/json.ts';
import { boolean, id, must, page, pageSize, text, webAddress } from './fields.ts';
import { parameters } from './parameters.ts';

const url = webAddress.check(z.maxLength(2048, 'must be at most 2048 characters long'));
const events = z
  .array(text, must('be a list of event names'))
  .check(z.minLength(1, 'must hold at least one event name'));
const description = z.optional(
  z.nullable(
    z.string('must be a string or null').check(z.maxLength(255, 'must be at most 255 characters long')),
  ),
);

export const webhookPath = parameters({ id });

/** Body of POST /webhooks. */
export const createWebhookBody = parameters({ url, events, description, is_active: z.optional(boolean) });

const changes = {
  url: z.optional(url),
  events: z.optional(events),
  description,
  is_active: z.optional(boolean),
};

/** Body of PATCH /webhooks/{id} without a new secret. */
export const updateWebhookBody = parameters({
  ...changes,
  rotate_secret: z.optional(z.literal(false, must('be true or false'))),
}).check(
  z.refine(
    ({ rotate_secret: _, ...given }) => Object.values(given).some((value) => value !== undefined),
    'needs at least one of `url`, `events`, `description`, `is_active` and `rotate_secret: true`',
  ),
);

/** Body of PATCH /webhooks/{id} with a new secret. */
export const rotateSecretBody = parameters({ ...changes, rotate_secret: z.literal(true) });

/** Body of POST /webhooks/{id}/test. */
export const testWebhookBody = parameters({ event: z.optional(text) });

/** Query of GET /webhooks/{id}/deliveries. */
export const deliveriesQuery = parameters({
  event: z.optional(text),
  status: z.optional(text),
  page: z.optional(page),
  per_page: z.optional(pageSize),
});

/** `z.preprocess`, which zod/mini does not have. */
function preprocess<Schema extends z.ZodMiniType>(read: (value: unknown) => unknown, schema: Schema) {
  return z.pipe(z.transform(read), schema);
}

/** A list, also in the form that PHP gives one with gaps in its indexes. */
function listOf<Item extends z.ZodMiniType>(item: Item) {
  return preprocess((value) => toList(value) ?? value, z.array(item, 'must be a list'));
}

/** PHP writes an empty map as `[]`. */
const emptyMap = (value: unknown) => (Array.isArray(value) && value.length === 0 ? {} : value);

/** A field that may be null or missing: a framework drops attributes that were never set. */
function orNull<T>(schema: z.ZodMiniType<T>) {
  return z.pipe(
    z.nullish(schema),
    z.transform((value: T | null | undefined) => value ?? null),
  );
}

const string = z.string('must be a string');
const stringOrNull = orNull(z.string('must be a string or null'));
const integer = z.int('must be an integer');
const trueOrFalse = z.boolean('must be true or false');

/** A webhook endpoint in `data` of GET /webhooks. */
export const webhookEndpoint = z.looseObject(
  {
    id: integer,
    url: string,
    description: stringOrNull,
    events: listOf(string),
    is_active: trueOrFalse,
    is_disabled_by_system: trueOrFalse,
    disabled_at: stringOrNull,
    consecutive_failures: integer,
    last_success_at: stringOrNull,
    last_failure_at: stringOrNull,
    created_at: string,
  },
  'must be an object',
);

/** A webhook endpoint in the answers that show its secret. Fields missing from a fresh record get their initial values. */
export const webhookEndpointWithSecret = z.extend(webhookEndpoint, {
  is_disabled_by_system: z._default(trueOrFalse, false),
  consecutive_failures: z._default(integer, 0),
  secret: string,
});

/** The part of such an answer that cannot be read again; the rest is returned as it came. */
export const shownOnce = z.looseObject({
  id: z
    .unknown()
    .check(z.refine((id) => (typeof id === 'string' ? /\S/.test(id) : Number.isSafeInteger(id)))),
  secret: text,
  description: z._default(z.unknown(), null),
  is_disabled_by_system: z._default(z.unknown(), false),
  disabled_at: z._default(z.unknown(), null),
  consecutive_failures: z._default(z.unknown(), 0),
  last_success_at: z._default(z.unknown(), null),
  last_failure_at: z._default(z.unknown(), null),
});

/** Answer of GET /webhooks. */
export const webhookList = z.looseObject(
  {
    data: listOf(webhookEndpoint),
    meta: preprocess(
      emptyMap,
      z.looseObject(
        {
          available_events: preprocess(
            (value) => emptyMap(value ?? {}),
            z.catchall(z.object({}, 'must be an object'), string),
          ),
        },
        'must be an object',
      ),
    ),
  },
  'must be an object',
);

/** A delivery in `data` of GET /webhooks/{id}/deliveries. */
export const webhookDelivery = z.looseObject(
  {
    id: string,
    event: string,
    status: string,
    attempts: integer,
    response_code: orNull(z.int('must be an integer or null')),
    response_body: stringOrNull,
    error_message: stringOrNull,
    payload: preprocess(emptyMap, z.looseObject({}, 'must be an object')),
    delivered_at: stringOrNull,
    created_at: string,
  },
  'must be an object',
);

/** `data` of POST /webhooks/{id}/test. */
export const testDelivery = z.looseObject({ queued: trueOrFalse }, 'must be an object');
