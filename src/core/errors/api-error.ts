import { isExamServiceError } from './base.ts';
import { type ResponseContext, ResponseError } from './response-error.ts';

/** What an error response says, read from whichever form its body has. */
export interface ErrorDetails {
  /** The service's own sentence; `null` when it gave none. */
  readonly message: string | null;
  /** Messages by field, as `participants.0.email`; those that name no field stand under `''`. */
  readonly fieldErrors: Readonly<Record<string, ReadonlyArray<string>>>;
}

/** What stands in an error's `code`: `api`, or the name of the status where it has a class of its own. */
export type ApiErrorCode =
  | 'api'
  | 'bad_request'
  | 'authentication'
  | 'permission_denied'
  | 'not_found'
  | 'unprocessable_entity'
  | 'rate_limit'
  | 'internal_server';

/** The service answered with a status outside 2xx. Conditions per status: interface document, Errors. */
export class ApiError extends ResponseError {
  override readonly name: string = 'ApiError';
  override readonly code: ApiErrorCode = 'api';
  /** The service's own sentence about the error; `null` when it gave none. */
  readonly serviceMessage: string | null;
  /**
   * What the service says of single fields, by field name with dotted indexes (`participants.0.email`);
   * messages that name no field stand under the empty name. Empty when the service says nothing of fields.
   */
  readonly fieldErrors: Readonly<Record<string, ReadonlyArray<string>>>;

  constructor(context: ResponseContext, details: ErrorDetails, statusText: string, advice = '') {
    const said = details.message ?? statusText;
    super(
      context,
      `was answered with ${context.status}: ${said.replace(/[.\s]+$/, '')}.${advice && ` ${advice}`}`,
    );
    const { redact } = context;
    this.serviceMessage = details.message === null ? null : redact(details.message);
    this.fieldErrors = Object.fromEntries(
      Object.entries(details.fieldErrors).map(([field, messages]) => [redact(field), messages.map(redact)]),
    );
  }
}

/** Whether `error` is an `ApiError` or one of its subclasses, also one from another copy of this package. */
export function isApiError(error: unknown): error is ApiError {
  return isExamServiceError(error) && 'fieldErrors' in error && 'status' in error;
}
