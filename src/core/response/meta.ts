// The metadata of a response: what `withResponse()` gives beside the data.

import { readRequestId } from '../errors/response-error.ts';
import { type RateLimit, readRateLimit } from '../limit-headers.ts';
import type { CallFacts } from '../plan.ts';
import { redactHeaders } from '../redact.ts';

/** Metadata of a response: everything but its data. */
export interface ResponseMeta {
  /** HTTP status. */
  readonly status: number;
  /** Response headers, without any that echo the key. */
  readonly headers: Headers;
  /** URL of the response. */
  readonly url: string;
  /** The service's id of the request, from `X-Request-Id` or `X-Correlation-Id`; `null` when it sent none. */
  readonly requestId: string | null;
  /** Number of attempts; 1 when the first one succeeded. */
  readonly attempts: number;
  /** The rate limit as reported by the service; `null` when it reports none. */
  readonly rateLimit: RateLimit | null;
}

/** Reads the metadata of a response. */
export function readMeta({ redact, attempts }: CallFacts, response: Response): ResponseMeta {
  const headers = redactHeaders(response.headers, redact);
  return {
    status: response.status,
    headers,
    url: response.url,
    requestId: readRequestId(headers),
    attempts,
    rateLimit: readRateLimit(headers),
  };
}
