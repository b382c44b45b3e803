// The documentation's claims about webhook endpoints, their deliveries and what arrives at a receiver.

import { section } from './claim.ts';

/** Webhook endpoints, their deliveries, and what arrives at a receiver. */
export const webhookClaims = {
  ...section('Resources, Webhook endpoint', {
    'endpoint.fields': {
      of: 'webhooks.create',
      by: 'write',
      says: 'An endpoint has the eleven documented fields beside `secret`, of the documented types.',
    },
    'endpoint.secret': {
      of: 'webhooks.list',
      by: 'write',
      says: '`secret` is only in the answer that creates an endpoint or rotates its secret.',
    },
  }),
  ...section('Resources, Webhook delivery', {
    'delivery.fields': {
      of: 'webhooks.deliveries',
      by: 'write',
      says: 'A delivery has the ten documented fields, of the documented types.',
    },
  }),
  ...section('Resources, Response envelope of webhook operations', {
    'envelope.fields': {
      of: 'webhooks.list',
      by: 'read',
      says: 'Answers have `success`, `message` and `data`, and lists `meta`.',
    },
  }),
  ...section('Endpoints, Webhook endpoints', {
    'webhooks.events': {
      of: 'webhooks.list',
      by: 'read',
      says: '`meta.available_events` describes each event name in words.',
    },
    'create.required': {
      of: 'webhooks.create',
      by: 'write',
      says: '`url` is required, and `events` with at least one valid event name.',
    },
    'create.active': { of: 'webhooks.create', by: 'write', says: '`is_active` is true by default.' },
    'update.methods': {
      of: 'webhooks.update',
      by: 'write',
      says: 'PATCH changes an endpoint, and so does PUT.',
    },
    'update.events': {
      of: 'webhooks.update',
      by: 'write',
      says: '`events`, when sent, has at least one item, each a valid event name.',
    },
    'update.rotate': {
      of: 'webhooks.rotateSecret',
      by: 'write',
      says: '`rotate_secret: true` gives a new `secret`; an update without it shows none.',
    },
    'delete.null': { of: 'webhooks.delete', by: 'write', says: '`data` of a deletion is null.' },
    'deliveries.pagination': {
      of: 'webhooks.deliveries',
      by: 'write',
      says: '`meta.pagination` has six integers: `total`, `per_page`, `current_page`, `last_page`, `from`, `to`.',
    },
    'deliveries.event': { of: 'webhooks.deliveries', by: 'write', says: '`event` filters deliveries.' },
    'deliveries.status': { of: 'webhooks.deliveries', by: 'write', says: '`status` filters deliveries.' },
    'test.queued': {
      of: 'webhooks.test',
      by: 'write',
      says: 'A test delivery is answered with `queued: true`.',
    },
    'test.active': {
      of: 'webhooks.test',
      by: 'write',
      says: 'Only an active endpoint gets a test delivery.',
    },
    'test.default': {
      of: 'webhooks.test',
      by: 'write',
      says: 'Without an event, or with one that is not recognised, it is `exam_result.completed`.',
    },
  }),
  ...section('States and transitions, Webhook endpoint', {
    'endpoint.active': {
      of: 'webhooks.update',
      by: 'write',
      says: '`is_active` in an update makes the endpoint active or inactive.',
    },
    'endpoint.disabled': {
      of: 'webhooks.list',
      by: 'none',
      says: 'An endpoint that keeps failing may be disabled by the service, which sets `disabled_at`.',
    },
  }),
  ...section('States and transitions, Webhook delivery status', {
    'delivery.delivered': {
      of: 'webhooks.deliveries',
      by: 'delivery',
      says: 'A delivery that was acknowledged has the status `delivered`.',
    },
  }),
  ...section('Limits', {
    'deliveries.per_page': {
      of: 'webhooks.deliveries',
      by: 'write',
      says: '`per_page` is from 1 to 100, and 25 by default.',
    },
    'deliveries.page': {
      of: 'webhooks.deliveries',
      by: 'write',
      says: '`page` of deliveries is 1 by default.',
    },
    'webhooks.five': { of: 'webhooks.create', by: 'write', says: 'A project has at most five endpoints.' },
    'webhooks.url': { of: 'webhooks.create', by: 'write', says: '`url` has at most 2048 characters.' },
    'webhooks.description': {
      of: 'webhooks.create',
      by: 'write',
      says: '`description` has at most 255 characters.',
    },
    'signature.tolerance': {
      of: '',
      by: 'delivery',
      says: 'A delivery is signed with a time that is within 300 seconds of the present.',
    },
  }),
  ...section('Authentication, Webhook request signature', {
    'signature.header': {
      of: '',
      by: 'delivery',
      says: 'A delivery carries `X-Cbt-Signature`, as `t=<seconds>,v1=<hex>`.',
    },
    'signature.hmac': {
      of: '',
      by: 'delivery',
      says: '`v1` is the HMAC-SHA256 of `<t>.<raw body>` under the secret of the endpoint, in lowercase hex.',
    },
    'signature.reject': {
      of: '',
      by: 'none',
      says: 'A receiver compares in constant time, and answers 400 to a wrong or an old signature.',
    },
  }),
  ...section('Events', {
    'events.names': {
      of: 'webhooks.list',
      by: 'read',
      says: 'There are four events, two of registrations and two of results.',
    },
    'events.listed': {
      of: '',
      by: 'none',
      says: 'An endpoint gets only the events that it lists, and only while it is active.',
    },
    'events.body': {
      of: 'webhooks.deliveries',
      by: 'write',
      says: 'What is sent has `event`, `created_at` with a UTC offset, and `data`.',
    },
    'events.retry': {
      of: '',
      by: 'none',
      says: 'What is not answered with a 2xx status is sent again, after increasing delays.',
    },
    'events.recorded': {
      of: 'webhooks.deliveries',
      by: 'write',
      says: 'Deliveries are recorded, test deliveries too.',
    },
  }),
};
