import { RequestValidationError } from '../errors/request-validation-error.ts';
import type { Operation, OperationInput } from '../operation.ts';
import { collectPasswords } from '../redact.ts';
import { type Issue, toIssues } from '../standard-schema.ts';
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
  const given = { ...input, query: input.query ?? {} };
  const checked: { path?: unknown; query?: unknown; body?: unknown } = {};
  const issues: Issue[] = [];
  for (const part of ['path', 'query', 'body'] as const) {
    const schema = operation.request[part];
    if (schema === undefined) continue;
    const result = await schema['~standard'].validate(given[part]);
    if (result.issues === undefined) checked[part] = result.value;
    else issues.push(...toIssues(result.issues));
  }
  if (issues.length > 0) throw new RequestValidationError(operation.id, issues);
  const { path = {}, query = {}, body } = checked;
  const filled = fillPath(operation.path, path as Record<string, unknown>);
  return {
    path: filled,
    target: filled + toQueryString(query as Record<string, unknown>),
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
