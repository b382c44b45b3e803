import { webhook } from '../emulator/seeds/seed-schema.ts';
import { event, fields, flag, id, optional, text } from '../schema/input-fields.ts';
import { type ControlRoute, post } from './route.ts';

/** The routes of the control interface for webhook endpoints and deliveries. */
export const webhookRoutes: readonly ControlRoute[] = [
  post('/webhooks/create', webhook, ({ control }, values) => {
    const [created] = control.seedWebhooks([values]);
    return { message: `Registered endpoint ${created?.id}.`, data: created };
  }),
  post(
    '/webhooks/state',
    fields({ endpoint_id: id, active: flag }),
    ({ control }, { endpoint_id, active }) => ({
      message: `Switched endpoint ${endpoint_id} ${active ? 'on' : 'off'}.`,
      data: control.setWebhook(endpoint_id, { active }),
    }),
  ),
  post('/webhooks/delete', fields({ endpoint_id: id }), ({ control }, { endpoint_id }) => {
    control.removeWebhook(endpoint_id);
    return { message: `Deleted endpoint ${endpoint_id}.` };
  }),
  post(
    '/webhooks/test',
    fields({ endpoint_id: id, event: optional(event) }),
    ({ control }, { endpoint_id, event }) => {
      control.testDelivery(endpoint_id, event);
      return { message: `Queued a test delivery to endpoint ${endpoint_id}.` };
    },
  ),
  post('/deliveries/resend', fields({ delivery_id: text }), ({ control }, { delivery_id }) => {
    control.resend(delivery_id);
    return { message: 'Sending the delivery again.' };
  }),
];
