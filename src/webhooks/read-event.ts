// Turns the body of a verified delivery into an event.

import { readWebhookEvent } from '../schemas/webhook-event.ts';
import { type Issue, type StandardSchema, toIssues } from '../util/standard-schema.ts';
import { isDocumentedEvent, type WebhookEvent, type WebhookSchemas } from './events.ts';
import { WebhookVerificationError } from './verification-error.ts';

/** An event that was read, or what is wrong with it. */
export type Reading<Schemas> =
  | { readonly event: WebhookEvent<Schemas>; readonly issues?: undefined }
  | { readonly event?: undefined; readonly issues: readonly Issue[] };

/** Parses a verified body. A refusal is returned, not thrown. */
export function parseBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    // The parser's messages quote the payload, so they are not passed on.
    return new WebhookVerificationError('payload_invalid', 'The body is not JSON in UTF-8.');
  }
}

/** Reads the JSON of a verified body as an event: first the documented shape, then the schema for its name. */
export async function readEvent<Schemas extends WebhookSchemas>(
  json: unknown,
  schemas: Schemas | undefined,
): Promise<Reading<Schemas>> {
  const wrong: string[] = [];
  const event = readWebhookEvent(json, wrong);
  if (wrong.length > 0) return { issues: wrong.map((path) => ({ path, message: 'is not as documented' })) };
  const schema: StandardSchema | undefined =
    schemas && isDocumentedEvent(event.event) ? schemas[event.event] : undefined;
  if (!schema) return { event: event as object as WebhookEvent<Schemas> };
  const refined = await schema['~standard'].validate(event.data);
  if (refined.issues) return { issues: toIssues(refined.issues, ['data']) };
  return { event: { ...event, data: refined.value } as object as WebhookEvent<Schemas> };
}

/** Refuses a payload. The error names only fields, since the messages of a schema may quote values. */
export function invalidPayload(issues: readonly Issue[], advice?: string): WebhookVerificationError {
  const paths = issues.map(({ path }) => path || 'its root').join(', ');
  const message = [`The payload is wrong at: ${paths}.`, advice].filter(Boolean).join(' ');
  return new WebhookVerificationError('payload_invalid', message);
}
