// Reads what callers pass to the methods of a client. An argument that cannot be read is rejected: no call is sent with a part of them.

import { type SchemaResult, type StandardSchema, toIssues } from '../util/standard-schema.ts';
import { isExamServiceError } from './errors/base.ts';
import { RequestValidationError } from './errors/request-error.ts';
import type { OperationName } from './operation.ts';
import { isThenable } from './time.ts';

/** What is wrong with an argument that throws when it is read. */
export const unreadable = {
  message: 'an argument cannot be read: a getter throws, or a Proxy was revoked; pass a plain object',
};

/** An argument as its schema reads it; one that throws when it is read is rejected as a wrong one is. */
export function readArgument<Output>(schema: StandardSchema<Output>, value: unknown): SchemaResult<Output> {
  const result = schema['~standard'].validate(value);
  // The schemas of requests are synchronous, but zod tries again asynchronously where reading throws.
  if (!isThenable(result)) return result;
  result.then(undefined, () => {});
  return { issues: [unreadable] };
}

/**
 * What `read` makes of arguments.
 *
 * @param method the method that was called, for the message
 * @throws {RequestValidationError} when they cannot be read
 */
export function readArguments<T>(method: OperationName, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isExamServiceError(error)) throw error;
    throw new RequestValidationError(method, toIssues([unreadable]));
  }
}
