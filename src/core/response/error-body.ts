// Reads what an error response says: who sent it, the message and the field errors. The service documents no error body, so the
// common forms are read.

import { findJson, isObject } from '../../util/json.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { Redact } from '../redact.ts';
import { describePage } from './gateway-page.ts';
import { isServiceWord } from './service-word.ts';

/** What an error response says, in whichever form its body has. */
export interface ErrorDetails {
  readonly origin: ApiError['origin'];
  /** What a gateway sent, in words, if that is known; contains no secret. */
  readonly page: string;
  /** The service's message; `null` when it sent none. */
  readonly message: string | null;
  /** Messages by field, such as `participants.0.email`; those without a field are under `''`. */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
}

/** Reads an error response of any status. */
export function readDetails(text: string, isWhole: boolean, headers: Headers, redact: Redact): ErrorDetails {
  const body = findJson(text);
  if (isServiceWord(body, isWhole, headers)) return { origin: 'service', page: '', ...readErrorBody(body) };
  const page = describePage(text, isWhole, headers, redact);
  return { origin: 'gateway', page, message: null, fieldErrors: {} };
}

/**
 * Reads the parsed body of an error. Its field errors are what `errors` holds; without that, the first place that holds messages alone.
 * So rows that are echoed, problem documents and traces give none.
 */
export function readErrorBody(body: unknown): Pick<ErrorDetails, 'message' | 'fieldErrors'> {
  const { errors, error, detail, message, data } = isObject(body) ? body : {};
  const under = (name: string) => [body, error, data].map((holder) => Object(holder)[name]);
  const stated = under('errors').find((value) => Object(value) === value);
  const named = ['details', 'issues', 'violations'].flatMap(under);
  const places = [...named, detail, message, error, data, body].map((place) => [...leavesOf(place, false)]);
  const alone = places.find((leaves) => leaves.length > 0 && leaves.every(([, text]) => text !== null));
  // Not an object: a field may be called `constructor`.
  const fields = new Map<string, string[]>();
  for (const [path, text] of stated ? leavesOf(stated, true) : (alone ?? [])) {
    if (text === null) continue;
    const field = toDotted(path.join('.') || (fieldAtStart.exec(text)?.[0] ?? ''));
    fields.set(field, fields.get(field) ?? []);
    fields.get(field)?.push(text);
  }
  const said = [body, error]
    .map(Object)
    .flatMap((holder) => [holder.message, holder.detail, holder.msg, holder.title]);
  const texts = [...said, ...[...fields.values()].flat(), error, errors];
  return { message: findText(texts), fieldErrors: Object.fromEntries(fields) };
}

/** The name of a row's field, as a text about it begins: `participants.3.email` or `participants[3].email`. */
const fieldAtStart = /^[a-z_]\w*(\.\d+|\[\d+\])(\.[a-z_]\w*)+/i;

/** `participants.3.email` for `participants[3].email` and, as a JSON pointer, `/participants/3/email` or `#/participants/3/email`. */
function toDotted(path: string): string {
  const [, pointer] = /^#?\/(.*)/s.exec(path) ?? [];
  return (pointer?.replaceAll('/', '.') ?? path).replace(/\.?\[([^[\]]+)\]/g, '.$1').replace(/^\./, '');
}

/** The first string that says something. */
function findText(candidates: readonly unknown[]): string | null {
  const text = candidates.find((candidate) => typeof candidate === 'string' && candidate.trim() !== '');
  return typeof text === 'string' ? text.trim() : null;
}

/** `null` for what is no message. */
type Leaf = readonly [path: readonly unknown[], message: string | null];

/** What validators call the message of an item, and the field that it is about. */
const messageNames = ['msg', 'message', 'detail', 'defaultMessage'];
const pathNames = ['loc', 'field', 'path', 'param', 'propertyPath', 'pointer'];

/** A validator nests no deeper than the body that it validates. */
const DEEPEST_FIELD = 4;

/**
 * Whatever stands below a value. Texts in lists are messages, and with `isMessage` those in maps; a map in a list is one message or a row,
 * whose texts are data. The index of an item belongs to the path if it has fields of its own.
 */
function* leavesOf(value: unknown, isMessage: boolean, path: Leaf[0] = [], isItem = false): Generator<Leaf> {
  const isList = Array.isArray(value);
  const under = (names: readonly string[]) => names.map((name) => Object(value)[name] as unknown);
  const own = isItem ? findText(under(messageNames)) : null;
  if (own !== null) {
    const [keys = []] = under(pathNames)
      .map((each) => [each ?? []].flat().filter((key) => Object(key) !== key))
      .filter(({ length }) => length > 0);
    yield [[...path.slice(0, -1), ...keys.slice(keys[0] === 'body' ? 1 : 0)], own];
  } else if (path.length < DEEPEST_FIELD + Number(isList) && (isList ? value.length > 0 : isObject(value))) {
    for (const [key, each] of Object.entries(Object(value) as object)) {
      const inner = isList && Object(each) !== each ? path : [...path, key];
      yield* leavesOf(each, isList || (isMessage && !isItem), inner, isList);
    }
  } else yield [path, isMessage && typeof value === 'string' ? value : null];
}
