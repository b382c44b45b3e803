// Events for tests of receivers: the documented payload, with the fields that a test is about.

import type { ExamResultCompletedData, WebhookEventName } from '../schemas/webhook-event.ts';
import { webhookEventNames } from '../schemas/webhook-event.ts';
import { isObject } from '../util/json.ts';
import { encodePayload } from './emulator/deliveries/send.ts';
import { isEventName, sampleData } from './emulator/domain/events.ts';
import { withOffset } from './emulator/domain/timestamps.ts';
import { readTime } from './schema/read-time.ts';
import { unknownName } from './schema/unknown-name.ts';

/** An event to fill in. */
export type SampleEvent = { readonly [Name in WebhookEventName]: SampleEventOf<Name> }[WebhookEventName];

/** An event of one name. */
export interface SampleEventOf<Name extends WebhookEventName> {
  /** Its name. */
  readonly event: Name;
  /** The fields of the payload that matter to the test; all others are filled in. One that is `undefined` is left out. */
  readonly data?:
    | PayloadChanges<
        Name extends 'exam_result.completed' ? ExamResultCompletedData : Readonly<Record<string, unknown>>
      >
    | undefined;
  /** When it happened: ISO 8601 with a UTC offset, sent as it is, or a `Date`. @default when the delivery is signed */
  readonly created_at?: Date | string | undefined;
  /** In place of an event. */
  readonly body?: undefined;
}

/** Some fields of an object, and of the objects in it. */
export type PayloadChanges<T> = T extends object
  ? { readonly [Name in keyof T]?: PayloadChanges<T[Name]> | undefined }
  : T;

/** The offset of the service's times, in minutes, as in the emulator. */
const WRITTEN = { utcOffset: 420 };

/**
 * The body of a delivery, written as PHP writes JSON.
 *
 * @param now In milliseconds since the epoch.
 * @throws {TypeError} when there is no such event, or the data is not an object
 * @throws {RangeError} when it happened at no time
 */
export function sampleBody({ event, data = {}, created_at }: SampleEvent, now: number): string {
  if (!isEventName(event)) throw new TypeError(`${unknownName('event', event, webhookEventNames)}.`);
  if (!isObject(data)) throw new TypeError('`data` must be an object: the fields of the payload to change.');
  const happenedAt = created_at === undefined ? now : readTime(created_at, 'created_at');
  return encodePayload({
    event,
    created_at: typeof created_at === 'string' ? created_at : withOffset(happenedAt, WRITTEN.utcOffset),
    data: changed(sampleData(event, now, WRITTEN), data),
  });
}

function changed(sample: Readonly<Record<string, unknown>>, changes: object): Record<string, unknown> {
  const fields = Object.entries(changes).map(([name, value]): [string, unknown] => {
    const inner = sample[name];
    return [name, isObject(inner) && isObject(value) ? changed(inner, value) : value];
  });
  return { ...sample, ...Object.fromEntries(fields) };
}
