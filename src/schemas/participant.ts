// Schemas of participants and their requests.

import * as z from 'zod/mini';
import { describeColumns } from '../util/columns.ts';
import { tagOf } from '../util/json.ts';
import { check, id, nonEmptyList, page, pageSize, parameter, recordWithId, text } from './fields.ts';
import { isBytes, type MessageTemplates, ofCalls, ownFields, parameters } from './parameters.ts';

/** GET /participants/{id}. */
export const participant = recordWithId;

export const participantPath = parameters({ id });

/** Rows come from files, whose names and bytes are data. */
const ofRows: MessageTemplates = {
  notAnObject(value, fields) {
    if (Array.isArray(value)) return 'is a list: name its columns with the option `map` of importAll';
    if (typeof value === 'string') return 'is a string: put a CSV parser in between';
    if (isBytes(value)) return `is a ${tagOf(value)}: put a CSV parser in between`;
    return `must be an object { ${fields} }`;
  },
  unknown: (_, known, input) => describeColumns(Object.keys(input), known),
};

/** An item of `participants` in POST /participants/import. */
export const importRow = parameters({ email: text, name: text, password: text }, ofRows);

/** Body of POST /participants/import, whose method takes the list alone. */
export const importBody = parameters(
  { participants: nonEmptyList(importRow, 'participant') },
  { ...ofCalls, notAnObject: () => 'takes a list of participants' },
);

/** Body of PUT /participants/{id}. */
export const updateBody = parameters({ name: z.optional(text), password: z.optional(text) }).check(
  check(
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
  z.catchall(z.object({ page, limit: pageSize }, 'must be an object'), parameter),
);
