// Finds data in the body of a success, in any wrapper that the service's framework is known to produce.

import { isObject, type JsonObject, toList } from '../../util/json.ts';

/** A value found in a body, not yet checked. */
export interface Match {
  /** Where it was found: keys, outermost first. */
  readonly path: readonly PropertyKey[];
  readonly value: unknown;
}

/** No framework nests deeper than an envelope around a resource around a named record. */
const DEEPEST = 4;

/** Keys that accompany the data in an envelope or a paginator and are never the data itself. */
const companionKeys = new Set(
  (
    'success ok status code message error errors meta links pagination ' +
    'current_page per_page last_page total count from to path page limit request_id trace_id correlation_id ' +
    'first_page_url last_page_url'
  ).split(' '),
);

/** Names of what leads to another page, or says that there is one, as frameworks have them. */
export const pagingName = /^(has_?)?(next|more|prev(ious)?)(_?(page|url|cursor|token|link)s?)*$/i;

/** Walks from the body inwards: through `data`, or through the only key that accompanies nothing. */
function* walk(body: unknown): Generator<Match> {
  let match: Match = { path: [], value: body };
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
    yield match;
    const { path, value } = match;
    if (!isObject(value)) return;
    const hasData = Object.hasOwn(value, 'data');
    const [key, other] = hasData ? ['data'] : Object.keys(value).filter(isOwnKey);
    if (key === undefined || other !== undefined) return;
    if (!hasData && typeof value[key] !== 'object') return;
    match = { path: [...path, key], value: value[key] };
  }
}

export function isOwnKey(key: string): boolean {
  return !companionKeys.has(key) && !pagingName.test(key);
}

/**
 * Finds one record: the object that has the key. Without that key anywhere, the innermost object is left to the schema, unless what
 * it wraps is something else.
 */
export function findRecord(body: unknown, key: string): Match | null {
  let innermost: Match | null = null;
  for (const match of walk(body)) {
    if (!isObject(match.value)) return null;
    if (Object.hasOwn(match.value, key)) return match;
    innermost = match;
  }
  return innermost;
}

/** Finds a list, under `data` or as the only array of its object, and the objects around it, which may hold metadata of its pages. */
export function findList(body: unknown) {
  const envelopes: JsonObject[] = [];
  for (const { path, value } of walk(body)) {
    const items = toList(value);
    if (items !== null) return { path, value: items, envelopes };
    if (!isObject(value) || Object.hasOwn(value, 'id')) return null;
    envelopes.push(value);
    const names = Object.hasOwn(value, 'data') ? [] : Object.keys(value).filter(isOwnKey);
    // Only a record has such fields: it may contain lists but is not one.
    if (names.some((name) => name.endsWith('_id') || value[name] === null)) return null;
    const [name = '', ...others] = names.filter((each) => Array.isArray(value[each]));
    const only = others.length === 0 && toList(value[name]);
    if (only) return { path: [...path, name], value: only, envelopes };
  }
  return null;
}

/** Finds a link: a string, or a string under `url` or `link`. */
export function findLink(body: unknown): Match | null {
  for (const { path, value } of walk(body)) {
    if (typeof value === 'string') return { path, value: { url: value.trim() } };
    if (!isObject(value)) return null;
    const url = [value['url'], value['link']].find((candidate) => typeof candidate === 'string');
    if (url !== undefined) return { path, value: { ...value, url } };
  }
  return null;
}

/** PHP writes a boolean as its database gives it, which may be a number or a string. */
export function isFalse(value: unknown): boolean {
  return [false, 0, '0', 'false'].includes(value as string);
}

/** Whether a value says nothing: it is empty, or false in one of the forms above. An empty map is `[]` in PHP. */
export function isNothing(value: unknown): boolean {
  if (typeof value === 'object') return Object.keys(value ?? {}).length === 0;
  return !value || /^(0|false|null)$/i.test(String(value));
}
