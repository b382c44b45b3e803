import * as z from 'zod/mini';
import { boolean, checked, id, integer, listOf, must, page, pageSize, text, webAddress } from './fields.ts';
import { emptyMap, everyField, keyedList, object, openRecord, parameters, record } from './records.ts';

/** At most so many characters, as people count them: a surrogate pair is one. */
// @__NO_SIDE_EFFECTS__
function atMost(length: number) {
  return z.refine<string>((value) => [...value].length <= length, {
    error: `must be at most ${length} characters long`,
    params: { maxLength: length },
  });
}

const url = checked(webAddress, atMost(2048));
const description = z.nullable(checked(z.string(must('be a text or null')), atMost(255)));
const events = listOf(text, 'event name');

export const webhookPath = parameters({ id });

/** POST /webhooks (interface document, Webhook endpoints). */
export const createWebhookBody = parameters({
  url,
  events,
  description: z.optional(description),
  is_active: z.optional(boolean),
});

/** PATCH /webhooks/{id}, all but the rotation of the secret, which has an operation of its own here. */
export const updateWebhookBody = checked(
  parameters({
    url: z.optional(url),
    events: z.optional(events),
    description: z.optional(description),
    is_active: z.optional(boolean),
  }),
  z.refine((changes) => Object.values(changes).some((value) => value !== undefined), {
    error: 'needs at least one of `url`, `events`, `description` and `is_active`',
    params: { minProperties: 1 },
  }),
);

/** PATCH /webhooks/{id} with nothing but a new secret. */
export const rotateSecretBody = parameters({
  rotate_secret: z.custom<true>((value) => value === true, { params: { type: 'boolean', const: true } }),
});

/** POST /webhooks/{id}/test. */
export const testWebhookBody = parameters({ event: z.optional(text) });

/** GET /webhooks/{id}/deliveries. */
export const deliveriesQuery = parameters({
  event: z.optional(text),
  status: z.optional(text),
  page: z.optional(page),
  per_page: z.optional(pageSize),
});

const plainInteger = integer({ error: 'must be an integer' });
const nullableInteger = z.nullable(integer({ error: 'must be an integer or null' }));
const plainText = z.string('must be a text');
const nullableText = z.nullable(z.string('must be a text or null'));
const plainBoolean = z.boolean('must be true or false');

// @__NO_SIDE_EFFECTS__
function endpointWith<Shape extends z.core.$ZodLooseShape>(more: Shape) {
  return record(
    {
      id: plainInteger,
      url: plainText,
      description: nullableText,
      events: z.array(plainText, 'must be a list'),
      is_active: plainBoolean,
      is_disabled_by_system: plainBoolean,
      disabled_at: nullableText,
      consecutive_failures: plainInteger,
      last_success_at: nullableText,
      last_failure_at: nullableText,
      created_at: plainText,
      ...more,
    },
    { events: keyedList },
  );
}

/** A webhook endpoint (interface document, Resources, Webhook endpoint). */
export const webhookEndpoint = endpointWith({});

/** A webhook endpoint in the answers that show its secret. */
export const webhookEndpointWithSecret = endpointWith({ secret: plainText });

const eventDescriptions = object<Record<string, string>>(
  everyField((value) => typeof value === 'string', 'must be a text', { type: 'string' }),
);

/** GET /webhooks. */
export const webhookList = record(
  {
    data: z.array(webhookEndpoint, 'must be a list'),
    meta: record(
      { available_events: eventDescriptions },
      { available_events: (value) => emptyMap(value ?? {}) },
    ),
  },
  { data: keyedList, meta: emptyMap },
);

/** A delivery (interface document, Resources, Webhook delivery). */
export const webhookDelivery = record(
  {
    id: plainText,
    event: plainText,
    status: plainText,
    attempts: plainInteger,
    response_code: nullableInteger,
    response_body: nullableText,
    error_message: nullableText,
    payload: openRecord,
    delivered_at: nullableText,
    created_at: plainText,
  },
  { payload: emptyMap },
);

/** POST /webhooks/{id}/test. */
export const testDelivery = record({ queued: plainBoolean });
