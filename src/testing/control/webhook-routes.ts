// The routes of the control interface for webhook endpoints and deliveries.

import { webhook } from '../emulator/seeds/seed-schema.ts';
import { described, event, fields, flag, id, optional, text } from '../schema/input-fields.ts';
import { type ControlRoute, post, postLosingData } from './route.ts';

const endpoint_id = described(id, 'Id of the endpoint.');
const testDelivery = fields({
  endpoint_id,
  event: described(optional(event), 'Default: `exam_result.completed`.'),
});
const newState = fields({ endpoint_id, active: described(flag, 'Whether the endpoint gets deliveries.') });
const endpoint = described(fields({ endpoint_id }), 'Its deliveries are deleted as well.');
const delivery = fields({ delivery_id: described(text, 'UUID of the delivery.') });

export const webhookRoutes: readonly ControlRoute[] = [
  post('/webhooks/create', 'Add an endpoint', webhook, ({ control }, values) => {
    const [created] = control.seedWebhooks([values]);
    return { message: `Registered endpoint ${created?.id}.`, data: created };
  }),
  post('/webhooks/test', 'Send a test delivery', testDelivery, ({ control }, { endpoint_id, event }) => {
    control.testDelivery(endpoint_id, event);
    return { message: `Queued a test delivery to endpoint ${endpoint_id}.` };
  }),
  post('/webhooks/state', 'Switch the endpoint', newState, ({ control }, { endpoint_id, active }) => ({
    message: `Switched endpoint ${endpoint_id} ${active ? 'on' : 'off'}.`,
    data: control.setWebhook(endpoint_id, { active }),
  })),
  postLosingData('/webhooks/delete', 'Delete the endpoint', endpoint, ({ control }, { endpoint_id }) => {
    control.removeWebhook(endpoint_id);
    return { message: `Deleted endpoint ${endpoint_id}.` };
  }),
  post('/deliveries/resend', 'Send again', delivery, ({ control }, { delivery_id }) => {
    control.resend(delivery_id);
    return { message: 'Sending the delivery again.' };
  }),
];
