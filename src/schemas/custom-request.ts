// The rules for requests to endpoints that have no method of their own.

import * as z from 'zod/mini';
import { tagOf } from '../util/json.ts';
import { isStandardSchema } from '../util/standard-schema.ts';
import { isParameter, isWellFormed, mustBeParameter, rule, where } from './fields.ts';
import { parameters } from './parameters.ts';

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

/** Parameters given several times become lists. */
const query = z.pipe(
  z.transform((given: unknown, { issues }): unknown => {
    const kind = tagOf(given);
    if (kind === 'URLSearchParams') {
      const pairs = given as URLSearchParams;
      return Object.fromEntries([...pairs.keys()].map((name) => [name, pairs.getAll(name)]));
    }
    // Maps, forms and lists of pairs do not keep their fields as own properties.
    if (kind !== 'Object') issues.push({ code: 'custom', message: 'must be an object', input: given });
    return { ...Object(given) };
  }),
  z.catchall(z.object({}), where(isParameter, mustBeParameter)),
);

/** Whether JSON writes a value as what it is, and does not turn it into another, as it does with forms and NaN. */
function isJson(value: unknown): boolean {
  if (typeof value === 'string') return isWellFormed(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  const isPlain = /^(Object|Array|Date|String|Number|Boolean)$/.test(tagOf(value));
  return isPlain && !(Symbol.asyncIterator in value) && typeof Reflect.get(value, 'pipe') !== 'function';
}

const body = z.transform((given: unknown, { issues }): unknown => {
  const check = (key: string, value: unknown) => {
    const message = 'must be a JSON value: forms, files and streams cannot be sent';
    if (!isJson(value)) issues.push({ code: 'custom', message, path: key === '' ? [] : [key], input: value });
    return value;
  };
  try {
    return JSON.parse(JSON.stringify(given, check));
  } catch {
    // What JSON cannot express at all is told when it is written.
    return given;
  }
});

/** A request; its query and body are read once. */
export const customRequest = parameters({
  method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.unknown().check(...pathRules),
  auth: oneOf(['clientKey', 'bearer']),
  query: z.optional(query),
  body: z.optional(body),
  schema: z.optional(where(isStandardSchema, 'must be a Standard Schema')),
}).check(({ value: { method, body }, issues }) => {
  const message = 'cannot be sent with GET; use `query`';
  if (method === 'GET' && body !== undefined)
    issues.push({ code: 'custom', message, path: ['body'], input: body });
});
