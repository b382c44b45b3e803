import { readWebhookEvent } from '../schemas/webhook-event.ts';
import type { SchemaIssue, StandardSchema } from '../util/standard-schema.ts';
import { isDocumentedEvent, type WebhookEvent, type WebhookSchemas } from './events.ts';
import { WebhookVerificationError } from './verification-error.ts';

/**
 * Reads a verified body as an event: UTF-8, JSON, the documented shape, then the schema given for its name. A refusal
 * (`payload_invalid`) is returned; it names the fields, never their values.
 */
export async function readEvent<Schemas extends WebhookSchemas>(
  body: Uint8Array,
  schemas: Schemas | undefined,
): Promise<WebhookEvent<Schemas> | WebhookVerificationError> {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    // The reasons of the parser quote the payload, so they are not passed on.
    return new WebhookVerificationError('payload_invalid', 'The body is not JSON in UTF-8.');
  }
  return readJsonEvent(json, schemas);
}

/** The same for a body that was parsed. */
export async function readJsonEvent<Schemas extends WebhookSchemas>(
  json: unknown,
  schemas: Schemas | undefined,
): Promise<WebhookEvent<Schemas> | WebhookVerificationError> {
  const wrong: string[] = [];
  const event = readWebhookEvent(json, wrong);
  if (wrong.length > 0) return invalid(wrong);
  const schema: StandardSchema | undefined =
    schemas && isDocumentedEvent(event.event) ? schemas[event.event] : undefined;
  if (!schema) return event as object as WebhookEvent<Schemas>;
  const refined = await schema['~standard'].validate(event.data);
  if (refined.issues) return invalid(refined.issues.map(pathOf));
  return { ...event, data: refined.value } as object as WebhookEvent<Schemas>;
}

function invalid(paths: readonly string[]): WebhookVerificationError {
  return new WebhookVerificationError(
    'payload_invalid',
    `The payload is wrong at: ${paths.map((path) => path || 'its root').join(', ')}.`,
  );
}

/** The messages of a given schema may quote the payload, so only its paths are passed on. */
function pathOf({ path = [] }: SchemaIssue): string {
  return ['data', ...path.map((key) => String(typeof key === 'object' ? key.key : key))].join('.');
}
