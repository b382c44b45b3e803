import * as z from 'zod/mini';
import { id, must, page, pageSize, text } from './fields.ts';
import { recordWithId } from './open-record.ts';
import { ownFields, parameters } from './parameters.ts';

/** GET /participants/{id} (interface document, Resources, Participant). */
export const participant = recordWithId;

export const participantPath = parameters({ id });

/** One row of an import (interface document, Participants). */
export const importRow = parameters({ email: text, name: text, password: text });

/** POST /participants/import (interface document, Participants). */
export const importBody = parameters({
  participants: z
    .array(importRow, must('be a list of participants'))
    .check(z.minLength(1, 'must hold at least one participant')),
});

/** PUT /participants/{id} (interface document, Participants). */
export const updateBody = parameters({ name: z.optional(text), password: z.optional(text) }).check(
  z.refine(
    ({ name, password }) => name !== undefined || password !== undefined,
    'needs `name` or `password`',
  ),
);

const isScalar = (value: unknown) =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

const parameter = z
  .unknown()
  .check(
    z.refine(
      (value) => value === undefined || isScalar(value) || (Array.isArray(value) && value.every(isScalar)),
      'must be a string, a number, true or false, or a list of these',
    ),
  );

/**
 * GET /participants: its parameters are not shown. Whatever is given is passed on; the two that the other
 * lists have are checked like theirs.
 */
export const listQuery = ownFields(
  z.catchall(
    z.object({ page: z.optional(page), limit: z.optional(pageSize) }, 'must be an object'),
    parameter,
  ),
);
