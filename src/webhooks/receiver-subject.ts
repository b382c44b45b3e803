// Verifies a delivery for a receiver and reads its event.

import { isObject } from '../util/json.ts';
import { checkDelivery } from './check.ts';
import { eventKeyIn } from './event-key.ts';
import { isDocumentedEvent, type WebhookEvent, type WebhookSchemas } from './events.ts';
import type { Incoming } from './incoming.ts';
import { invalidPayload, parseBody, readEvent } from './read-event.ts';
import type { InvalidWebhook, WebhookHandlerOptions } from './receiver-options.ts';
import { about, WebhookVerificationError } from './verification-error.ts';

/**
 * What a receiver handles: an event, or a payload that could not be read as one, and the data for the handler's
 * context.
 */
export type Subject<Schemas> = (
  | { readonly event: WebhookEvent<Schemas>; readonly invalid?: undefined }
  | { readonly event?: undefined; readonly invalid: InvalidWebhook }
) & {
  readonly eventKey: () => string;
  readonly signedAt: number | undefined;
};

/** Verifies and reads a delivery. A refusal is returned, not thrown. */
export async function readSubject<Schemas extends WebhookSchemas>(
  incoming: Incoming,
  options: WebhookHandlerOptions<Schemas>,
): Promise<Subject<Schemas> | WebhookVerificationError> {
  const checked = await checkDelivery(incoming.delivery, options);
  if (checked instanceof WebhookVerificationError) return checked;
  const json = parseBody(checked.body);
  const refuse = (error: WebhookVerificationError) => about(error, incoming.headers, checked.body);
  if (json instanceof WebhookVerificationError) return refuse(json);
  const { event, issues } = await readEvent(json, options.schemas);
  const context = { signedAt: checked.signedAt, eventKey: await eventKeyIn(checked.body) };
  if (event) return { event, ...context };
  if (!isOfDocumentedName(json)) return refuse(invalidPayload(issues));
  if (!options.onInvalid) {
    return refuse(invalidPayload(issues, 'The signature is right: `onInvalid` handles such deliveries.'));
  }
  return { invalid: { body: json, issues }, ...context };
}

function isOfDocumentedName(json: unknown): json is InvalidWebhook['body'] {
  return isObject(json) && typeof json['event'] === 'string' && isDocumentedEvent(json['event']);
}
