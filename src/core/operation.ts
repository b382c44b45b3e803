// The descriptor of an endpoint: method, path, credential, schemas, form of the response, what may be repeated.

import type { StandardSchema } from '../util/standard-schema.ts';
import type { RecordSchemas } from './records.ts';

/** An HTTP method that the service's API uses. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Name of an operation: that of the client's method, such as `exams.list`. Minor versions may add names. */
export type OperationName =
  | `participants.${'import' | 'importAll' | 'findByEmail' | 'retrieve' | 'update' | 'list'}`
  | `examParticipants.${'assign' | 'unassign' | 'link' | 'ensure' | 'assignAll'}`
  | `exams.${'list' | 'retrieve'}`
  | 'examResults.list'
  | `webhooks.${'list' | 'availableEvents' | 'create' | 'ensure' | 'update' | 'rotateSecret' | 'delete'}`
  | `webhooks.${'deliveries' | 'test'}`
  | 'request';

/**
 * How an operation sends the API key: in `X-Client-Key` (participants, assignment, exams, results) or as an
 * `Authorization: Bearer` token (webhook management).
 */
export type AuthScheme = 'clientKey' | 'bearer';

/**
 * The form of an operation's response. Most bodies are undocumented by the service, so the data is searched for in every
 * wrapper that the service's framework is known to produce, and then checked.
 */
export type ResponseSpec = SingleSpec | ListSpec;

/** Gives a schema, which is built when it is first used. */
export type SchemaSource<Schema extends StandardSchema = StandardSchema> = () => Schema;

/** A single value. */
export type SingleSpec =
  | RecordSpec
  /** A command: any response, with its message. `ofRows`: some rows may have been taken although the body lists errors. */
  | { readonly kind: 'acknowledgement'; readonly ofRows?: true }
  /** A command whose response has no content. */
  | { readonly kind: 'empty' }
  /** A link, as a string or in a record. */
  | { readonly kind: 'link'; readonly schema: SchemaSource }
  /** A list without pages; the schema describes the array. */
  | { readonly kind: 'array'; readonly schema: SchemaSource }
  /** A documented part of the body, by its keys, outermost first. */
  | { readonly kind: 'part'; readonly path: readonly string[]; readonly schema: SchemaSource }
  /** A body that is not looked into unless there is a schema. */
  | { readonly kind: 'any'; readonly schema: SchemaSource | undefined };

/** The response to a command. The service does not document its body, so these fields hold what can be recognised. */
export interface Acknowledgement {
  /** The service's message; `null` when it sent none. */
  readonly message: string | null;
  /** `data` of the body, or what else it contains; `null` when there is nothing. */
  readonly data: unknown;
  /** The whole parsed body; `null` when it was empty. */
  readonly body: unknown;
}

/** One record. */
export interface RecordSpec {
  readonly kind: 'record';
  /** A key that only the record has, which its wrappers lack. */
  readonly key: string;
  readonly schema: SchemaSource;
  /** The client option that describes the record further. */
  readonly extraSchema?: keyof RecordSchemas;
  /** A part that cannot be read again. With it, the caller gets the record in every mode; without it, an error. */
  readonly minimum?: SchemaSource;
}

/** A list, page by page. */
export interface ListSpec {
  readonly kind: 'list';
  /** Schema of one item. */
  readonly schema: SchemaSource;
  readonly extraSchema?: keyof RecordSchemas;
  /** Leaves the items as the service sent them; the reader checks those that it passes on. */
  readonly isUnchecked?: true;
}

/** Rules for an object of parameters. */
export interface ParameterSchema extends StandardSchema {
  /** The names that it has. */
  readonly names?: readonly string[];
  /** How it is written in a call, such as `{ page?, limit? }`. */
  readonly form?: string;
}

/**
 * Everything known about one endpoint. Resource methods add only their arguments, so the descriptors alone describe the
 * interface.
 */
export interface Operation<Spec extends ResponseSpec = ResponseSpec> {
  /** Part of every error message. */
  readonly id: OperationName;
  readonly method: HttpMethod;
  /** Path below the base URL, with `{name}` for each path parameter. */
  readonly path: `/${string}`;
  readonly auth: AuthScheme;
  /**
   * What may be repeated. `idempotent`: repeating the request changes nothing more. `unprocessed`: it is repeated only if
   * the first request cannot have taken effect, because a second one would do the work twice.
   */
  readonly retry: 'idempotent' | 'unprocessed';
  /**
   * Outcome of the previous request of a multi-request operation such as `ensure`: `unknown` or `done`. A failure then never
   * means that nothing happened.
   */
  readonly followsOutcome?: 'unknown' | 'done' | undefined;
  /** What the previous requests have done: the last sentence of its errors. */
  readonly done?: string;
  /**
   * Whether its caller sends the work again in smaller requests. Then a request that was too slow or too large is not repeated as
   * it is.
   */
  readonly isDivisible?: boolean;
  /** Names of fields of the body whose values must not be printed, at any depth. */
  readonly secretFields?: readonly string[];
  /** The documented rules for each part of the request; absent parts are not sent. */
  readonly request: {
    readonly path?: SchemaSource;
    readonly query?: SchemaSource<ParameterSchema>;
    readonly body?: SchemaSource<ParameterSchema>;
  };
  /** The argument of its method, if that is neither the query nor the body. */
  readonly takes?: SchemaSource<ParameterSchema>;
  /** Documented success status; `null` if undocumented by the service. */
  readonly success: number | null;
  readonly response: Spec;
}

/** What an operation returns; the records that the client option `schemas` describes are of the types in `Records`. */
export type OutputOf<Spec, Records> = Spec extends { readonly extraSchema: infer Name extends keyof Records }
  ? Records[Name]
  : Spec extends { readonly schema: SchemaSource<StandardSchema<infer Output>> }
    ? Output
    : Spec extends { readonly kind: 'acknowledgement' }
      ? Acknowledgement
      : Spec extends { readonly kind: 'empty' }
        ? Awaited<void>
        : unknown;

/** The parts of one request, unchecked. */
export interface OperationInput {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

/** What a declaration may leave out. */
type Defaults = 'auth' | 'retry' | 'success';

/**
 * Declares an endpoint. By default it takes the client key, succeeds with 200, and may be repeated unless it is a POST or PATCH.
 */
// @__NO_SIDE_EFFECTS__
export function defineOperation<const Spec extends ResponseSpec>(
  operation: Omit<Operation<Spec>, Defaults> & Partial<Pick<Operation<Spec>, Defaults>>,
): Operation<Spec> {
  const isRepeatable = operation.method !== 'POST' && operation.method !== 'PATCH';
  const retry = isRepeatable ? 'idempotent' : 'unprocessed';
  return { auth: 'clientKey', retry, success: 200, ...operation };
}
