import type { AuthScheme } from '../attempt/auth.ts';
import type { Operation, OperationInput, SingleSpec } from '../operation.ts';
import type { StandardSchema } from '../standard-schema.ts';
import type { HttpMethod } from './http-method.ts';
import { findPathProblem } from './url.ts';

/** A request to an endpoint that has no method of its own. */
export interface CustomRequest<Output = unknown> {
  /** HTTP method; it decides what is repeated after a failure. */
  readonly method: HttpMethod;
  /** Path below the base URL, beginning with a slash, without a query. */
  readonly path: string;
  /** Which header carries the key. */
  readonly auth: AuthScheme;
  /** Query parameters; those that are `undefined` are left out, lists are repeated. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Any JSON value; not with GET. */
  readonly body?: unknown;
  /** Checks the parsed body as it came. Without it, the result is the body, not looked into. */
  readonly schema?: StandardSchema<Output> | undefined;
}

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const schemes: readonly string[] = ['clientKey', 'bearer'];

/** Describes a custom request like any other operation, so that it is performed by the same rules. */
export function customOperation(request: CustomRequest): {
  operation: Operation<SingleSpec>;
  input: OperationInput;
} {
  // Plain JavaScript may call it with nothing; then it is the missing parts that are named.
  const { method, path, auth, query, body, schema }: CustomRequest = Object(request);
  const problems = findProblems({ method, path, auth, query, body });
  return {
    operation: {
      id: 'request',
      method,
      path: path as `/${string}`,
      auth,
      retry: method === 'POST' || method === 'PATCH' ? 'unprocessed' : 'idempotent',
      request: {
        path: refuseFor(problems),
        query: passOn,
        ...(body !== undefined && { body: passOn }),
      },
      success: null,
      response: { kind: 'any', schema },
    },
    input: { path: {}, query, body },
  };
}

function findProblems({ method, path, auth, query, body }: CustomRequest): Record<string, string> {
  const problems: Record<string, string> = {};
  const pathProblem = findPathProblem(path);
  if (!methods.includes(method)) problems['method'] = `must be one of ${methods.join(', ')}`;
  if (pathProblem !== null) problems['path'] = pathProblem;
  if (!schemes.includes(auth)) problems['auth'] = `must be one of ${schemes.join(', ')}`;
  if (query !== undefined && (typeof query !== 'object' || query === null))
    problems['query'] = 'must be an object';
  if (method === 'GET' && body !== undefined) problems['body'] = 'cannot be sent with GET; use `query`';
  return problems;
}

const passOn: StandardSchema = {
  '~standard': { version: 1, vendor: 'exam-service-sdk', validate: (value) => ({ value }) },
};

function refuseFor(problems: Readonly<Record<string, string>>): StandardSchema {
  const issues = Object.entries(problems).map(([field, message]) => ({ path: [field], message }));
  return {
    '~standard': {
      version: 1,
      vendor: 'exam-service-sdk',
      validate: (value) => (issues.length === 0 ? { value } : { issues }),
    },
  };
}
