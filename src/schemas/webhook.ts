import * as z from 'zod/mini';
import {
  boolean,
  emptyMap,
  id,
  keyedList,
  must,
  page,
  pageSize,
  parameters,
  text,
  webAddress,
} from './fields.ts';

/** Characters, as people count them: a surrogate pair is one. */
const atMost = (length: number) =>
  z.refine<string>((value) => [...value].length <= length, {
    error: `must be at most ${length} characters long`,
    params: { maxLength: length },
  });

const url = webAddress.check(atMost(2048));
const description = z.nullable(z.string(must('be a text or null')).check(atMost(255)));
const events = z
  .array(text, must('be a list of event names'))
  .check(z.minLength(1, 'must hold at least one event name'));

export const webhookPath = parameters({ id });

/** POST /webhooks (interface document, Webhook endpoints). */
export const createWebhookBody = parameters({
  url,
  events,
  description: z.optional(description),
  is_active: z.optional(boolean),
});

/** PATCH /webhooks/{id}, all but the rotation of the secret, which has an operation of its own here. */
export const updateWebhookBody = parameters({
  url: z.optional(url),
  events: z.optional(events),
  description: z.optional(description),
  is_active: z.optional(boolean),
}).check(
  z.refine((changes) => Object.values(changes).some((value) => value !== undefined), {
    error: 'needs at least one of `url`, `events`, `description` and `is_active`',
    params: { minProperties: 1 },
  }),
);

/** PATCH /webhooks/{id} with nothing but a new secret. */
export const rotateSecretBody = parameters({ rotate_secret: z.literal(true) });

/** POST /webhooks/{id}/test. */
export const testWebhookBody = parameters({ event: z.optional(text) });

/** GET /webhooks/{id}/deliveries. */
export const deliveriesQuery = parameters({
  event: z.optional(text),
  status: z.optional(text),
  page: z.optional(page),
  per_page: z.optional(pageSize),
});

const integer = z.int('must be an integer');
const plainText = z.string('must be a text');
/** What may be null may also be left out: a framework drops attributes that were never set. */
const nullableText = z._default(z.nullable(z.string('must be a text or null')), null);
const nullableInteger = z._default(z.nullable(z.int('must be an integer or null')), null);

const endpointShape = {
  id: integer,
  url: plainText,
  description: nullableText,
  events: z.pipe(keyedList, z.array(plainText, 'must be a list')),
  is_active: z.boolean('must be true or false'),
  is_disabled_by_system: z.boolean('must be true or false'),
  disabled_at: nullableText,
  consecutive_failures: integer,
  last_success_at: nullableText,
  last_failure_at: nullableText,
  created_at: plainText,
};

/** A webhook endpoint (interface document, Resources, Webhook endpoint). */
export const webhookEndpoint = z.looseObject(endpointShape, 'must be an object');

/** A webhook endpoint in the answers that show its secret. */
export const webhookEndpointWithSecret = z.looseObject(
  { ...endpointShape, secret: plainText },
  'must be an object',
);

/** GET /webhooks. */
export const webhookList = z.looseObject({
  data: z.pipe(keyedList, z.array(webhookEndpoint, 'must be a list')),
  meta: z.pipe(
    emptyMap,
    z.looseObject(
      {
        available_events: z._default(
          z.pipe(emptyMap, z.record(z.string(), plainText, 'must be an object')),
          {},
        ),
      },
      'must be an object',
    ),
  ),
});

/** A delivery (interface document, Resources, Webhook delivery). */
export const webhookDelivery = z.looseObject(
  {
    id: plainText,
    event: plainText,
    status: plainText,
    attempts: integer,
    response_code: nullableInteger,
    response_body: nullableText,
    error_message: nullableText,
    payload: z.pipe(emptyMap, z.record(z.string(), z.unknown(), 'must be an object')),
    delivered_at: nullableText,
    created_at: plainText,
  },
  'must be an object',
);

/** POST /webhooks/{id}/test. */
export const testDelivery = z.looseObject(
  { queued: z.boolean('must be true or false') },
  'must be an object',
);
