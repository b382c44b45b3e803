import { endpointId, eventName, page } from '../fields.ts';
import { receiver } from '../samples.ts';
import type { Group } from './group.ts';

/** What openapi.json says of the operations of webhook endpoints. */
export const webhooks: Group = {
  'webhooks.list': {
    summary: 'List the webhook endpoints and the available events',
    description: '`meta.available_events` describes each event that an endpoint may subscribe to.',
    success: 'The endpoints, without their secrets.',
    example: { send: 'GET /webhooks' },
  },
  'webhooks.availableEvents': {
    summary: 'List the available events',
    description: 'Each event with its description.',
    success: 'The events by name.',
  },
  'webhooks.create': {
    summary: 'Register a webhook endpoint',
    description: 'A project may have at most five.',
    success: 'The endpoint with its signing secret, which cannot be read again.',
    example: { send: 'POST /webhooks', body: { ...receiver, description: 'Results' } },
  },
  'webhooks.update': {
    summary: 'Change a webhook endpoint, or replace its secret',
    description:
      'Fields that are left out stay as they are. `rotate_secret: true` replaces the signing secret as well. PUT does the same.',
    success: 'The endpoint, with its secret where that was replaced.',
    fields: endpointId,
    example: { send: 'PATCH /webhooks/1', body: { description: 'Results of the spring exams' } },
  },
  'webhooks.rotateSecret': {
    summary: 'Replace the signing secret',
    description: 'Deliveries are signed with the new secret from then on.',
    success: 'The endpoint with its new secret.',
  },
  'webhooks.delete': {
    summary: 'Remove a webhook endpoint',
    description: 'Nothing more is delivered to it.',
    success: 'The endpoint is removed.',
    fields: endpointId,
    example: { send: 'DELETE /webhooks/1' },
  },
  'webhooks.deliveries': {
    summary: 'List what was delivered to an endpoint',
    description: 'The history of deliveries, with the number of attempts and the response of the receiver.',
    success: 'A page of deliveries.',
    fields: {
      ...endpointId,
      ...page,
      event: { ...eventName, description: 'Only deliveries of this event.' },
      status: {
        description: 'Only deliveries with this status. `delivered` is the only documented value.',
        'x-extensible-enum': ['delivered'],
      },
      per_page: { description: 'Items per page.', default: 25 },
    },
    example: { send: 'GET /webhooks/1/deliveries' },
  },
  'webhooks.test': {
    summary: 'Send a test delivery',
    description: 'The endpoint must be active.',
    success: 'The delivery is queued.',
    fields: endpointId,
    example: { send: 'POST /webhooks/1/test', body: { event: 'exam_result.completed' } },
  },
};
