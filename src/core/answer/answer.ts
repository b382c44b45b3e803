// The response to a call: a success whose body was read, or the error that explains why there is none.

import { type ByteStream, chunksOf, discard } from '../../util/read-stream.ts';
import { withDeadline } from '../attempt/deadline.ts';
import type { Call } from '../call.ts';
import type { ApiError } from '../errors/api-error.ts';
import { RedirectError } from '../errors/redirect-error.ts';
import type { ResponseContext } from '../errors/response-error.ts';
import { createApiError } from '../errors/status-errors.ts';
import { readErrorBody } from './error-body.ts';

/** A successful response whose body has arrived. */
export interface Answer extends ResponseContext {
  readonly call: Call;
  readonly response: Response;
}

/** Bytes of an error body that are read at most: a service in trouble may send any amount. */
const ERROR_BODY_LIMIT = 64 * 1024;
/** A 422 may name every row of an import. */
const VALIDATION_BODY_LIMIT = 1024 * 1024;
/** How long to wait for the body of an error; its status says enough. */
const ERROR_BODY_WAIT_MS = 5_000;

/** The error for a response that is not a success. Aborting `signal` stops the reading of its body. */
export async function failureOf(
  call: Call,
  response: Response,
  signal?: AbortSignal,
): Promise<RedirectError | ApiError> {
  if (isRedirect(response)) {
    if (response.body !== null) discard(response.body as ByteStream);
    return new RedirectError({ call, response, body: '' }, readLocation(response, call.url));
  }
  const limit = response.status === 422 ? VALIDATION_BODY_LIMIT : ERROR_BODY_LIMIT;
  return explainFailure(call, response, await readCapped(response, limit, signal));
}

/** The error for a response outside 2xx, with as much of its body as was read. */
export function explainFailure(call: Call, response: Response, body: string): ApiError {
  return createApiError({ call, response, body }, readErrorBody(body));
}

/** A browser reports a redirect that was not followed as opaque; a custom fetch may have followed it. */
function isRedirect(response: Response): boolean {
  const isRedirection = response.status >= 300 && response.status < 400 && response.status !== 304;
  return isRedirection || response.type === 'opaqueredirect' || response.redirected;
}

/** Where a redirect points, without the parts of a URL that may be secret: credentials, query and fragment. */
function readLocation(response: Response, requested: string): string | null {
  const location = response.redirected ? response.url : response.headers.get('location');
  if (location === null) return null;
  try {
    const { origin, pathname } = new URL(location, requested);
    return origin === 'null' ? null : origin + pathname;
  } catch {
    return null;
  }
}

/** Reads the body until time or space runs out. */
async function readCapped(response: Response, limit: number, parent?: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  const read = async (signal: AbortSignal): Promise<void> => {
    let size = 0;
    for await (const chunk of chunksOf((response.body ?? []) as ByteStream, signal)) {
      text += decoder.decode(chunk.subarray(0, limit - size), { stream: true });
      size += chunk.byteLength;
      if (size >= limit) break;
    }
  };
  try {
    await withDeadline(parent, ERROR_BODY_WAIT_MS, () => {}, read);
  } catch {
    // A connection that breaks here loses part of the explanation; the status is what counts.
  }
  return text;
}
