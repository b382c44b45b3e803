// Schemas of webhook endpoints, deliveries and their requests.

import * as z from 'zod/mini';
import { toList } from '../util/json.ts';
import { once } from '../util/once.ts';
import { suggest } from '../util/suggest.ts';
import { type MessageTemplates, ofCalls, ofLists, parameters } from './parameters.ts';
import * as fields from './service-fields.ts';
import { isDocumentedEvent, type WebhookEventName, webhookEventNames } from './webhook-event.ts';

const url = () => fields.webAddress().check(...fields.upTo(2048));
/** The type names the documented events. Any name passes: the service rejects those that it does not know. */
const event = () => fields.text() as z.ZodMiniType<WebhookEventName, string>;
const events = () => fields.nonEmptyList(event(), 'event name');
const description = () =>
  z.optional(z.nullable(z.string('must be a string or null').check(...fields.upTo(255))));

export const webhookPath = once(() => parameters({ id: fields.id() }));

/** Body of POST /webhooks. */
export const createWebhookBody = once(() =>
  parameters({
    url: url(),
    events: events(),
    description: description(),
    is_active: z.optional(fields.boolean()),
  }),
);

/** A secret is replaced by a method of its own, whose result has the new one. */
const ofUpdates: MessageTemplates = {
  ...ofCalls,
  unknown: (names, ...others) =>
    names.includes('rotate_secret')
      ? '`rotate_secret` is no change: call webhooks.rotateSecret(id), which returns the new secret'
      : ofCalls.unknown(names, ...others),
};

/** Body of PATCH /webhooks/{id}. */
export const updateWebhookBody = once(() =>
  parameters(
    {
      url: z.optional(url()),
      events: z.optional(events()),
      description: description(),
      is_active: z.optional(fields.boolean()),
    },
    ofUpdates,
    fields.check(
      (given: object) => Object.values(given).some((value) => value !== undefined),
      'needs at least one of `url`, `events`, `description` and `is_active`',
    ),
  ),
);

/** For a name that it does not know, the service would queue another event, or list no deliveries. */
const sentEvent = once(() =>
  z.string(fields.requiredOr('must be a string')).check(
    fields.check(isDocumentedEvent, (name) => {
      const meant = suggest(String(name), webhookEventNames);
      return `must be one of ${webhookEventNames.join(', ')}${meant ? ` (did you mean \`${meant}\`?)` : ''}`;
    }),
  ),
);

/** Body of POST /webhooks/{id}/test. */
export const testWebhookBody = once(() => parameters({ event: z.optional(sentEvent()) }));

/** Query of GET /webhooks/{id}/deliveries. */
export const deliveriesQuery = once(() =>
  parameters(
    {
      event: z.optional(sentEvent()),
      status: z.optional(fields.text()),
      page: fields.page(),
      per_page: fields.pageSize(),
    },
    ofLists,
  ),
);

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

/** A field that may be missing, as frameworks drop attributes that were never set. */
function orElse<T, Initial extends T>(schema: z.ZodMiniType<T>, initial: Initial) {
  return z.pipe(
    z.optional(schema),
    z.transform((value: T | undefined): T => (value === undefined ? initial : value)),
  );
}

const orNull = <T>(schema: z.ZodMiniType<T>) => orElse(z.nullable(schema), null);

const string = () => z.string('must be a string');
const stringOrNull = () => orNull(z.string('must be a string or null'));
const count = () => fields.integer('must be an integer');

const endpointFields = () => ({
  id: count(),
  url: string(),
  description: stringOrNull(),
  events: listOf(string()),
  is_active: fields.boolean(),
  is_disabled_by_system: fields.boolean(),
  disabled_at: stringOrNull(),
  consecutive_failures: count(),
  last_success_at: stringOrNull(),
  last_failure_at: stringOrNull(),
  created_at: string(),
});

/** A webhook endpoint in `data` of GET /webhooks. */
export const webhookEndpoint = once(() => fields.openObject(endpointFields()));

/** A webhook endpoint in a response that shows its secret. Fields missing from a fresh record get their initial values. */
export const webhookEndpointWithSecret = once(() =>
  fields.openObject({
    ...endpointFields(),
    is_disabled_by_system: orElse(fields.boolean(), false),
    consecutive_failures: orElse(count(), 0),
    secret: string(),
  }),
);

/** What a fresh record has in fields that the service leaves out. */
const initialValues = {
  description: null,
  is_disabled_by_system: false,
  disabled_at: null,
  consecutive_failures: 0,
  last_success_at: null,
  last_failure_at: null,
};

/** The part of such a record that cannot be read again; the rest is returned as the service sent it. */
export const shownOnce = once(() =>
  preprocess(
    (value) => ({ ...initialValues, ...Object(value) }),
    fields.openObject({ secret: fields.text() }),
  ),
);

/** `data` of GET /webhooks. */
export const webhookList = once(() => listOf(webhookEndpoint()));

/** The same where one of them is looked for. */
export const anyEndpoints = once(() => listOf(fields.openObject({})));

/** `meta.available_events` of GET /webhooks. */
export const availableEvents = once(() =>
  preprocess(emptyMap, z.catchall(z.object({}, 'must be an object'), string())),
);

/** A delivery in `data` of GET /webhooks/{id}/deliveries. */
export const webhookDelivery = once(() =>
  fields.openObject({
    id: string(),
    event: string(),
    status: string(),
    attempts: count(),
    response_code: orNull(fields.integer('must be an integer or null')),
    response_body: stringOrNull(),
    error_message: stringOrNull(),
    payload: preprocess(emptyMap, fields.openObject({})),
    delivered_at: stringOrNull(),
    created_at: string(),
  }),
);

/** `data` of POST /webhooks/{id}/test. */
export const testDelivery = once(() => fields.openObject({ queued: fields.boolean() }));
