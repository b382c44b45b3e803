// Checks the requests of `client.request`, for endpoints that have no method of their own.

import { tagOf } from '../../util/json.ts';
import { isStandardSchema, type StandardSchema } from '../../util/standard-schema.ts';
import { findUnknownName } from '../../util/suggest.ts';
import type { AuthScheme } from '../attempt/auth.ts';
import { Call } from '../call.ts';
import type { Config } from '../config.ts';
import { RequestValidationError } from '../errors/request-validation-error.ts';
import type { AnySpec, Operation } from '../operation.ts';
import type { RequestOptions } from '../options.ts';
import { resolveCall } from './call-options.ts';
import type { HttpMethod } from './http-method.ts';
import { stringify } from './prepare.ts';
import { findPathProblem } from './url.ts';

/** A request to an endpoint that has no method of its own. */
export interface CustomRequest<Output = unknown> {
  /** HTTP method; it decides what is retried after a failure. */
  readonly method: HttpMethod;
  /** Path below the base URL, starting with a slash, without a query. */
  readonly path: string;
  /** Which header carries the key. */
  readonly auth: AuthScheme;
  /** Query parameters: strings, numbers or booleans; `undefined` ones are omitted, lists are repeated. */
  readonly query?: URLSearchParams | Readonly<Record<string, unknown>> | undefined;
  /** Any JSON value; not with GET. */
  readonly body?: unknown;
  /** Checks the parsed body as it came. Without it, the result is the unchecked body. */
  readonly schema?: StandardSchema<Output> | undefined;
}

/** The fields of a custom request. */
const requestNames = Object.keys({
  method: true,
  path: true,
  auth: true,
  query: true,
  body: true,
  schema: true,
} satisfies Record<keyof CustomRequest, true>);

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const schemes: readonly string[] = ['clientKey', 'bearer'];

/** A custom request whose fields were read once, with its operation. Nothing is checked yet. */
interface ReadRequest {
  readonly request: unknown;
  readonly operation: Operation<AnySpec>;
  readonly query: Readonly<Record<string, unknown>> | undefined;
  readonly body: unknown;
}

export function readRequest(request: CustomRequest): ReadRequest {
  // Plain JavaScript may pass nothing; the error then names the missing fields.
  const { method, path, auth, query, body, schema }: CustomRequest = Object(request);
  const operation = {
    id: 'request',
    method,
    path: (typeof path === 'string' ? path : '') as `/${string}`,
    auth,
    retry: method === 'POST' || method === 'PATCH' ? 'unprocessed' : 'idempotent',
    request: {},
    success: null,
    response: { kind: 'any', schema },
  } as const;
  return { request, operation, query: readQuery(query), body };
}

/**
 * Makes a call from a custom request; it follows the same rules as any other.
 *
 * @throws {RequestValidationError} naming every field that cannot be sent
 * @throws {ConfigurationError} when an option is invalid
 */
export function prepareCustom(
  config: Config,
  { request, operation, query, body }: ReadRequest,
  options: RequestOptions | undefined,
): Call {
  const {
    method,
    path,
    auth,
    response: { schema },
  } = operation;
  const unknown = findUnknownName(Object(request), requestNames);
  const problems: Record<string, string | null> = {
    ...(unknown !== null && typeof request === 'object' && { '': `does not take ${unknown}` }),
    method: methods.includes(method) ? null : `must be one of ${methods.join(', ')}`,
    path: findPathProblem(path),
    auth: schemes.includes(auth) ? null : `must be one of ${schemes.join(', ')}`,
    ...findQueryProblems(query),
    body: findBodyProblem(method, body),
    schema: schema === undefined || isStandardSchema(schema) ? null : 'must be a Standard Schema',
  };
  const issues = Object.entries(problems).flatMap(([part, message]) =>
    message === null ? [] : { path: part, message },
  );
  if (issues.length > 0) throw new RequestValidationError('request', issues);
  const json = body === undefined ? undefined : stringify('request', body, refuseForeign);
  const parts = { path: {}, query: query ?? {}, body: json };
  const rules = options === undefined ? config.rules : resolveCall(config.rules, options);
  return new Call(config, operation, parts, { signal: undefined, ...rules });
}

function findQueryProblems(query: CustomRequest['query']): Record<string, string> {
  if (query === undefined) return {};
  // Maps, forms and lists of pairs do not keep their fields as own properties.
  if (tagOf(query) !== 'Object') return { query: 'must be an object' };
  const isSimple = (value: unknown) =>
    ['string', 'boolean', 'undefined'].includes(typeof value) || Number.isFinite(value);
  const wrong = Object.entries(query).filter(
    ([, value]) => !(Array.isArray(value) ? value : [value]).every(isSimple),
  );
  return Object.fromEntries(
    wrong.map(([name]) => [`query.${name}`, 'must be a string, a number, true or false, or a list of these']),
  );
}

/** JSON would silently turn a form, a file or a stream into `{}`, and NaN into null. */
function findBodyProblem(method: string, body: unknown): string | null {
  if (method === 'GET' && body !== undefined) return 'cannot be sent with GET; use `query`';
  return isJson(body) ? null : NOT_JSON;
}

const NOT_JSON = 'must be a JSON value: forms, files and streams cannot be sent';

function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  const isPlain = /^(Object|Array|Date|String|Number|Boolean)$/.test(tagOf(value));
  return isPlain && !(Symbol.asyncIterator in value) && typeof Reflect.get(value, 'pipe') !== 'function';
}

/** Rejects a value deep in the body that JSON would turn into another. */
function refuseForeign(key: string, value: unknown): unknown {
  if (isJson(value)) return value;
  throw new RequestValidationError('request', [{ path: `body.${key}`, message: NOT_JSON }]);
}

/** Reads the parameters once. Anything that is not a query is left to the check. */
function readQuery(query: CustomRequest['query']): Readonly<Record<string, unknown>> | undefined {
  const tag = tagOf(query);
  if (tag !== 'URLSearchParams') return tag === 'Object' ? { ...query } : (query as undefined);
  const parameters = query as URLSearchParams;
  return Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name)]));
}
