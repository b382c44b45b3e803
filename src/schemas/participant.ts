import * as z from 'zod/mini';
import { checked, id, listOf, page, pageSize, text } from './fields.ts';
import { everyField, object, ownFields, parameters, recordWithId } from './records.ts';

/** GET /participants/{id} (interface document, Resources, Participant). */
export const participant = recordWithId;

export const participantPath = parameters({ id });

/** One row of an import (interface document, Participants). */
export const importRow = parameters({ email: text, name: text, password: text });

/** POST /participants/import (interface document, Participants). */
export const importBody = checked(
  parameters({ participants: listOf(importRow, 'participant') }),
  // Copies, because an instance of a class may say by `toJSON` that something else is to be sent than what was checked.
  z.overwrite(({ participants }) => ({ participants: Array.from(participants, (row) => ({ ...row })) })),
);

/** PUT /participants/{id} (interface document, Participants). */
export const updateBody = checked(
  parameters({ name: z.optional(text), password: z.optional(text) }),
  z.refine(({ name, password }) => name !== undefined || password !== undefined, {
    error: 'needs `name` or `password`',
    params: { minProperties: 1 },
  }),
);

const paging = { page: z.optional(page), limit: z.optional(pageSize) };

const isScalar = (value: unknown) =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/**
 * GET /participants: its parameters are not shown. Whatever is given is passed on; the two that the other
 * lists have are checked like theirs.
 */
export const listQuery = object<Record<string, unknown>>(
  ownFields(paging),
  everyField(
    (value) => value === undefined || isScalar(value) || (Array.isArray(value) && value.every(isScalar)),
    'must be a text, a number, true or false, or a list of these',
    {},
    paging,
  ),
  z.properties<z.core.$ZodShape>(paging),
);
