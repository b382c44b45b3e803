// `client.request`: calls an endpoint that has no method of its own.

import type { ApiPromise } from '../core/api-promise.ts';
import { readArgument } from '../core/arguments.ts';
import { type AuthScheme, defineOperation, type HttpMethod, type SchemaSource } from '../core/operation.ts';
import type { RequestOptions } from '../core/options/client-options.ts';
import { Resource } from '../core/transport.ts';
import { customRequest } from '../schemas/custom-request.ts';
import { passthrough } from '../schemas/service-fields.ts';
import type { StandardSchema } from '../util/standard-schema.ts';

/** A request to an endpoint that has no method of its own. */
export interface CustomRequest<Output = unknown> {
  /** HTTP method; it decides what is retried after a failure. */
  readonly method: HttpMethod;
  /** Path below the base URL, starting with a slash, without a query. */
  readonly path: string;
  /** Which header carries the key. */
  readonly auth: AuthScheme;
  /**
   * Query parameters: a plain object of strings, numbers and booleans, in which a list is sent as one parameter for each item and
   * `undefined` is left out, or a `URLSearchParams`.
   */
  readonly query?: object | undefined;
  /**
   * Any JSON value; not with GET. Fields that are `undefined` are left out; anything else that JSON would drop or change, such as a
   * function or NaN, is rejected. Values of fields named `password` are redacted in messages.
   */
  readonly body?: unknown;
  /** Checks the parsed body as it came. Without it, the result is the unchecked body. */
  readonly schema?: StandardSchema<Output> | undefined;
}

export class CustomRequests extends Resource {
  /** Sends one request. The request itself describes the operation. */
  send<Output>(request: CustomRequest<Output>, options?: RequestOptions): ApiPromise<Output> {
    const result = readArgument(customRequest(), request);
    const { method, path, auth, query, body, schema }: CustomRequest<Output> = Object(
      result.issues ? undefined : result.value,
    );
    const operation = defineOperation({
      id: 'request',
      method,
      path: (path ?? '') as `/${string}`,
      auth,
      // Reported as for the parameters of any call.
      request: result.issues
        ? { path: () => ({ '~standard': { version: 1, vendor: '', validate: () => result } }) }
        : { query: passthrough, body: passthrough },
      takes: customRequest,
      success: null,
      response: { kind: 'any', schema: (schema && (() => schema)) as SchemaSource<StandardSchema<Output>> },
      secretFields: ['password'],
    });
    // `request('GET', '/exams')` is about its first argument.
    const isNamed = typeof request === 'object';
    return this.transport.call(operation, { query, body }, isNamed ? options : undefined);
  }
}
