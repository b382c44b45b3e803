import type { ResponseSpec } from './answer/find.ts';
import type { AuthScheme } from './attempt/auth.ts';
import type { RetryClass } from './attempt/retry.ts';
import type { HttpMethod } from './request/http-method.ts';
import type { StandardSchema } from './standard-schema.ts';

/**
 * All that is known of one endpoint. A resource method adds nothing to it but its arguments, so that a
 * description of the interface can be made from the descriptors alone.
 */
export interface Operation<Spec extends ResponseSpec = ResponseSpec> {
  /** Name in this package, such as `participants.import`; part of every error message. */
  readonly id: string;
  readonly method: HttpMethod;
  /** Path below the base URL, with `{name}` for each path parameter. */
  readonly path: `/${string}`;
  readonly auth: AuthScheme;
  readonly retry: RetryClass;
  /** What the interface document allows in each part of the request; an absent part is not sent. */
  readonly request: {
    readonly path?: StandardSchema;
    readonly query?: StandardSchema;
    readonly body?: StandardSchema;
  };
  /** Documented success status, or `null` where the document does not show it. */
  readonly success: number | null;
  readonly response: Spec;
}

/** The parts of one request, before they are checked. */
export interface OperationInput {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

/** Declares an endpoint. */
// @__NO_SIDE_EFFECTS__
export function defineOperation<const Spec extends ResponseSpec>(
  operation: Operation<Spec>,
): Operation<Spec> {
  return operation;
}
