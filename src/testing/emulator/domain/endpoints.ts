// The service's rules for webhook endpoints.

import { idOf } from '../state/keys.ts';
import type { EndpointRecord } from '../state/records.ts';
import { isEventName, sampleData } from './events.ts';
import { randomHex } from './random.ts';
import { rejections } from './rejection.ts';
import type { World } from './world.ts';

/** The service allows five endpoints per project (`POST /webhooks`). */
const MAX_ENDPOINTS = 5;
const SECRET_BYTES = 32;

/** @throws {Rejection} when there is none: 404 */
export function requireEndpoint({ store }: World, key: number | string): EndpointRecord {
  const endpoint = store.endpoints.get(idOf(key));
  if (endpoint === undefined) throw rejections.noRecord('WebhookEndpoint', key);
  return endpoint;
}

/** What an endpoint is created with. */
export interface NewEndpoint extends Pick<EndpointRecord, 'url' | 'events' | 'description' | 'is_active'> {
  readonly secret?: string;
}

/** @throws {Rejection} when there are already five: 422 */
export function createEndpoint({ settings, store }: World, values: NewEndpoint): EndpointRecord {
  if (store.endpoints.rows.length >= MAX_ENDPOINTS) throw rejections.tooManyEndpoints(MAX_ENDPOINTS);
  return store.endpoints.add({
    secret: newSecret(),
    ...values,
    is_disabled_by_system: false,
    disabled_at: null,
    consecutive_failures: 0,
    last_success_at: null,
    last_failure_at: null,
    created_at: settings.clock.now(),
  });
}

/** The changes of an update; fields left out stay as they are. */
export interface EndpointChanges {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly description?: string | null | undefined;
  readonly is_active?: boolean | undefined;
  readonly rotate_secret?: boolean | undefined;
}

/**
 * Changes an endpoint. `is_active: true` also re-enables one that the service disabled, which is undocumented by the
 * service.
 *
 * @throws {Rejection} when there is none: 404
 */
export function updateEndpoint(world: World, id: number, changes: EndpointChanges): EndpointRecord {
  const endpoint = requireEndpoint(world, id);
  return world.store.endpoints.replace({
    ...endpoint,
    url: changes.url ?? endpoint.url,
    events: changes.events ?? endpoint.events,
    description: changes.description === undefined ? endpoint.description : changes.description,
    is_active: changes.is_active ?? endpoint.is_active,
    secret: changes.rotate_secret === true ? newSecret() : endpoint.secret,
    ...(changes.is_active === true && endpoint.is_disabled_by_system
      ? { is_disabled_by_system: false, disabled_at: null, consecutive_failures: 0 }
      : {}),
  });
}

/**
 * Queues a test delivery. A missing or unknown event becomes `exam_result.completed`, as in `POST /webhooks/{id}/test`.
 *
 * @throws {Rejection} when the endpoint is not active: 422
 */
export function queueTestDelivery(
  { settings, deliveries }: World,
  endpoint: EndpointRecord,
  requested: unknown,
): void {
  if (!endpoint.is_active) throw rejections.inactiveEndpoint();
  const event = isEventName(requested) ? requested : 'exam_result.completed';
  deliveries.queue(endpoint, event, sampleData(event, settings.clock.now(), settings));
}

function newSecret(): string {
  return `whsec_${randomHex(SECRET_BYTES)}`;
}
