/** The fields that the inbox reads from an event. An event without them is kept, and shown by `status.ts`. */
import { type WebhookEvent, webhookEventSchema } from 'exam-service-sdk/webhooks';
import * as z from 'zod';

/** A number, also as text. Anything else, such as `""` or `[]`, is no grade that somebody gave. */
export const points = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+(\.\d+)?$/)
    .transform(Number),
]);

/** Not documented: say here what your service sends. */
export const scored = z.looseObject({
  exam_result_id: z.int(),
  participant: z.looseObject({ id: z.int() }),
  exam: z.looseObject({ id: z.int() }),
  score: points.nullable(),
});

/** An event that can be handled, or why it cannot. */
export type Reading = { readonly event: WebhookEvent } | { readonly problem: string };

/** Reads a stored event, with the schemas of today. */
export async function readEvent(stored: unknown): Promise<Reading> {
  const documented = await webhookEventSchema['~standard'].validate(stored);
  if (documented.issues) return { problem: JSON.stringify(documented.issues) };
  const event = documented.value;
  if (event.event !== 'exam_result.scored') return { event };
  const { data, error } = scored.safeParse(event.data);
  return error ? { problem: JSON.stringify(error.issues) } : { event: { ...event, data } as WebhookEvent };
}
