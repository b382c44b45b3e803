import { type ResponseContext, ResponseError } from './response-error.ts';

/**
 * A successful status came with something that cannot be read as the operation's answer: an HTML page, a
 * truncated body, or a body of a different kind. The service may have carried the request out.
 */
export class ResponseFormatError extends ResponseError {
  override readonly name = 'ResponseFormatError';
  override readonly code = 'response_format';

  constructor(context: ResponseContext, problem: string, options?: { cause?: unknown }) {
    super(context, `was answered with ${context.response.status}, but ${problem}.`, options);
  }
}
