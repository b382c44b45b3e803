// Schemas of participants and their requests.

import * as z from 'zod/mini';
import { tagOf } from '../util/json.ts';
import {
  id,
  isParameter,
  must,
  mustBeParameter,
  notEmpty,
  page,
  pageSize,
  recordWithId,
  rule,
  text,
  where,
} from './fields.ts';
import { isBytes, ownFields, parameters, type Wording } from './parameters.ts';

/** GET /participants/{id}. */
export const participant = recordWithId;

export const participantPath = parameters({ id });

/** Rows come from files, whose names and bytes are data. */
const ofRows: Wording = {
  notAnObject(value, fields) {
    if (Array.isArray(value)) return 'is a list: name its columns with the option `map` of importAll';
    if (typeof value === 'string') return 'is a string: put a CSV parser in between';
    if (isBytes(value)) return `is a ${tagOf(value)}: put a CSV parser in between`;
    return `must be an object { ${fields} }`;
  },
  unknownNames: (count) =>
    `has ${count} unknown ${count === 1 ? 'column' : 'columns'}: is the header line missing, the separator another one, ` +
    'or a space beside a name?',
  advice: () => '; leave it out with the option `map` of importAll',
  options: [],
};

/** An item of `participants` in POST /participants/import. */
export const importRow = parameters({ email: text, name: text, password: text }, ofRows);

/** Body of POST /participants/import. */
export const importBody = parameters({
  participants: z.array(importRow, must('be a list of participants')).check(notEmpty('participant')),
});

/** Body of PUT /participants/{id}. */
export const updateBody = parameters({ name: z.optional(text), password: z.optional(text) }).check(
  rule(
    ({ name, password }: { readonly name?: unknown; readonly password?: unknown }) =>
      name !== undefined || password !== undefined,
    'needs `name` or `password`',
  ),
);

/**
 * Query of GET /participants, undocumented by the service. Everything is passed on; `page` and `limit` are checked as
 * in the other lists.
 */
export const listQuery = ownFields(
  z.catchall(z.object({ page, limit: pageSize }, 'must be an object'), where(isParameter, mustBeParameter)),
);
