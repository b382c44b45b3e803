import { findList, findRecord } from '../../core/answer/find.ts';
import type { PageInfo } from '../../core/pages/page-info.ts';
import { isObject, toList } from '../../util/json.ts';

/** A body as the client reads it; `null` if the client finds neither a list nor a record in it. */
export interface Answer {
  /** The form, named as in `EmulatorStyle` if it is one of those. */
  readonly family: string;
  /** Where the list or the record is, such as `data`; `null` at the root. */
  readonly place: string | null;
  readonly items: readonly unknown[];
  /** What the body says about pages; `null` for a record. */
  readonly pagination: Pagination | null;
}

export interface Pagination {
  /** Where the metadata is; `null` if there is none. */
  readonly place: string | null;
  /** Names of its fields. */
  readonly fields: readonly string[];
  readonly info: PageInfo;
}

export function readListAnswer(body: unknown): Answer | null {
  const found = findList(body);
  if (found === null) return null;
  return {
    family: listFamily(body),
    place: found.path.join('.') || null,
    items: found.items,
    pagination: { ...metadata(body), info: found.info },
  };
}

export function readRecordAnswer(body: unknown): Answer | null {
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

/** Fields by which pages can be recognised, wherever a framework puts them. */
const pageFields = ['current_page', 'per_page', 'total', 'last_page', 'next_page_url', 'next_cursor'];

function metadata(body: unknown): Pick<Pagination, 'place' | 'fields'> {
  if (isObject(body)) {
    const { data, meta, pagination } = body;
    const candidates: [string, unknown][] = [
      ['the root', body],
      ['meta', meta],
      ['meta.pagination', isObject(meta) ? meta['pagination'] : undefined],
      ['pagination', pagination],
      ['data', data],
    ];
    for (const [place, holder] of candidates) {
      const fields = isObject(holder) ? pageFields.filter((name) => Object.hasOwn(holder, name)) : [];
      if (fields.length > 0) return { place, fields };
    }
  }
  return { place: null, fields: [] };
}
