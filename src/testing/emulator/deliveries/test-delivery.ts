import { isEventName, sampleData } from '../domain/events.ts';
import { Refusal } from '../domain/refusal.ts';
import type { ServiceWorld } from '../http/handler.ts';
import type { EndpointRecord } from '../state/records.ts';

/**
 * Queues a test delivery. An event that is absent or not recognised stands for `exam_result.completed`
 * (service's API, Webhook endpoints).
 *
 * @throws {Refusal} when the endpoint is not active: 422, as the document shows no status for it
 */
export function queueTestDelivery(
  { settings, deliveries }: ServiceWorld,
  endpoint: EndpointRecord,
  asked: unknown,
): void {
  if (!endpoint.is_active) throw new Refusal(422, 'The webhook endpoint is not active.');
  const event = isEventName(asked) ? asked : 'exam_result.completed';
  deliveries.queue(endpoint, event, sampleData(event, settings.clock.now(), settings.utcOffset));
}
