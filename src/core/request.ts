import { RequestValidationError } from './errors/request-validation-error.ts';
import type { Operation, OperationInput } from './operation.ts';
import { collectPasswords } from './redact.ts';
import { type Issue, type StandardSchema, toIssues } from './standard-schema.ts';
import { fillPath, toQueryString } from './url.ts';

/** A request that was checked and is ready to be sent, as often as needed. */
export interface PreparedRequest {
  /** Path below the base URL, without the query: what messages show. */
  readonly path: string;
  /** Path and query below the base URL. */
  readonly target: string;
  /** The JSON body; `undefined` for none. */
  readonly body: string | undefined;
  /** Passwords in the body, to be hidden wherever they are echoed. */
  readonly passwords: ReadonlyArray<string>;
}

/**
 * Checks the parameters of an operation against the documented rules and makes the request.
 *
 * @throws RequestValidationError naming every field that breaks a rule.
 */
export async function prepareRequest(operation: Operation, input: OperationInput): Promise<PreparedRequest> {
  const { request } = operation;
  const issues: Issue[] = [];
  const read = async (schema: StandardSchema | undefined, value: unknown): Promise<unknown> => {
    if (schema === undefined) return undefined;
    const result = await schema['~standard'].validate(value);
    if (result.issues === undefined) return result.value;
    issues.push(...toIssues(result.issues));
    return undefined;
  };
  const path = await read(request.path, input.path);
  const query = await read(request.query, input.query ?? {});
  const body = await read(request.body, input.body);
  if (issues.length > 0) throw new RequestValidationError(operation.id, issues);
  const filled = fillPath(operation.path, (path ?? {}) as Record<string, unknown>);
  return {
    path: filled,
    target: filled + toQueryString((query ?? {}) as Record<string, unknown>),
    body: body === undefined ? undefined : stringify(operation.id, body),
    passwords: collectPasswords(body),
  };
}

function stringify(operation: string, body: unknown): string {
  try {
    const text: string | undefined = JSON.stringify(body);
    if (text !== undefined) return text;
  } catch {
    // Not kept as a cause: the platform's message may show a part of the body.
  }
  throw new RequestValidationError(operation, [
    { path: 'body', message: 'cannot be written as JSON: it is or holds a cycle, a bigint or a function' },
  ]);
}
