// The first step of a call: checks its parameters before anything is sent.

import { type Issue, type SchemaResult, toIssues } from '../../util/standard-schema.ts';
import { Call } from '../call.ts';
import type { Config } from '../config.ts';
import { isExamServiceError } from '../errors/base.ts';
import { RequestValidationError } from '../errors/request-validation-error.ts';
import type { Operation, OperationInput } from '../operation.ts';
import type { ListOptions } from '../options.ts';
import { resolveCall } from './call-options.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Checks the parameters of an operation against the documented rules and creates the call. Everything the caller passed
 * is read here, so that changing it later has no effect.
 *
 * @throws {RequestValidationError} naming every field that breaks a rule
 * @throws {ConfigurationError} when an option is invalid
 */
export function prepare(
  config: Config,
  operation: Operation,
  input: OperationInput,
  options: ListOptions<never> | undefined,
): Call {
  const issues: Issue[] = [];
  const read = (part: keyof OperationInput): unknown => {
    const schema = operation.request[part];
    if (schema === undefined) return undefined;
    // Request schemas are synchronous, although the type of Standard Schemas does not say so.
    const result = schema['~standard'].validate(input[part]) as SchemaResult<unknown>;
    if (result.issues === undefined) return result.value;
    issues.push(...toIssues(result.issues));
    return undefined;
  };
  const path = (read('path') ?? {}) as Values;
  const query = copyLists((read('query') ?? {}) as Values);
  const body = read('body');
  if (issues.length > 0) throw new RequestValidationError(operation.id, issues);
  const json = body === undefined ? undefined : stringify(operation.id, body);
  const isList = operation.response.kind === 'list';
  const rules = options === undefined ? config.rules : resolveCall(config.rules, options, isList);
  return new Call(config, operation, { path, query, body: json }, { signal: undefined, ...rules });
}

/** An iteration sends its query again and again; a schema may not have copied its lists. */
function copyLists(values: Values): Values {
  const entries = Object.entries(values);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? [...value] : value]),
  );
}

/** @throws {RequestValidationError} for a body that cannot be serialized as JSON */
export function stringify(
  operation: string,
  body: unknown,
  check?: (key: string, value: unknown) => unknown,
): string {
  try {
    const json: string | undefined = JSON.stringify(body, check);
    if (json !== undefined) return json;
  } catch (error) {
    if (isExamServiceError(error)) throw error;
    // Not kept as a cause: the platform's message may show part of the body.
  }
  throw new RequestValidationError(operation, [
    {
      path: 'body',
      message: 'cannot be serialized as JSON: it is or contains a cycle, a bigint or a function',
    },
  ]);
}
