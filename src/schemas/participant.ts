// Schemas of participants and their requests.

import * as z from 'zod/mini';
import { describeColumns } from '../util/columns.ts';
import { tagOf } from '../util/json.ts';
import { once } from '../util/once.ts';
import { isBytes, type MessageTemplates, ofCalls, ofLists, parameters } from './parameters.ts';
import { check, id, nonEmptyList, page, pageSize, recordWithId, text } from './service-fields.ts';

/** GET /participants/{id}. */
export const participant = recordWithId;

export const participantPath = once(() => parameters({ id: id() }));

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
export const importRow = once(() => parameters({ email: text(), name: text(), password: text() }, ofRows));

/** Body of POST /participants/import, whose method takes the list alone. */
export const importBody = once(() =>
  parameters(
    { participants: nonEmptyList(importRow(), 'participant') },
    { ...ofCalls, notAnObject: () => 'takes a list of participants', form: 'participants' },
  ),
);

/** Body of PUT /participants/{id}. */
export const updateBody = once(() =>
  parameters(
    { name: z.optional(text()), password: z.optional(text()) },
    ofCalls,
    check(
      ({ name, password }: { readonly name?: unknown; readonly password?: unknown }) =>
        name !== undefined || password !== undefined,
      'needs `name` or `password`',
    ),
  ),
);

/** A service that does not know `email` lists all participants, and the first of them is the wrong person. */
const ofParticipants: MessageTemplates = {
  ...ofLists,
  unknown: (names, ...others) =>
    names.includes('email')
      ? '`email` is no filter of this list: participants.findByEmail(emails) finds people by email'
      : ofLists.unknown(names, ...others),
};

/** Query of GET /participants, undocumented by the service: as in the other lists. */
export const listQuery = once(() => parameters({ page: page(), limit: pageSize() }, ofParticipants));
