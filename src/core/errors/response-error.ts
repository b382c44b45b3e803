// The errors that come with a response other than a rejection by status: redirects, and successes that cannot be read.

import type { Issue } from '../../util/standard-schema.ts';
import { redactHeaders } from '../redact.ts';
import type { Outcome, Verdict } from './base.ts';
import { type MessageParts, RequestError, type RequestFacts, toVerdict } from './request-error.ts';

/** A stored body is cut off here: enough to diagnose, too little to fill a log. In characters. */
const BODY_LIMIT = 64 * 1024;

/** What an error knows of the response and its request. */
export interface ResponseFacts extends Pick<Response, 'status' | 'statusText' | 'headers'> {
  readonly request: RequestFacts;
  /** The body as text, as far as it was read. */
  readonly body: string;
}

/** The bodies of errors. Kept outside of them: consoles and loggers print fields, even hidden ones. */
const bodies = new WeakMap<object, string>();

/** Base class for errors that came with a response. */
export abstract class ResponseError extends RequestError {
  /** @internal */
  static override readonly kind: string = 'response';
  /** HTTP status of the response. */
  readonly status: number;
  /** Headers of the response, without `Set-Cookie`. */
  readonly headers: Headers;
  /** The service's id for the request, from `X-Request-Id` or `X-Correlation-Id`; `null` when it sent none. */
  readonly requestId: string | null;

  /** @internal */
  constructor(response: ResponseFacts, reason: string, verdict: Verdict, details?: MessageParts) {
    const { request } = response;
    const headers = redactHeaders(response.headers, request.redact);
    const requestId = readRequestId(headers);
    const ending = requestId === null ? '' : ` (request id ${requestId})`;
    super(request, reason, verdict, details, ending);
    this.status = response.status;
    this.headers = headers;
    this.requestId = requestId;
    // Cut only after redaction, which would not recognise half a key.
    bodies.set(this, request.withoutKeys(response.body).slice(0, BODY_LIMIT));
  }

  /**
   * The response body as the service sent it, less the API key, cut off at 64 KiB. It may contain anything, personal data and
   * signing secrets included, so it is never printed.
   */
  get body(): string {
    return bodies.get(this) ?? '';
  }
}

/** Anything longer is not an id and would fill a log. */
const LONGEST_REQUEST_ID = 200;

/** The id under which the service, or a proxy in front of it, knows a request. */
export function readRequestId(headers: Headers): string | null {
  const id = headers.get('x-request-id') ?? headers.get('x-correlation-id');
  return id?.slice(0, LONGEST_REQUEST_ID) ?? null;
}

/**
 * The service responded with a redirect. Redirects are never followed, because the API key would be sent along. In a
 * browser, which hides the details of a redirect, `status` is 0 and `location` is `null`.
 */
export class RedirectError extends ResponseError {
  /** @internal */
  static override readonly kind: string = 'redirect';
  override readonly name = 'RedirectError';
  override readonly code = 'redirect';
  /** Target of the redirect, without query and credentials; `null` when the platform does not reveal it. */
  readonly location: string | null;

  /** @internal */
  constructor(
    response: ResponseFacts,
    location: string | null,
    reason: string,
    verdict: Verdict,
    advice: string,
  ) {
    super(response, reason, verdict, { advice });
    this.location = location;
  }
}

/**
 * A successful status came with a body that cannot be read as the operation's response: an HTML page, a truncated body,
 * or a body of a different kind. `outcome` says what became of the request.
 */
export class ResponseFormatError extends ResponseError {
  /** @internal */
  static override readonly kind: string = 'response_format';
  override readonly name = 'ResponseFormatError';
  override readonly code = 'response_format';

  /** @internal */
  constructor(
    response: ResponseFacts,
    problem: string,
    outcome: Outcome = 'done',
    { retryable, ...details }: MessageParts & { readonly retryable?: boolean | undefined } = {},
  ) {
    super(
      response,
      `returned ${response.status}, but ${problem}.`,
      toVerdict(response.request, outcome, outcome === 'rejected' ? false : retryable),
      details,
    );
  }
}

/**
 * The response is JSON, but fields are missing or have another type than documented (or than `schemas` requires). The
 * request itself succeeded: do not repeat it just because of this error.
 */
export class ResponseValidationError extends ResponseError {
  /** @internal */
  static override readonly kind: string = 'response_validation';
  override readonly name = 'ResponseValidationError';
  override readonly code = 'response_validation';
  /** Every field that did not match. */
  readonly issues: readonly Issue[];

  /** @internal Neither the issues nor `problem` may contain a secret: redact text from elsewhere first. */
  constructor(
    response: ResponseFacts,
    issues: readonly Issue[],
    problem: string,
    options?: { readonly cause?: unknown },
  ) {
    super(
      response,
      `succeeded with ${response.status}, but the response has an unexpected shape: ${problem}`,
      toVerdict(response.request, 'done', false),
      options,
    );
    this.issues = issues;
  }
}
