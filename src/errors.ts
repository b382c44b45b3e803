// What the main entry exports that needs no client: its errors and `VERSION`. The build gives them a file of their own.

export {
  type AnyApiError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  isApiError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  UnprocessableEntityError,
} from './core/errors/api-error.ts';
export { ConfigurationError, ExamServiceError, type Outcome, type Verdict } from './core/errors/base.ts';
export {
  ConnectionError,
  RequestError,
  RequestValidationError,
  TimeoutError,
  type TimeoutScope,
} from './core/errors/request-error.ts';
export {
  RedirectError,
  ResponseError,
  ResponseFormatError,
  ResponseValidationError,
} from './core/errors/response-error.ts';
export { VERSION } from './core/version.ts';
export {
  AmbiguousEmailsError,
  AssignmentsStoppedError,
  ImportStoppedError,
  WebhookSecretLostError,
} from './jobs/errors.ts';
