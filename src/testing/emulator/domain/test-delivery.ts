import { isEventName, sampleData } from './events.ts';
import { Refusal } from './rejection.ts';
import type { ServiceWorld } from '../http/handler.ts';
import type { EndpointRecord } from '../state/records.ts';

/**
 * Queues a test delivery. A missing or unknown event becomes `exam_result.completed`, as in `POST /webhooks/{id}/test`.
 *
 * @throws {Refusal} when the endpoint is not active: 422, since the status is undocumented by the service
 */
export function queueTestDelivery(
  { settings, deliveries }: ServiceWorld,
  endpoint: EndpointRecord,
  asked: unknown,
): void {
  if (!endpoint.is_active) throw new Refusal(422, 'The webhook endpoint is not active.');
  const event = isEventName(asked) ? asked : 'exam_result.completed';
  deliveries.queue(endpoint, event, sampleData(event, settings.clock.now(), settings));
}
