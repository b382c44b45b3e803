// What went wrong between the proxy and the service, for `onError`. A page gets a status and a sentence instead.

import { ExamServiceError, type Outcome } from '../core/errors/base.ts';
import type { OperationName } from '../core/operation.ts';

/**
 * - `service_failed`: the service responded with a 5xx; see `status` and `body`
 * - `key_rejected`: the service rejected the API key with a 401 or 403
 * - `service_redirected`: the service redirects; the message says where to
 * - `response_too_large`: the response is longer than 2 MB
 * - `service_timeout`: the service took longer than `timeout`
 * - `service_unreachable`: no response came; see `cause`
 * - `authorize_timeout`: `authorize` took longer than `timeout`
 * - `api_key_timeout`: the `apiKey` function took longer than `timeout`
 */
export type ProxyErrorReason =
  | 'service_failed'
  | 'key_rejected'
  | 'service_redirected'
  | 'response_too_large'
  | 'service_timeout'
  | 'service_unreachable'
  | 'authorize_timeout'
  | 'api_key_timeout';

/** What is known of the request, and what came back. */
interface ProxyErrorFacts {
  readonly operation: OperationName;
  readonly outcome: Outcome;
  readonly retryable: boolean;
  readonly status?: number | null;
  readonly body?: string | null;
  readonly cause?: unknown;
}

/** A request of a page failed behind the proxy. The message quotes the beginning of what the service sent, without the API key. */
export class ProxyError extends ExamServiceError {
  /** @internal */
  static override readonly kind: string = 'proxy';
  override readonly name = 'ProxyError';
  override readonly code = 'proxy';
  /** What went wrong. */
  readonly reason: ProxyErrorReason;
  /** The operation that the page asked for. */
  readonly operation: OperationName;
  /** HTTP status of the service's response; `null` if none came. */
  readonly status: number | null;
  /** The service's response without the API key. It may hold anything, so it is not enumerable. Do not log it. */
  declare readonly body: string | null;

  /** @internal */
  constructor(
    reason: ProxyErrorReason,
    message: string,
    { operation, status = null, body = null, cause, ...verdict }: ProxyErrorFacts,
  ) {
    super(message, verdict, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.operation = operation;
    this.status = status;
    Object.defineProperty(this, 'body', { value: body });
  }
}
