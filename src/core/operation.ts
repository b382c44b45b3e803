import type { StandardSchema } from '../util/standard-schema.ts';
import type { AuthScheme } from './attempt/auth.ts';
import type { RecordSchemas } from './record-schemas.ts';
import type { HttpMethod } from './request/http-method.ts';

/**
 * What an operation answers with. Most bodies are not shown by the interface document, so an answer is looked
 * for in every wrapping that the service's framework is known to produce, and then checked.
 */
export type ResponseSpec = SingleSpec | ListSpec;

/** An answer that is one value. */
export type SingleSpec =
  | RecordSpec
  /** A command: whatever comes, with its message. */
  | { readonly kind: 'acknowledgement' }
  /** A command whose answer says nothing. */
  | { readonly kind: 'nothing' }
  /** A link, as a text or in a record. */
  | { readonly kind: 'link'; readonly schema: StandardSchema }
  /** A documented envelope, of which `data` and `meta` are both part of the answer. */
  | { readonly kind: 'envelope'; readonly schema: StandardSchema }
  | AnySpec;

/** A body that is not looked into, unless there is a schema. */
export interface AnySpec {
  readonly kind: 'any';
  readonly schema: StandardSchema | undefined;
}

/** One record. */
export interface RecordSpec {
  readonly kind: 'record';
  /** A key that only the record has, by which it is told from its wrappings. */
  readonly key: string;
  readonly schema: StandardSchema;
  /** The client option that describes the record further. */
  readonly refinedBy?: keyof RecordSchemas;
  /** What of the record cannot be had again: with that, it is given to the caller in every mode, whatever else differs. */
  readonly essential?: StandardSchema;
}

/** A list, page by page. */
export interface ListSpec {
  readonly kind: 'list';
  /** Schema of one item. */
  readonly schema: StandardSchema;
  readonly refinedBy?: keyof RecordSchemas;
}

/**
 * What may be repeated. `idempotent`: repeating the request changes nothing more. `unprocessed`: it is
 * repeated only where the first one cannot have taken effect, because a repetition would do the work twice.
 */
export type RetryClass = 'idempotent' | 'unprocessed';

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
  /** Whether the request completes one that has taken effect, so that no failure of it means that nothing happened. */
  readonly isFollowUp?: boolean;
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
