// What distinguishes the kinds of responses, as a table: where the data is, what must be there, and when an error is only a remark.

import { isObject, type JsonObject } from '../../util/json.ts';
import type { ResponseSpec } from '../operation.ts';
import { findLink, findList, findRecord, isFalse, isNothing, isOwnKey, type Match } from './find.ts';

type SpecOf<Kind> = Extract<ResponseSpec, { readonly kind: Kind }>;

interface ResponseKind<Spec extends ResponseSpec = ResponseSpec> {
  /** Finds the data; `null` if the body has none. */
  find(body: unknown, spec: Spec): Match | null;
  /** What a body must contain; `null` where anything will do, an empty body too. */
  readonly expects: string | null;
  /** Whether a body without `data` has what was asked for: then an error in it is a remark. Absent where it never has. */
  hasData?(body: unknown, spec: Spec): boolean;
}

const asList = { find: findList, expects: 'a list', hasData: hasItems };

const table: { readonly [Kind in ResponseSpec['kind']]: ResponseKind<SpecOf<Kind>> } = {
  record: {
    find: (body, { key }) => findRecord(body, key),
    expects: 'a record',
    hasData: (body, { key }) => Object.hasOwn(Object(findRecord(body, key)?.value), key),
  },
  list: asList,
  array: asList,
  link: {
    find: findLink,
    expects: 'a link, as a string or under `url` or `link`',
    hasData: (body) => findLink(body) !== null,
  },
  part: {
    find: (body, { path }) => {
      const value = path.reduce<unknown>((outer, key) => Object(outer)[key], body);
      return value === undefined || value === null ? null : { path, value };
    },
    expects: 'in the body',
  },
  acknowledgement: {
    find: (body) => ({ path: [], value: readAcknowledgement(body) }),
    expects: null,
    hasData: (body, { ofRows }) => ofRows === true && hasCount(body),
  },
  empty: { find: () => ({ path: [], value: undefined }), expects: null },
  any: { find: (body) => ({ path: [], value: body ?? null }), expects: null },
};

/** What distinguishes this kind of response. */
export function kindOf({ kind }: ResponseSpec): ResponseKind {
  return table[kind];
}

function hasItems(body: unknown): boolean {
  return !isNothing(findList(body)?.value);
}

/** Of many rows, some may have been taken: `{ "imported": 24, "errors": [ … ] }`. */
function hasCount(body: unknown): boolean {
  const response: JsonObject = Object(body);
  const names = Object.keys(response).filter(isOwnKey);
  return names.some((name) => typeof response[name] !== 'string' && !isNothing(response[name]));
}

function readAcknowledgement(body: unknown): unknown {
  if (!isObject(body)) return { message: null, data: body ?? null, body: body ?? null };
  const { success: _, message, data, ...rest } = body;
  const others = Object.keys(rest).length > 0 ? rest : null;
  return {
    message: typeof message === 'string' && message !== '' ? message : null,
    data: data === undefined ? others : data,
    body,
  };
}

/**
 * Detects a failure reported in the body of a success: `rejected` where it is an explicit no, `unknown` where the request may have
 * taken effect. An error beside the data that was asked for is a remark.
 */
export function findFailure(spec: ResponseSpec, body: unknown): 'rejected' | 'unknown' | null {
  if (spec.kind === 'any') return null;
  const { success, ok, status, error, errors, id, data } = Object(body);
  if (body === false || isFalse(success) || isFalse(ok)) return 'rejected';
  // The record itself may have a field of that name, and a 0 is often the code of a success.
  const isRecord = spec.kind === 'record' ? Object.hasOwn(Object(body), spec.key) : Number.isInteger(id);
  if (!isRecord && (status === false || status === 'false')) return 'rejected';
  if (!isRecord && ['error', 'fail', 'failed'].includes(status)) return 'unknown';
  if (isNothing(error) && isNothing(errors)) return null;
  return isNothing(data) && !kindOf(spec).hasData?.(body, spec) ? 'unknown' : null;
}
