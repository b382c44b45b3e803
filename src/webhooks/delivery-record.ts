// Reads the service's delivery records, and restores from them what was sent.

import { isObject } from '../util/json.ts';
import type { DeliveredEvent } from './event-key.ts';

/** The fields read from a delivery record (`GET /webhooks/{id}/deliveries`). */
export interface DeliveryRecord {
  /** UUID. */
  readonly id: string;
  /** Name of the event. */
  readonly event: string;
  /** The body that was sent, or only its `data`; which of them is undocumented by the service. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** When the delivery was created, with UTC offset. */
  readonly created_at: string;
}

/** What was sent. If the record keeps only `data`, its other fields fill in the rest, except for the event's own time. */
export function deliveredBy({ event, created_at, payload }: DeliveryRecord): DeliveredEvent {
  const isWhole = isObject(payload) && payload['event'] === event && 'data' in payload;
  return isWhole ? { event, created_at, ...payload } : { event, created_at, data: payload };
}

/** Undefined if the text is not a time, or has no zone and so could mean anything within a day. */
export function parseTime(text: string): number | undefined {
  const time = /(Z|[+-]\d\d:?\d\d)$/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
