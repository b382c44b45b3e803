import { isObject } from '../util/json.ts';
import type { DeliveredEvent } from './event-key.ts';

/** What of a delivery record is read (the service's API, Webhook delivery). */
export interface DeliveryRecord {
  /** UUID. */
  readonly id: string;
  /** Name of the event. */
  readonly event: string;
  /** The body that was sent, or its `data` alone: the service's API leaves open which. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** When the delivery was created, with UTC offset. */
  readonly created_at: string;
}

/** What was sent. A record that keeps only the `data` of it says the rest itself, but for the event's own time. */
export function deliveredBy({ event, created_at, payload }: DeliveryRecord): DeliveredEvent {
  const isWhole = isObject(payload) && payload['event'] === event && 'data' in payload;
  return isWhole ? { event, created_at, ...payload } : { event, created_at, data: payload };
}

/** Undefined for what is no time, or may be anywhere within a day, as it shows no zone. */
export function parseTime(text: string): number | undefined {
  const time = /(Z|[+-]\d\d:?\d\d)$/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
