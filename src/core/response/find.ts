// Finds the data in an answer, whichever way the service wrapped it.

import { isObject, type JsonObject, toList } from '../../util/json.ts';

/** A value found in a body, not yet checked; `path` says where it was found. */
export interface Found {
  readonly path: readonly PropertyKey[];
  readonly value: unknown;
}

/** No framework nests deeper than an envelope around a resource around a named record. */
const DEEPEST = 4;

/** Keys that accompany the data in an envelope or a paginator and are never the data itself. */
const companionKeys = new Set(
  (
    'success status code message error errors meta links pagination ' +
    'current_page per_page last_page total count from to path page limit ' +
    'first_page_url last_page_url'
  ).split(' '),
);

/** Names of what leads to another page, or says that there is one, as frameworks have them. */
export const pagingName = /^(has_?)?(next|more|prev(ious)?)(_?(page|url|cursor|token|link)s?)*$/i;

/** Keys of a refusal. */
const refusalKeys = new Set(['error', 'errors', 'message', 'code', 'status', 'success', 'ok']);

/** Walks from the body inwards through its wrappers, as long as the way is unambiguous. */
function* unwrap(body: unknown): Generator<Found> {
  let found: Found = { path: [], value: body };
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
    yield found;
    const { path, value } = found;
    if (!isObject(value)) return;
    // `data`, or the only key that is not a companion.
    const own = Object.hasOwn(value, 'data')
      ? ['data']
      : Object.keys(value).filter((key) => !companionKeys.has(key) && !pagingName.test(key));
    const [key = ''] = own;
    if (own.length !== 1 || (key !== 'data' && typeof value[key] !== 'object')) return;
    found = { path: [...path, key], value: value[key] };
  }
}

/**
 * Finds one record: bare, under `data`, under its own name, or in an envelope around these. Without the key that
 * identifies it, the innermost object is taken and left to the schema.
 */
export function findRecord(body: unknown, key: string): Found | null {
  let innermost: Found | null = null;
  for (const found of unwrap(body)) {
    if (!isObject(found.value)) return found.value === null ? null : innermost;
    if (Object.hasOwn(found.value, key)) return found;
    innermost = found;
  }
  return innermost;
}

/**
 * Finds a list: bare, keyed by number, under `data` or its own name, with or without an envelope and metadata; and the
 * objects around it, which may say something about its pages.
 */
export function findList(body: unknown) {
  const levels: JsonObject[] = [];
  for (const { path, value } of unwrap(body)) {
    const items = toList(value);
    if (items !== null) return { path, items, levels };
    if (isObject(value)) {
      // A record may contain lists but is not one.
      if (Object.hasOwn(value, 'id')) return null;
      levels.push(value);
    }
  }
  return null;
}

/** What a command says about its success. The body may be empty. */
export function readAcknowledgement(body: unknown): Found {
  if (!isObject(body)) return { path: [], value: { message: null, data: body ?? null, body: body ?? null } };
  const { success: _, message, data, ...rest } = body;
  const others = Object.keys(rest).length > 0 ? rest : null;
  return {
    path: [],
    value: {
      message: typeof message === 'string' && message !== '' ? message : null,
      data: data === undefined ? others : data,
      body,
    },
  };
}

/** Finds a link: a string that is a URL, or a record with `url` or `link`, wrapped or not. */
export function findLink(body: unknown): Found | null {
  for (const { path, value } of unwrap(body)) {
    if (typeof value === 'string') return { path, value: { url: value.trim() } };
    if (!isObject(value)) return null;
    const url = [value['url'], value['link']].find((candidate) => typeof candidate === 'string');
    if (url !== undefined) return { path, value: { ...value, url } };
  }
  return null;
}

/** Takes `data` and `meta` from a documented envelope. */
export function findEnvelope(body: unknown): Found | null {
  if (!isObject(body) || !Object.hasOwn(body, 'data')) return null;
  return { path: [], value: { data: body['data'], meta: body['meta'] } };
}

/**
 * What became of an operation whose body says that it failed, despite a successful status: `rejected`, or `unknown` where the body says
 * more than that. `null` where it says no such thing: an error beside data is a remark, but one without data is a failure.
 *
 * @param isCommand whether `errors` may be those of some rows, beside others that were taken
 */
export function findFailure(body: unknown, isCommand: boolean): 'rejected' | 'unknown' | null {
  if (body === false) return 'rejected';
  const answer = Object(body) as JsonObject;
  const { error, errors, id, status, code, data, ok } = answer;
  const hasData = () => !isNothing(data) || [answer, ...Object.values(answer)].some(isContent);
  // PHP writes what its database gives it, which may be a string.
  const success = textOf(answer['success'] ?? (ok === undefined || hasData() ? '' : ok));
  if (['false', '0'].includes(success)) return 'rejected';
  const isAlone = () => Object.keys(answer).every((key) => refusalKeys.has(key) || isNothing(answer[key]));
  const isError = !isNothing(error) || !(isCommand || isNothing(errors));
  if (isError && !hasData() && !['true', '1'].includes(success)) {
    if (isAlone()) return 'rejected';
    // A number may count errors beside what was done.
    if (typeof error !== 'number') return 'unknown';
  }
  // Some services put the HTTP status of a refusal into a success. A record may have a status of its own, and a text be any code.
  const http = Number(textOf(status ?? (typeof code === 'number' ? code : 0)));
  const isErrorStatus = http >= 400 && http <= 599;
  if (isErrorStatus && (isAlone() || (typeof status === 'number' && !hasData()))) return 'rejected';
  const isFailed = status === false || /^(error|fail|failed)$/i.test(textOf(status));
  return isFailed && id === undefined ? 'rejected' : null;
}

/** A text, number or boolean as text; nothing for an object, whose own `toString` may be anything in JSON. */
function textOf(value: unknown): string {
  return typeof value === 'object' ? '' : String(value);
}

/** Whether a value is a record with an id, a list of these, or an address. */
function isContent(value: unknown): boolean {
  if (typeof value === 'string') return /^https?:/i.test(value);
  return [value].flat().some((one) => Object(one).id !== undefined);
}

/** Whether a value says nothing: empty, or a no as PHP writes it where its database gives strings. An empty map is `[]` there. */
export function isNothing(value: unknown): boolean {
  if (typeof value === 'object') return Object.keys(value ?? {}).length === 0;
  return !value || /^(0|false|null)$/i.test(String(value));
}
