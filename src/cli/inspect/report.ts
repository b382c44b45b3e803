// The findings of `exam-service-sdk inspect`, as text and as JSON.

import { printable } from '../terminal.ts';
import { looksLikeValue } from './keys.ts';
import type { Findings, ListFinding } from './probe.ts';
import type { Pagination, ParsedResponse } from './response.ts';
import { type RecordShape, typeInWords } from './schema-file.ts';
import { orderedFields } from './shape.ts';

const PATH_WIDTH = 24;
const SCHEME_WIDTH = 14;

/** The findings, for people. Contains names and types of fields, and never a value. */
export function report({ lists, records, shapes }: Findings): string {
  const parts = [
    section('Authentication', [
      row('', 'X-Client-Key', 'Bearer'),
      ...lists.map(({ path, replies }) => row(`GET ${path}`, replies.clientKey.words, replies.bearer.words)),
      ...lists.filter(isElsewhere).map(({ path }) => `${path} does not accept the documented credential.`),
    ]),
    section('Responses', [
      ...lists.map(({ path, parsed }) => line(`GET ${path}`, inWords(parsed, 'list'))),
      ...records.map(({ path, reply, parsed }) =>
        line(`GET ${path}`, parsed === null && !reply.ok ? reply.words : inWords(parsed, 'record')),
      ),
    ]),
    section(
      'Pagination',
      lists.flatMap(({ path, parsed, paging }) =>
        paging === null || !parsed?.pagination
          ? []
          : [line(`GET ${path}`, `${metadataInWords(parsed.pagination)}; ${paging}`)],
      ),
    ),
    ...shapes.map((record) =>
      section(`${record.name}: fields in ${record.count} ${record.count === 1 ? 'record' : 'records'}`, [
        ...fieldsOf(record).map(({ name, type, always }) =>
          line(printable(name), `${type}${always ? '' : ', at times'}`),
        ),
        ...record.rejected.map((reason) => `The client rejects such records: ${reason}.`),
      ]),
    ),
  ];
  return parts.join('');
}

/** The same findings for programs. */
export function jsonReport({ lists, records, shapes }: Findings): string {
  const form = (parsed: ParsedResponse | null) => parsed && { family: parsed.family, place: parsed.place };
  const names = (pagination: Pagination | null | undefined) =>
    pagination ? { place: pagination.place, fields: pagination.fields } : null;
  const report = {
    lists: lists.map(({ path, replies, parsed, paging }) => ({
      path,
      credentials: { clientKey: replies.clientKey.words, bearer: replies.bearer.words },
      form: form(parsed),
      pagination: names(parsed?.pagination),
      paging,
    })),
    records: records.map(({ path, reply, parsed }) => ({ path, outcome: reply.words, form: form(parsed) })),
    fields: shapes.map((shape) => ({
      name: shape.name,
      count: shape.count,
      rejected: shape.rejected,
      fields: fieldsOf(shape),
    })),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** The fields of a record, without keys that are data. */
function fieldsOf({ shape: { object } }: RecordShape): { name: string; type: string; always: boolean }[] {
  if (object === undefined) return [];
  return orderedFields(object)
    .filter(([name]) => !looksLikeValue(name))
    .map(([name, { shape, count }]) => ({ name, type: typeInWords(shape), always: count === object.count }));
}

function section(title: string, lines: readonly string[]): string {
  return `${title}\n${(lines.length > 0 ? lines : ['nothing found']).map((text) => `  ${text}\n`).join('')}\n`;
}

function row(path: string, clientKey: string, bearer: string): string {
  return `${path.padEnd(PATH_WIDTH)}${clientKey.padEnd(SCHEME_WIDTH)}${bearer}`;
}

function line(left: string, right: string): string {
  return `${left.padEnd(PATH_WIDTH)}${right}`;
}

function isElsewhere({ documented, replies }: ListFinding): boolean {
  return !replies[documented].ok && Object.values(replies).some(({ ok }) => ok);
}

function inWords(parsed: ParsedResponse | null, what: string): string {
  if (parsed === null) return `no ${what} that the client can read`;
  const { family, place } = parsed;
  return `${family}: the ${what} is ${place === null ? 'the whole body' : `under ${printable(place)}`}`;
}

function metadataInWords({ place, fields }: Pagination): string {
  return place === null ? 'no metadata' : `${fields.join(', ')} in ${place}`;
}
