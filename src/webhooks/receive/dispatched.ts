// Reads what `dispatch` is given: an event, or what `recoverEvents` gives.

import { aText, expectObjects, optional, readOptions } from '../../core/check.ts';
import { ConfigurationError } from '../../core/errors/base.ts';
import { encode } from '../../util/bytes.ts';
import { type DeliveredEvent, deliveredBy, keyOfEvent } from '../deduplicate/event-key.ts';
import type { WebhookEvent } from '../verify/events.ts';
import { readJson } from '../verify/read-event.ts';
import type { WebhookVerificationError } from '../verify/verification-error.ts';
import type { HandlerSettings } from './handler-options.ts';
import type { ReadDelivery } from './run.ts';

/**
 * An event is believed. What was recovered is read like a delivery, with the schemas of the handler: `recoverEvents` may have applied
 * others. A rejection is returned.
 *
 * @throws {ConfigurationError} for anything else
 */
export async function readDispatched(
  given: unknown,
  options: unknown,
  reading: HandlerSettings['reading'],
): Promise<ReadDelivery | WebhookVerificationError> {
  expectObjects('dispatch takes (event, { eventKey })', options);
  const { eventKey } = readOptions('the options of dispatch', options, { eventKey: optional(aText) });
  const { event, delivery, eventKey: recoveredKey } = Object(given);
  // Only what was recovered has its record beside it.
  const isRecovered = Object(delivery) === delivery && typeof event !== 'string';
  const json: DeliveredEvent = isRecovered ? deliveredBy(delivery) : (given as DeliveredEvent);
  const { event: name, created_at, data } = Object(json);
  if (typeof name !== 'string' || typeof created_at !== 'string' || data === undefined)
    throw new ConfigurationError('dispatch takes an event, or what recoverEvents gives for a record.');
  const key = eventKey ?? (isRecovered ? recoveredKey : undefined) ?? (await keyOfEvent(json));
  if (!isRecovered) return { event: given as WebhookEvent, eventKey: () => key };
  const read = await readJson(json, reading);
  return 'code' in read ? read : { ...read, json, body: encode(JSON.stringify(json)), eventKey: () => key };
}
