// `client.request`: calls an endpoint that has no method of its own.

import type { ApiPromise } from '../core/api-promise.ts';
import { type AuthScheme, defineOperation, type HttpMethod } from '../core/operation.ts';
import type { RequestOptions } from '../core/options/client-options.ts';
import { Resource } from '../core/transport.ts';
import { customRequest } from '../schemas/custom-request.ts';
import { asRead } from '../schemas/fields.ts';
import type { StandardSchema } from '../util/standard-schema.ts';

/** A request to an endpoint that has no method of its own. */
export interface CustomRequest<Output = unknown> {
  /** HTTP method; it decides what is retried after a failure. */
  readonly method: HttpMethod;
  /** Path below the base URL, starting with a slash, without a query. */
  readonly path: string;
  /** Which header carries the key. */
  readonly auth: AuthScheme;
  /** Query parameters: strings, numbers or booleans; `undefined` ones are omitted, lists are repeated. */
  readonly query?: URLSearchParams | object | undefined;
  /** Any JSON value; not with GET. Values of fields named `password` are redacted in messages. */
  readonly body?: unknown;
  /** Checks the parsed body as it came. Without it, the result is the unchecked body. */
  readonly schema?: StandardSchema<Output> | undefined;
}

export class CustomRequests extends Resource {
  /** Sends one request. Its descriptor is made from what it says of itself. */
  send<Output>(request: CustomRequest<Output>, options?: RequestOptions): ApiPromise<Output> {
    // Plain JavaScript may pass nothing; the error then names the missing fields.
    const asked = (typeof request === 'object' && request) || {};
    const { data, error } = customRequest.safeParse(asked);
    const { method, path, auth, query, body, schema }: CustomRequest<Output> = Object(data ?? asked);
    const operation = defineOperation({
      id: 'request',
      method,
      path: (typeof path === 'string' ? path : '') as `/${string}`,
      auth,
      // What breaks a rule is refused as the parameters of any call are.
      request: error
        ? { path: { '~standard': { version: 1, vendor: '', validate: () => error } } }
        : { query: asRead, body: asRead },
      success: null,
      response: { kind: 'any', schema: schema as StandardSchema<Output> },
      secretFields: ['password'],
    });
    return this.transport.call(operation, { query, body }, options);
  }
}
