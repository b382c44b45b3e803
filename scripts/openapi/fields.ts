// The descriptions of the fields in openapi.json.

import { webhookEventNames } from '../../src/schemas/webhook-event.ts';
import type { JsonSchema } from './json-schema.ts';

export type Notes = Readonly<Record<string, JsonSchema>>;

/** The service may add events, so their names are a hint, not an `enum`. */
export const eventName: JsonSchema = {
  type: 'string',
  description: 'Name of an event. The service may add others.',
  'x-extensible-enum': [...webhookEventNames],
};

export const timestamp = (description: string): JsonSchema => ({
  description: `${description} ISO 8601 with UTC offset.`,
  format: 'date-time',
});

export const page: Notes = { page: { description: 'Page number.', default: 1 } };
export const pages: Notes = { ...page, limit: { description: 'Items per page.', default: 10 } };
export const participantId: JsonSchema = { description: 'Unique ID of the participant.', format: 'int64' };
export const examId: JsonSchema = { description: 'Unique ID of the exam.' };
export const pair: Notes = { participant_id: participantId, exam_id: examId };
export const endpointId: Notes = { id: { description: 'Unique ID of the webhook endpoint.' } };

const account: Notes = {
  email: { description: 'Unique email address, which is also the login name.', format: 'email' },
  name: { description: 'Full name.' },
  password: { description: 'Login password.', format: 'password' },
};

const endpointFields: Notes = {
  url: { description: 'HTTP or HTTPS address of the receiver. HTTPS is recommended.' },
  events: { description: 'Names of the events to deliver.', items: eventName },
  description: { description: 'Free text, or null.' },
  is_active: { description: 'Whether events are delivered to the endpoint.' },
};

const endpointWithState: Notes = {
  ...endpointFields,
  ...endpointId,
  is_disabled_by_system: { description: 'Whether the service disabled it because deliveries kept failing.' },
  disabled_at: timestamp('When the service disabled it.'),
  consecutive_failures: { description: 'Failed deliveries in a row.' },
  last_success_at: timestamp('When a delivery was last acknowledged.'),
  last_failure_at: timestamp('When a delivery last failed.'),
  created_at: timestamp('When the endpoint was created.'),
};

/** The signing secret, in responses that show it. */
export const secret: JsonSchema = {
  type: 'string',
  description: 'Key of the signatures in `X-Cbt-Signature`. It cannot be read again.',
};

/**
 * Fields of the components, by component and name. The defaults of a body are described in words: a generator of types
 * assumes that a property with a `default` is always present.
 */
export const fieldNotes: Readonly<Record<string, Notes>> = {
  Participant: { id: { ...participantId, description: 'Unique ID. No other field is documented.' } },
  Exam: { id: { description: 'Unique ID. No other field is documented.' } },
  ExamResult: {
    score: {
      description: 'Not documented here; a decimal number in the payload of `exam_result.completed`.',
    },
  },
  Assignment: pair,
  ParticipantImport: { participants: { description: 'The participants to create or update.' } },
  ParticipantImportRow: account,
  ParticipantUpdate: {
    name: { description: 'New full name.' },
    password: { description: 'New login password.', format: 'password' },
  },
  WebhookCreate: {
    ...endpointFields,
    is_active: { description: 'Whether events are delivered to the endpoint. True if left out.' },
  },
  WebhookUpdate: {
    ...endpointFields,
    rotate_secret: { description: 'Whether to replace the signing secret. False if left out.' },
  },
  WebhookTest: {
    event: {
      ...eventName,
      description: 'The event to send. If absent or not recognised, `exam_result.completed` is sent.',
    },
  },
  WebhookEndpoint: endpointWithState,
  WebhookEndpointWithSecret: { ...endpointWithState, secret },
  WebhookDelivery: {
    id: { description: 'Unique ID of the delivery.', format: 'uuid' },
    event: eventName,
    status: {
      description: '`delivered` is the only documented value.',
      'x-extensible-enum': ['delivered'],
    },
    attempts: { description: 'Number of delivery attempts.' },
    response_code: { description: 'HTTP status returned by the receiver.' },
    response_body: { description: 'Body returned by the receiver.' },
    error_message: { description: 'Why the delivery failed, in words.' },
    payload: { description: 'The event payload that was sent.' },
    delivered_at: timestamp('When the delivery was acknowledged.'),
    created_at: timestamp('When the delivery was recorded.'),
  },
  WebhookTestDelivery: { queued: { description: 'Whether the test delivery is queued.' } },
};

/** @throws {Error} when a note is about a missing property, or a property has no description. */
export function annotate(properties: Record<string, unknown>, notes: Notes = {}, owner: string): void {
  for (const [name, note] of Object.entries(notes)) {
    const property = properties[name];
    if (property === undefined) throw new Error(`${owner} has no ${name} to describe.`);
    properties[name] = withNote(property, note);
  }
  for (const [name, property] of Object.entries(properties))
    if (!Object(property).description && !Object(property).$ref)
      throw new Error(`${owner}.${name} has no description.`);
}

/** The format applies to the string: beside `null`, it would not apply to a choice. */
function withNote(property: unknown, { format, ...note }: JsonSchema): object {
  const { anyOf, ...rest } = Object(property);
  if (format === undefined) return { ...Object(property), ...note };
  if (anyOf === undefined) return { ...rest, ...note, format };
  return {
    ...rest,
    ...note,
    anyOf: anyOf.map((option: JsonSchema) => (option.type === 'string' ? { ...option, format } : option)),
  };
}
