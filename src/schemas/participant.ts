import * as z from 'zod/mini';
import { checked, id, listOf, page, pageSize, text } from './fields.ts';
import { everyField, parameters, record, recordWithId } from './records.ts';

/** GET /participants/{id} (interface document, Resources, Participant). */
export const participant = recordWithId;

export const participantPath = parameters({ id });

/** One row of an import (interface document, Participants). */
export const importRow = parameters({ email: text, name: text, password: text });

/** POST /participants/import (interface document, Participants). */
export const importBody = parameters({ participants: listOf(importRow, 'participant') });

/** PUT /participants/{id} (interface document, Participants). */
export const updateBody = checked(
  parameters({ name: z.optional(text), password: z.optional(text) }),
  z.refine(({ name, password }) => name !== undefined || password !== undefined, {
    error: 'needs `name` or `password`',
    params: { minProperties: 1 },
  }),
);

const isScalar = (value: unknown) =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/**
 * GET /participants: its parameters are not shown. Whatever is given is passed on; the two that the other
 * lists have are checked like theirs.
 */
export const listQuery = checked(
  record({ page: z.optional(page), limit: z.optional(pageSize) }),
  everyField(
    (value) => value === undefined || isScalar(value) || (Array.isArray(value) && value.every(isScalar)),
    'must be a text, a number, true or false, or a list of these',
  ),
);
