import * as inputs from './inputs.ts';
import { type ControlRoute, post } from './route.ts';
import { webhook } from '../emulator/seeds/seed-schema.ts';

/** The routes of the control interface for webhook endpoints and deliveries. */
export const webhookRoutes: readonly ControlRoute[] = [
  post('/webhooks/create', 'Register a webhook endpoint', webhook, ({ control }, values) => {
    const [created] = control.seedWebhooks([values]);
    return { message: `Registered endpoint ${created?.id}.`, data: created };
  }),
  post(
    '/webhooks/state',
    'Switch a webhook endpoint on or off',
    inputs.endpointState,
    ({ control }, { endpoint_id, active }) => ({
      message: `Switched endpoint ${endpoint_id} ${active ? 'on' : 'off'}.`,
      data: control.setWebhook(endpoint_id, { active }),
    }),
  ),
  post(
    '/webhooks/delete',
    'Delete a webhook endpoint with its deliveries',
    inputs.endpoint,
    ({ control }, { endpoint_id }) => {
      control.removeWebhook(endpoint_id);
      return { message: `Deleted endpoint ${endpoint_id}.` };
    },
  ),
  post(
    '/webhooks/test',
    'Queue a test delivery',
    inputs.testDelivery,
    ({ control }, { endpoint_id, event }) => {
      control.testDelivery(endpoint_id, event);
      return { message: `Queued a test delivery to endpoint ${endpoint_id}.` };
    },
  ),
  post(
    '/deliveries/resend',
    'Send a delivery once more, now instead of when its retry is due',
    inputs.delivery,
    ({ control }, { delivery_id }) => {
      control.resend(delivery_id);
      return { message: 'Sending the delivery again.' };
    },
  ),
];
