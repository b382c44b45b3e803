// The rules for requests to endpoints that have no method of their own.

import * as z from 'zod/mini';
import { tagOf } from '../util/json.ts';
import { isStandardSchema } from '../util/standard-schema.ts';
import { isParameter, isWellFormed, mustBeParameter, rule, where } from './fields.ts';
import { parameters } from './parameters.ts';

type Issues = z.core.$ZodRawIssue[];

function refuse(issues: Issues, message: string, path: string[], input: unknown): void {
  issues.push({ code: 'custom', message, path, input });
}

/** What a path below the base URL must not be; the first that fits is told. */
const pathRules = (
  [
    [/^(?!\/)|^\/\//, 'must start with a single slash'],
    [/[?#]/, 'must not contain a query or a fragment; use `query`'],
    [/[\\\s\p{Cc}]/u, 'must not contain a backslash, a space or a control character'],
    [/[{}]/, 'must not contain braces: replace them with values'],
    // URL parsers resolve dot segments, even encoded ones, and so would leave the base URL; some servers treat an encoded
    // slash as a slash.
    [/(\/|%2f|%5c)(\.|%2e){1,2}(\/|%2f|%5c|$)/i, 'must not contain the segments "." or ".."'],
  ] as const
).map(([wrong, message]) =>
  rule((path: unknown) => !wrong.test(typeof path === 'string' ? path : ''), message, {}, true),
);

const oneOf = (choices: readonly unknown[]) =>
  where((value) => choices.includes(value), `must be one of ${choices.join(', ')}`);

/** A request as the caller wrote it; its query and body have rules of their own. */
export const customRequest = parameters({
  method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.unknown().check(...pathRules),
  auth: oneOf(['clientKey', 'bearer']),
  query: z.optional(z.unknown()),
  body: z.optional(z.unknown()),
  schema: z.optional(
    where((value) => value === undefined || isStandardSchema(value), 'must be a Standard Schema'),
  ),
}).check(({ value: { method, body }, issues }) => {
  if (method === 'GET' && body !== undefined)
    refuse(issues, 'cannot be sent with GET; use `query`', ['body'], body);
});

/** The query of a request, read once; parameters given several times become lists. */
export const customQuery = z.transform((query: unknown, { issues }): unknown => {
  if (query === undefined) return {};
  const kind = tagOf(query);
  // Maps, forms and lists of pairs do not keep their fields as own properties.
  if (kind !== 'Object' && kind !== 'URLSearchParams') refuse(issues, 'must be an object', ['query'], query);
  const given = query as URLSearchParams;
  const read: Record<string, unknown> =
    kind === 'URLSearchParams'
      ? Object.fromEntries([...given.keys()].map((name) => [name, given.getAll(name)]))
      : { ...given };
  const wrong = Object.keys(read).find((name) => !isParameter(read[name]));
  if (wrong !== undefined && issues.length === 0) refuse(issues, mustBeParameter, ['query', wrong], query);
  return read;
});

/** Whether JSON writes a value as what it is, and does not turn it into another, as it does with forms and NaN. */
function isJson(value: unknown): boolean {
  if (typeof value === 'string') return isWellFormed(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  const isPlain = /^(Object|Array|Date|String|Number|Boolean)$/.test(tagOf(value));
  return isPlain && !(Symbol.asyncIterator in value) && typeof Reflect.get(value, 'pipe') !== 'function';
}

/** The body of a request, read once. */
export const customBody = z.transform((body: unknown, { issues }): unknown => {
  if (body === undefined) return undefined;
  const check = (key: string, value: unknown) => {
    const path = key === '' ? ['body'] : ['body', key];
    if (!isJson(value))
      refuse(issues, 'must be a JSON value: forms, files and streams cannot be sent', path, value);
    return value;
  };
  try {
    return JSON.parse(JSON.stringify(body, check));
  } catch {
    // What JSON cannot express at all is told when it is written.
    return body;
  }
});
