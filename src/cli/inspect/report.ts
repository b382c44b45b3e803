// The findings of `exam-service-sdk inspect`, as text and as JSON.

import { printable } from '../terminal.ts';
import type { Answer, Pagination } from './answer.ts';
import { looksLikeValue } from './keys.ts';
import type { Findings, ListFinding } from './probe.ts';
import { type RecordShape, typeInWords } from './schema-file.ts';

const PATH_WIDTH = 24;
const SCHEME_WIDTH = 14;

/** The findings, for people. Contains names and types of fields, and never a value. */
export function report({ lists, records, shapes }: Findings): string {
  const parts = [
    section('Authentication', [
      row('', 'X-Client-Key', 'Bearer'),
      ...lists.map(({ path, outcomes }) => row(`GET ${path}`, outcomes.clientKey, outcomes.bearer)),
      ...lists.filter(isElsewhere).map(({ path }) => `${path} does not accept the documented credential.`),
    ]),
    section('Answers', [
      ...lists.map(({ path, answer }) => line(`GET ${path}`, inWords(answer, 'list'))),
      ...records.map(({ path, outcome, answer }) =>
        line(`GET ${path}`, answer === null ? outcome : inWords(answer, 'record')),
      ),
    ]),
    section(
      'Pagination',
      lists.flatMap(({ path, answer, paging }) =>
        paging === null || !answer?.pagination
          ? []
          : [line(`GET ${path}`, `${metadataInWords(answer.pagination)}; ${paging}`)],
      ),
    ),
    ...shapes.map((record) =>
      section(`${record.name}: fields in ${record.count} ${record.count === 1 ? 'record' : 'records'}`, [
        ...fieldsOf(record).map(({ name, type, always }) =>
          line(printable(name), `${type}${always ? '' : ', at times'}`),
        ),
        ...record.refused.map((reason) => `The client refuses such records: ${reason}.`),
      ]),
    ),
  ];
  return parts.join('');
}

/** The same findings for programs. */
export function jsonReport({ lists, records, shapes }: Findings): string {
  const form = (answer: Answer | null) => answer && { family: answer.family, place: answer.place };
  const told = (pagination: Pagination | null | undefined) =>
    pagination ? { place: pagination.place, fields: pagination.fields } : null;
  const report = {
    lists: lists.map(({ path, outcomes, answer, paging }) => ({
      path,
      credentials: outcomes,
      form: form(answer),
      pagination: told(answer?.pagination),
      paging,
    })),
    records: records.map(({ path, outcome, answer }) => ({ path, outcome, form: form(answer) })),
    fields: shapes.map((shape) => ({
      name: shape.name,
      count: shape.count,
      refused: shape.refused,
      fields: fieldsOf(shape),
    })),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** The fields of a record, without keys that are data. */
function fieldsOf({ shape }: RecordShape): { name: string; type: string; always: boolean }[] {
  const { count, fields } = shape.object ?? { count: 0, fields: new Map<string, never>() };
  return [...fields]
    .filter(([name]) => !looksLikeValue(name))
    .map(([name, seen]) => ({ name, type: typeInWords(seen.shape), always: seen.count === count }));
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

function isElsewhere({ documented, outcomes }: ListFinding): boolean {
  return !/^2/.test(outcomes[documented]) && Object.values(outcomes).some((label) => /^2/.test(label));
}

function inWords(answer: Answer | null, what: string): string {
  if (answer === null) return `no ${what} that the client can read`;
  const { family, place } = answer;
  return `${family}: the ${what} is ${place === null ? 'the whole body' : `under ${printable(place)}`}`;
}

function metadataInWords({ place, fields }: Pagination): string {
  return place === null ? 'no metadata' : `${fields.join(', ')} in ${place}`;
}
