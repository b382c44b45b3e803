// Schemas of the bodies and queries that the emulated operations accept.

import * as z from 'zod/mini';
import { isEventName } from '../domain/events.ts';

/** Limits of `limit`, `per_page`, `url` and `description`. */
const MAX_PER_PAGE = 100;
const DEFAULT_LIMIT = 10;
const DEFAULT_DELIVERIES_PER_PAGE = 25;
const MAX_URL_LENGTH = 2048;
const MAX_DESCRIPTION_LENGTH = 255;

const filled = z
  .string()
  .check(z.refine((text) => text.trim() !== '', { error: 'The :attribute field is required.' }));
const email = z.string().check(
  z.refine((text) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*$/.test(text), {
    error: 'The :attribute must be a valid email address.',
  }),
);

export const participantInput = z.object({ email, name: filled, password: filled });

export const importInput = z.object({ participants: z.array(participantInput).check(z.minLength(1)) });

export const participantChanges = z.object({ name: z.optional(filled), password: z.optional(filled) });

export const pairInput = z.object({ participant_id: z.int(), exam_id: z.int() });

const url = z
  .string()
  .check(
    z.maxLength(MAX_URL_LENGTH),
    z.refine(isHttpUrl, { error: 'The :attribute must be a valid HTTP or HTTPS URL.' }),
  );
const events = z
  .array(z.string().check(z.refine(isEventName, { error: 'The selected :attribute is invalid.' })))
  .check(z.minLength(1));
const description = z.nullable(
  z.string().check(
    z.refine((text) => [...text].length <= MAX_DESCRIPTION_LENGTH, {
      error: `The :attribute may not be greater than ${MAX_DESCRIPTION_LENGTH} characters.`,
    }),
  ),
);

export const endpointInput = z.object({
  url,
  events,
  description: z._default(description, null),
  is_active: z._default(z.boolean(), true),
});

export const endpointChanges = z.object({
  url: z.optional(url),
  events: z.optional(events),
  description: z.optional(description),
  is_active: z.optional(z.boolean()),
  rotate_secret: z.optional(z.boolean()),
});

/** `event` is not checked: an unknown one means the default. */
export const testInput = z.object({ event: z.optional(z.unknown()) });

/** A whole number in a query string. Like PHP's integer filter, it rejects leading zeros. */
const integerText = z.pipe(
  z.string().check(z.regex(/^(0|-?[1-9]\d*)$/, { error: 'The :attribute must be an integer.' })),
  z.transform(Number),
);
const pageNumber = z._default(z.pipe(integerText, z.int().check(z.gte(1))), 1);

function perPage(fallback: number) {
  return z._default(z.pipe(integerText, z.int().check(z.gte(1), z.lte(MAX_PER_PAGE))), fallback);
}

export const listQuery = z.object({ page: pageNumber, limit: perPage(DEFAULT_LIMIT) });

const idFilter = z.optional(z.pipe(integerText, z.int().check(z.gte(1))));

export const resultsQuery = z.extend(listQuery, { participant_id: idFilter, exam_id: idFilter });

export const linkQuery = z.object({
  participant_id: z.pipe(integerText, z.int()),
  exam_id: z.pipe(integerText, z.int()),
});

export const deliveriesQuery = z.object({
  page: pageNumber,
  per_page: perPage(DEFAULT_DELIVERIES_PER_PAGE),
  event: z.optional(z.string()),
  status: z.optional(z.string()),
});

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
