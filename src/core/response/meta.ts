// The metadata of a response: what `withResponse()` gives beside the data.

import { readRequestId } from '../errors/response-error.ts';
import type { Progress } from '../progress.ts';
import { redactHeaders } from '../secrets.ts';

/** Metadata of a response: everything but its data. */
export interface ResponseMeta {
  /** HTTP status. */
  readonly status: number;
  /** Response headers, without any that echo the key. */
  readonly headers: Headers;
  /** The address that answered. */
  readonly url: string;
  /** The service's id of the request, from `X-Request-Id` or `X-Correlation-Id`; `null` when it sent none. */
  readonly requestId: string | null;
  /** Number of attempts; 1 when the first one succeeded. */
  readonly attempts: number;
  /** The rate limit as reported by the service; `null` when it reports none. */
  readonly rateLimit: RateLimit | null;
}

/** The state of a rate limit after the request, from `X-RateLimit-*` or `RateLimit-*` headers. */
export interface RateLimit {
  /** Requests allowed in the current period. */
  readonly limit: number | null;
  /** Requests left in the current period. */
  readonly remaining: number | null;
  /** When the period ends; `null` when the service does not say. */
  readonly resetAt: Date | null;
}

/** Reads the metadata of a response. */
export function readMeta({ redact, attempts }: Progress, response: Response): ResponseMeta {
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

function readRateLimit(headers: Headers): RateLimit | null {
  const read = (name: string) => {
    const value = headers.get(`x-ratelimit-${name}`) ?? headers.get(`ratelimit-${name}`);
    return /^\d{1,11}$/.test(String(value)) ? Number(value) : null;
  };
  const [limit, remaining, reset] = [read('limit'), read('remaining'), read('reset')];
  if (limit === null && remaining === null && reset === null) return null;
  return { limit, remaining, resetAt: reset === null ? null : toDate(reset) };
}

/** Some services send the time itself in Unix seconds, others the seconds until then. */
function toDate(reset: number): Date {
  const isTimestamp = reset > 1_000_000_000;
  return new Date((isTimestamp ? reset : Date.now() / 1_000 + reset) * 1_000);
}
