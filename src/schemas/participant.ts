// Schemas of participants and their requests.

import * as z from 'zod/mini';
import { id, must, page, pageSize, text } from './fields.ts';
import { recordWithId } from './open-record.ts';
import { ownFields, parameters } from './parameters.ts';

/** GET /participants/{id}. */
export const participant = recordWithId;

export const participantPath = parameters({ id });

/** An item of `participants` in POST /participants/import. */
export const importRow = parameters({ email: text, name: text, password: text });

/** Body of POST /participants/import. */
export const importBody = parameters({
  participants: z
    .array(importRow, must('be a list of participants'))
    .check(z.minLength(1, 'must hold at least one participant')),
});

/** Body of PUT /participants/{id}. */
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
 * Query of GET /participants, undocumented by the service. Everything is passed on; `page` and `limit` are checked as
 * in the other lists.
 */
export const listQuery = ownFields(
  z.catchall(
    z.object({ page: z.optional(page), limit: z.optional(pageSize) }, 'must be an object'),
    parameter,
  ),
);
