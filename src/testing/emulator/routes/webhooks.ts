import { queueTestDelivery } from '../deliveries/test-delivery.ts';
import { createEndpoint, requireEndpoint, updateEndpoint } from '../domain/endpoints.ts';
import { availableEvents } from '../domain/events.ts';
import { answer, answerList, type Handlers, type ServiceWorld } from '../http/handler.ts';
import { deliveriesQuery, endpointChanges, endpointInput, testInput } from '../http/inputs.ts';
import { readBody, readId, readQuery } from '../http/validation.ts';
import type { EndpointRecord } from '../state/records.ts';
import { envelope } from '../styles/envelope.ts';
import { deliveryRow, endpointRow } from '../styles/rows.ts';

/**
 * The webhook operations. Undocumented by the service and so chosen here: 201 for a creation and 200 otherwise, 404 for
 * an unknown id, 422 for a refusal, and the newest delivery first.
 */
export function webhookHandlers(world: ServiceWorld): Handlers<'webhooks'> {
  const { settings, store } = world;
  const withSecret = (endpoint: EndpointRecord) => ({
    ...endpointRow(settings, endpoint),
    secret: endpoint.secret,
  });
  return {
    'webhooks.list': () => {
      const rows = store.endpoints().map((endpoint) => endpointRow(settings, endpoint));
      return answer({
        success: true,
        message: null,
        data: rows,
        meta: { available_events: availableEvents },
      });
    },
    'webhooks.create': async (c) => {
      const endpoint = createEndpoint(world, await readBody(c, endpointInput));
      return answer(envelope.acknowledgement('Webhook endpoint created.', withSecret(endpoint)), 201);
    },
    'webhooks.update': async (c) => {
      const { id } = requireEndpoint(world, readId(c));
      const changes = await readBody(c, endpointChanges);
      const endpoint = updateEndpoint(world, id, changes);
      const data = changes.rotate_secret === true ? withSecret(endpoint) : endpointRow(settings, endpoint);
      return answer(envelope.acknowledgement('Webhook endpoint updated.', data));
    },
    'webhooks.delete': (c) => {
      store.removeEndpoint(requireEndpoint(world, readId(c)).id);
      return answer(envelope.acknowledgement('Webhook endpoint deleted.'));
    },
    'webhooks.deliveries': (c) => {
      const { id } = requireEndpoint(world, readId(c));
      const { page, per_page, event, status } = readQuery(c, deliveriesQuery);
      const found = store
        .deliveries(id)
        .filter((delivery) => event === undefined || delivery.event === event)
        .filter((delivery) => status === undefined || delivery.status === status)
        .reverse();
      const rows = found
        .slice((page - 1) * per_page, page * per_page)
        .map((delivery) => deliveryRow(settings, delivery));
      return answerList(c, envelope, {
        kind: 'webhook_delivery',
        rows,
        total: found.length,
        page,
        perPage: per_page,
      });
    },
    'webhooks.test': async (c) => {
      const endpoint = requireEndpoint(world, readId(c));
      const { event } = await readBody(c, testInput);
      queueTestDelivery(world, endpoint, event);
      return answer(envelope.acknowledgement('Test delivery queued.', { queued: true }));
    },
  };
}
