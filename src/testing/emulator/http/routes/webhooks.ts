import {
  createEndpoint,
  queueTestDelivery,
  requireEndpoint,
  updateEndpoint,
} from '../../domain/endpoints.ts';
import { availableEvents } from '../../domain/events.ts';
import type { World } from '../../domain/world.ts';
import { deliveryRow, endpointRow } from '../../laravel/styles/rows.ts';
import { envelope } from '../../laravel/styles/styles.ts';
import type { DeliveryRecord, EndpointRecord } from '../../state/records.ts';
import { deliveriesForm, endpointChangesForm, endpointForm, testForm } from './forms.ts';
import { type Handlers, idIn, inputOf, jsonResponse, listResponse } from './handler.ts';

/**
 * The webhook operations. Undocumented by the service and so chosen here: 201 for a creation, 202 for a test delivery and
 * 200 otherwise, and deliveries in the order of `latest()`.
 */
export function webhookHandlers(world: World): Handlers<'webhooks'> {
  const { settings, store } = world;
  const withSecret = (endpoint: EndpointRecord) => ({
    ...endpointRow(settings, endpoint),
    secret: endpoint.secret,
  });
  return {
    'webhooks.list': () => {
      const rows = store.endpoints.rows.map((endpoint) => endpointRow(settings, endpoint));
      const meta = { available_events: availableEvents };
      return jsonResponse({ success: true, message: null, data: rows, meta });
    },
    'webhooks.create': async (c) => {
      const endpoint = createEndpoint(world, await inputOf(c, endpointForm));
      return jsonResponse(envelope.acknowledgement('Webhook created.', withSecret(endpoint)), 201);
    },
    'webhooks.update': async (c) => {
      const { id } = requireEndpoint(world, idIn(c));
      const changes = await inputOf(c, endpointChangesForm);
      const endpoint = updateEndpoint(world, id, changes);
      const data = changes.rotate_secret === true ? withSecret(endpoint) : endpointRow(settings, endpoint);
      return jsonResponse(envelope.acknowledgement('Webhook updated.', data));
    },
    'webhooks.delete': (c) => {
      store.removeEndpoint(requireEndpoint(world, idIn(c)));
      return jsonResponse(envelope.acknowledgement('Webhook deleted.'));
    },
    'webhooks.deliveries': async (c) => {
      const { id } = requireEndpoint(world, idIn(c));
      const { event, status, page, per_page: perPage } = await inputOf(c, deliveriesForm);
      const records = store
        .deliveries(id)
        .filter((delivery) => event === null || delivery.event === event)
        .filter((delivery) => status === null || delivery.status === status)
        .sort(latest);
      const row = (record: DeliveryRecord) => deliveryRow(settings, record);
      return listResponse(c, envelope, { page, perPage }, { records, row });
    },
    'webhooks.test': async (c) => {
      const endpoint = requireEndpoint(world, idIn(c));
      const { event } = await inputOf(c, testForm);
      queueTestDelivery(world, endpoint, event);
      return jsonResponse(envelope.acknowledgement('Test delivery queued.', { queued: true }), 202);
    },
  };
}

/**
 * Laravel's `latest()` sorts by `created_at` alone, a column of whole seconds. Rows of one second come as the database
 * finds them: in the order of their primary keys, which rise with time, so that the oldest of a second is first.
 */
function latest(a: DeliveryRecord, b: DeliveryRecord): number {
  const seconds = ({ created_at }: DeliveryRecord) => Math.floor(created_at / 1000);
  return seconds(b) - seconds(a) || (a.id < b.id ? -1 : 1);
}
