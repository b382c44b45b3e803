// The base class of errors that came with a response.

import { redactHeaders } from '../redact/safe.ts';
import type { Verdict } from './base.ts';
import { type RequestContext, RequestError } from './request-error.ts';

/** A stored body is cut off here: enough to diagnose, too little to fill a log. In characters. */
const BODY_LIMIT = 64 * 1024;

/** The response that an error is about. */
export interface ResponseContext {
  readonly call: RequestContext;
  readonly response: Pick<Response, 'status' | 'statusText' | 'headers'>;
  /** The body as text, as far as it was read. */
  readonly body: string;
}

/** Base class for errors that came with a response. */
export abstract class ResponseError extends RequestError {
  /** HTTP status of the response. */
  readonly status: number;
  /** Headers of the response, without `Set-Cookie`. */
  readonly headers: Headers;
  /** The service's id for the request, from `X-Request-Id` or `X-Correlation-Id`; `null` when it sent none. */
  readonly requestId: string | null;
  /**
   * The response body as text, cut off at 64 KiB. Not enumerable, so that it is not logged by accident: it may contain
   * personal data.
   */
  declare readonly body: string;

  constructor(
    context: ResponseContext,
    message: string,
    verdict: Verdict,
    options?: { readonly cause?: unknown },
  ) {
    const { call, response, body } = context;
    const { redact } = call;
    const headers = redactHeaders(response.headers, redact);
    const requestId = readRequestId(headers);
    super(call, message + (requestId === null ? '' : ` (request id ${requestId})`), verdict, options);
    this.status = response.status;
    this.headers = headers;
    this.requestId = requestId;
    // Cut only after redaction, which would not recognise half a secret.
    Object.defineProperty(this, 'body', {
      value: redact.body(body.slice(0, 2 * BODY_LIMIT)).slice(0, BODY_LIMIT),
    });
  }
}

/** Anything longer is not an id and would fill a log. */
const LONGEST_REQUEST_ID = 200;

/** The id under which the service, or a proxy in front of it, knows a request. */
export function readRequestId(headers: Headers): string | null {
  const id = headers.get('x-request-id') ?? headers.get('x-correlation-id');
  return id?.slice(0, LONGEST_REQUEST_ID) ?? null;
}
