// Finds the list or record in a response, and the form in which it came.

import { type PageInfo, readPageInfo } from '../../core/pages/metadata.ts';
import { findList, findRecord } from '../../core/response/find.ts';
import { isObject, toList } from '../../util/json.ts';

/** A body as the client reads it; `null` if the client finds neither a list nor a record in it. */
export interface ParsedResponse {
  /** The form, named as in `EmulatorStyle` if it is one of those. */
  readonly family: string;
  /** Where the list or the record is, such as `data`; `null` at the root. */
  readonly place: string | null;
  readonly items: readonly unknown[];
  /** What the body says about pages; `null` for a record. */
  readonly pagination: Pagination | null;
}

export interface Pagination {
  /** Where the metadata is, such as `meta` or `the headers`; `null` where there is none. */
  readonly place: string | null;
  /** Names of its fields. */
  readonly fields: readonly string[];
  readonly info: PageInfo;
}

export function parseListResponse(body: unknown, headers: Headers = new Headers()): ParsedResponse | null {
  const found = findList(body);
  if (found === null) return null;
  return {
    family: listFamily(body),
    place: found.path.join('.') || null,
    items: found.items,
    pagination: readPagination(body, headers, readPageInfo(found.envelopes)),
  };
}

export function parseRecordResponse(body: unknown): ParsedResponse | null {
  const found = findRecord(body, 'id');
  if (found === null) return null;
  const place = found.path.join('.') || null;
  return { family: recordFamily(body, place), place, items: [found.value], pagination: null };
}

function listFamily(body: unknown): string {
  if (!isObject(body)) return 'bare';
  if (isEnvelope(body)) return 'envelope';
  if (isObject(body['data']) || Array.isArray(body['data'])) {
    if (isObject(body['meta']) || isObject(body['links'])) return 'resource';
    if (Object.hasOwn(body, 'total')) return 'paginator';
    if (Object.hasOwn(body, 'current_page')) return 'simple';
    return Object.hasOwn(body, 'next_cursor') ? 'cursor' : 'data';
  }
  return toList(body) === null ? 'named' : 'keyed';
}

function recordFamily(body: unknown, place: string | null): string {
  if (place === null) return 'bare';
  if (isEnvelope(body)) return 'envelope';
  return place === 'data' ? 'resource' : 'named';
}

function isEnvelope(body: unknown): boolean {
  return isObject(body) && Object.hasOwn(body, 'success') && Object.hasOwn(body, 'data');
}

/** Names of page metadata, wherever a framework puts it. */
const pageFields =
  'current_page page per_page page_size limit total total_count count last_page total_pages next_page_url next_cursor'.split(
    ' ',
  );
const pageHeaders = ['x-total-count', 'x-page', 'x-per-page', 'link'];

function readPagination(body: unknown, headers: Headers, info: PageInfo): Pagination {
  for (const [place, holder] of holders(body)) {
    const fields = isObject(holder) ? pageFields.filter((name) => Object.hasOwn(holder, name)) : [];
    if (fields.length > 0) return { place, fields, info };
  }
  const sent = pageHeaders.filter((name) => headers.has(name));
  if (sent.length === 0) return { place: null, fields: [], info };
  const count = (name: string) =>
    /^\d{1,15}$/.test(headers.get(name) ?? '') ? Number(headers.get(name)) : null;
  const counted = {
    total: count('x-total-count'),
    perPage: count('x-per-page'),
    currentPage: count('x-page'),
  };
  return { place: 'the headers', fields: sent, info: { ...info, ...counted } };
}

function holders(body: unknown): [place: string, holder: unknown][] {
  if (!isObject(body)) return [];
  const { data, meta, pagination } = body;
  const inner = isObject(data) ? data : {};
  return [
    ['the root', body],
    ['meta', meta],
    ['meta.pagination', Object(meta).pagination],
    ['pagination', pagination],
    ['data', inner],
    ['data.meta', inner['meta']],
    ['data.meta.pagination', Object(inner['meta']).pagination],
    ['data.pagination', inner['pagination']],
  ];
}
