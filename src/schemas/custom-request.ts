// The rules for requests to endpoints that have no method of their own.

import * as z from 'zod/mini';
import { tagOf } from '../util/json.ts';
import { once } from '../util/once.ts';
import { isWellFormed, parametersIn, queryForm } from '../util/query.ts';
import { isStandardSchema } from '../util/standard-schema.ts';
import { ofCalls, parameters } from './parameters.ts';
import { check, parameter, satisfying } from './service-fields.ts';

/** What a path below the base URL must not be; the first that fits is reported. */
const pathRules: readonly (readonly [wrong: RegExp, message: string])[] = [
  [/^(?!\/)|^\/\//, 'must start with a single slash'],
  [/[?#]/, 'must not contain a query or a fragment; use `query`'],
  [/[\\\s\p{Cc}]/u, 'must not contain a backslash, a space or a control character'],
  [/[{}]/, 'must not contain braces: replace them with values'],
  // URL parsers resolve dot segments, even encoded ones, and so would leave the base URL; some servers treat an encoded
  // slash as a slash.
  [/(\/|%2f|%5c)(\.|%2e){1,2}(\/|%2f|%5c|$)/i, 'must not contain the segments "." or ".."'],
];

const isText = (path: unknown) => (typeof path === 'string' ? path : '');

const choiceOf = (choices: readonly unknown[]) =>
  satisfying((value) => choices.includes(value), `must be one of ${choices.join(', ')}`);

const query = () =>
  z.pipe(
    z.transform((given: unknown, { issues }): unknown => {
      const parameters = parametersIn(given);
      if (parameters === undefined)
        issues.push({ code: 'custom', message: `must be ${queryForm}`, input: given });
      return parameters ?? {};
    }),
    z.catchall(z.object({}), parameter()),
  );

const mustBeJson = 'must be a JSON value, not a function, bigint, NaN, form, file, stream or cycle';

/** Whether JSON keeps the value under a key. It drops a function, for example, and turns NaN into null. */
function isJson(holder: object, key: string, value: unknown): boolean {
  if (typeof value === 'string') return isWellFormed(value);
  if (typeof value === 'number') return Number.isFinite(value);
  // A field of `undefined` is left out, as everywhere; an item would become null.
  if (value === undefined) return !Array.isArray(holder);
  // An invalid date writes itself as null.
  if (value === null) return Reflect.get(holder, key) === null;
  if (typeof value !== 'object') return typeof value === 'boolean';
  const isPlain = /^(Object|Array|Date|String|Number|Boolean)$/.test(tagOf(value));
  return isPlain && !(Symbol.asyncIterator in value) && typeof Reflect.get(value, 'pipe') !== 'function';
}

const body = () =>
  z.transform((given: unknown, { issues }): unknown => {
    const reject = (path: string[], input: unknown) =>
      issues.push({ code: 'custom', message: mustBeJson, path, input });
    const paths = new Map<unknown, string[]>();
    try {
      const json = JSON.stringify(given, function (this: object, key: string, value: unknown) {
        const holder = paths.get(this);
        const path = holder === undefined ? [] : [...holder, key];
        paths.set(value, path);
        if (isJson(this, key, value)) return value;
        reject(path, value);
        return null;
      });
      return JSON.parse(json);
    } catch {
      // The platform's message may quote the body.
      if (issues.length === 0) reject([], given);
      return given;
    }
  });

/** A request; its query and body are read once. */
export const customRequest = once(() =>
  parameters(
    {
      method: choiceOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
      path: z
        .unknown()
        .check(
          ...pathRules.map(([wrong, message]) =>
            check((path: unknown) => !wrong.test(isText(path)), message, {}, true),
          ),
        ),
      auth: choiceOf(['clientKey', 'bearer']),
      query: z.optional(query()),
      body: z.optional(body()),
      schema: z.optional(satisfying(isStandardSchema, 'must be a Standard Schema')),
    },
    ofCalls,
    ({ value, issues }) => {
      const { method, body }: { readonly method?: unknown; readonly body?: unknown } = value;
      const message = 'cannot be sent with GET; use `query`';
      if (method === 'GET' && body !== undefined)
        issues.push({ code: 'custom', message, path: ['body'], input: body });
    },
  ),
);
