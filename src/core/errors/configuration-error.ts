import { ExamServiceError, type Verdict } from './base.ts';

/**
 * The package is set up wrongly: a missing key or base URL, plain http to a public host, a key in a browser page, an
 * option of the wrong type. Thrown before anything is sent; the message says what to change.
 */
export class ConfigurationError extends ExamServiceError {
  override readonly name = 'ConfigurationError';
  override readonly code = 'configuration';

  constructor(message: string, options?: { readonly cause?: unknown }, verdict?: Verdict) {
    super(message, verdict, options);
  }
}
