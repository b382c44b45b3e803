import { webhookEventNames } from '../../src/schemas/webhook-event.ts';
import type { JsonSchema } from './json-schema.ts';

type Notes = Readonly<Record<string, Pick<JsonSchema, 'description' | 'default' | 'format' | 'examples'>>>;

const eventNames = [...webhookEventNames];
const TIMESTAMP = 'ISO 8601 with UTC offset';

/** Path and query parameters, by operation and name, apart from those that explain themselves. */
export const parameterNotes: Readonly<Record<string, Notes>> = {
  'participants.list': {
    page: { description: 'Page number. Not shown by the interface document.' },
    limit: { description: 'Items per page. Not shown by the interface document.' },
  },
  'participants.retrieve': { id: { description: 'The participant.', format: 'int64' } },
  'participants.update': { id: { description: 'The participant.', format: 'int64' } },
  'examParticipants.link': {
    participant_id: { description: 'The participant.' },
    exam_id: { description: 'The exam.' },
  },
  'exams.list': {
    page: { description: 'Page number.', default: 1 },
    limit: { description: 'Items per page.', default: 10 },
  },
  'exams.retrieve': { id: { description: 'The exam.' } },
  'examResults.list': {
    page: { description: 'Page number.', default: 1 },
    limit: { description: 'Items per page.', default: 10 },
    participant_id: { description: 'Only results of this participant.' },
    exam_id: { description: 'Only results of this exam.' },
  },
  'webhooks.update': { id: { description: 'The webhook endpoint.' } },
  'webhooks.delete': { id: { description: 'The webhook endpoint.' } },
  'webhooks.deliveries': {
    id: { description: 'The webhook endpoint.' },
    event: { description: 'Only deliveries of this event.', examples: eventNames },
    status: {
      description: 'Only deliveries with this status. `delivered` is the one that is documented.',
      examples: ['delivered'],
    },
    page: { description: 'Page number.', default: 1 },
    per_page: { description: 'Items per page.', default: 25 },
  },
  'webhooks.test': { id: { description: 'The webhook endpoint.' } },
};

const endpointFields: Notes = {
  url: { description: 'HTTP or HTTPS address of the receiver. HTTPS is recommended.' },
  events: { description: 'Names of the events that are delivered to it.', examples: [eventNames] },
  is_active: { description: 'Whether it gets deliveries.' },
};

const endpointWithState: Notes = {
  ...endpointFields,
  is_disabled_by_system: { description: 'Whether the service disabled it because deliveries kept failing.' },
  disabled_at: { description: TIMESTAMP },
  consecutive_failures: { description: 'Failed deliveries in a row.' },
  last_success_at: { description: TIMESTAMP },
  last_failure_at: { description: TIMESTAMP },
  created_at: { description: TIMESTAMP },
};

/** Fields of the components, by component and name, apart from those that explain themselves. */
export const fieldNotes: Readonly<Record<string, Notes>> = {
  Participant: { id: { description: 'Unique id. No other field is documented.', format: 'int64' } },
  Exam: { id: { description: 'Unique id. No other field is documented.' } },
  ExamResult: {
    score: {
      description:
        'Not shown by the interface document here; a decimal number in the payload of `exam_result.completed`.',
    },
  },
  ParticipantUpdate: { password: { description: 'Login password.' } },
  WebhookCreate: {
    ...endpointFields,
    is_active: { description: 'Whether it gets deliveries.', default: true },
  },
  WebhookUpdate: endpointFields,
  WebhookSecretRotation: { rotate_secret: { description: 'False where it is left out.' } },
  WebhookTest: {
    event: {
      description: 'What is absent or not recognised stands for `exam_result.completed`.',
      examples: eventNames,
    },
  },
  WebhookEndpoint: endpointWithState,
  WebhookEndpointWithSecret: {
    ...endpointWithState,
    secret: { description: 'Key of the signatures (`X-Cbt-Signature`). It cannot be read again.' },
  },
  WebhookDelivery: {
    id: { description: 'A UUID.', format: 'uuid' },
    status: { description: '`delivered` is the one value that is documented.' },
    attempts: { description: 'How often it was tried.' },
    response_code: { description: 'HTTP status that the receiver answered with.' },
    payload: { description: 'The body that was sent: `event`, `created_at` and `data`.' },
    delivered_at: { description: TIMESTAMP },
    created_at: { description: TIMESTAMP },
  },
};

/** @throws {Error} when a note is on something that is not there. */
export function annotate(properties: Record<string, unknown>, notes: Notes = {}, owner: string): void {
  for (const [name, note] of Object.entries(notes)) {
    const property = properties[name];
    if (property === undefined) throw new Error(`${owner} has no ${name} to describe.`);
    properties[name] = { ...property, ...note };
  }
}
