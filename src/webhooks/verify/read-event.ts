// Reads the body of a verified delivery as an event.

import type { Delivery } from '../../node/incoming.ts';
import { readWebhookEvent } from '../../schemas/webhook-event.ts';
import { type Issue, type StandardSchema, toIssues } from '../../util/standard-schema.ts';
import { tryOrUndefined } from '../../util/try-or-undefined.ts';
import type { ByEvent, WebhookEvent } from './events.ts';
import { type CheckedDelivery, checkDelivery } from './signature.ts';
import type { SignatureSettings } from './signature-options.ts';
import { attachDelivery, WebhookVerificationError } from './verification-error.ts';

/** An event that was read, or what is wrong with it. */
export type Reading =
  | { readonly event: WebhookEvent; readonly issues?: undefined }
  | { readonly event?: undefined; readonly issues: readonly Issue[] };

/** A delivery with a valid signature, and what it says; neither event nor issues if it has no handler. */
export type VerifiedEvent = CheckedDelivery & Partial<Reading> & { readonly json: unknown };

/** Runs the schema of an event. */
type RunSchema = <T>(running: Promise<T>) => Promise<T>;

/** What a receiver reads events for: handlers by name, of other events and of those that cannot be read; and how it runs a schema. */
interface ReadingSettings {
  readonly schemas: ByEvent<StandardSchema>;
  readonly on?: ByEvent<unknown>;
  readonly onUnknown?: unknown;
  readonly onInvalid?: unknown;
  readonly runSchema?: RunSchema;
}

/**
 * Verifies a delivery and reads its event. A rejection is returned, not thrown. An event that could not be read is rejected,
 * too, unless it is a documented one and there is an `onInvalid` for it. An event without a handler is not read.
 */
export async function readDelivery(
  input: Delivery,
  settings: SignatureSettings & ReadingSettings,
): Promise<VerifiedEvent | WebhookVerificationError> {
  const checked = await checkDelivery(input, settings);
  if ('code' in checked) return checked;
  const json = parseBody(checked.body);
  const read =
    json === undefined
      ? new WebhookVerificationError('payload_invalid', 'The body is not JSON in UTF-8.')
      : await readJson(json, settings);
  return 'code' in read ? attachDelivery(read, input, checked.body) : { ...checked, json, ...read };
}

/** The same for the JSON of an event that is known to be genuine. */
export async function readJson(
  json: unknown,
  { schemas, on, onUnknown, onInvalid, runSchema }: ReadingSettings,
): Promise<Partial<Reading> | WebhookVerificationError> {
  const { event: name } = Object(json);
  const isNamed = on && typeof name === 'string';
  const isDocumented = isNamed && name in on;
  const takesInvalid = isDocumented && onInvalid;
  if (isNamed && !(isDocumented ? on[name] : onUnknown) && !takesInvalid) return {};
  const reading = await readEvent(json, schemas, runSchema);
  if (reading.issues && !takesInvalid)
    return invalidPayload(reading.issues, isDocumented ? ' See `onInvalid`.' : '');
  return reading;
}

/** Parses a verified body; undefined for one that is not JSON. The parser's messages quote the payload. */
export function parseBody(body: Uint8Array): unknown {
  return tryOrUndefined(() => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)));
}

/** Reads JSON as an event of the documented shape. */
function readShape(json: unknown): Reading {
  const wrong: string[] = [];
  const event = readWebhookEvent(json, wrong) as object as WebhookEvent;
  const issues = wrong.map((path) => ({ path, message: 'is not as documented' }));
  return issues.length > 0 ? { issues } : { event };
}

/** Reads the JSON of a verified body as an event: first the documented shape, then the schema for its name. */
export async function readEvent(
  json: unknown,
  schemas: ByEvent<StandardSchema>,
  runSchema: RunSchema = (running) => running,
): Promise<Reading> {
  const reading = readShape(json);
  const { event } = reading;
  const schema = event && schemas[event.event];
  if (!schema) return reading;
  const refined = await runSchema((async () => schema['~standard'].validate(event.data))());
  if (refined.issues) return { issues: toIssues(refined.issues, ['data']) };
  return { event: { ...event, data: refined.value } as object as WebhookEvent };
}

/**
 * Rejects a payload. The error names only fields, since the messages of a schema may quote values. Where a schema
 * describes a map, paths are data as well: it names at most three, and only those that look like fields.
 */
export function invalidPayload(issues: readonly Issue[], advice: string): WebhookVerificationError {
  const paths = issues.map(({ path }) => path || 'its root').filter((path) => /^[\w. ]{1,60}$/.test(path));
  const named = paths.slice(0, 3);
  const others = issues.length - named.length;
  if (others > 0) named.push(`${others} more`);
  const message = `Invalid payload: ${named.join(', ')}.${advice}`;
  return new WebhookVerificationError('payload_invalid', message);
}

/** Standard Schema of an event, for events from another source, such as a queue behind the receiver. */
export const webhookEventSchema: StandardSchema<WebhookEvent> = {
  '~standard': {
    version: 1,
    vendor: 'exam-service-sdk',
    validate(value) {
      const { event, issues } = readShape(value);
      if (event) return { value: event };
      return { issues: issues.map(({ path, message }) => ({ message, path: path ? path.split('.') : [] })) };
    },
  },
};
