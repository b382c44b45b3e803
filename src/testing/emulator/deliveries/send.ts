import type { DeliveryFetch } from '../options.ts';
import type { EventPayload } from '../state/records.ts';

/** How much of a receiver's answer is kept, in bytes. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/** How a receiver took a delivery. */
export interface Outcome {
  /** HTTP status of the answer; null where there was none. */
  readonly response_code: number | null;
  /** The answer, at most 64 KiB of it; null where there was none. */
  readonly response_body: string | null;
  /** Why it was not acknowledged; null where it was. */
  readonly error_message: string | null;
}

/**
 * Writes a body as PHP would, slashes and other than ASCII characters escaped: a receiver that verifies a
 * re-serialised body instead of the received one fails here as it would against the service.
 */
export function encodePayload(payload: EventPayload): string {
  return JSON.stringify(payload)
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Posts a signed body. A receiver that cannot be reached or takes too long is an outcome too. */
export async function send(
  fetch: DeliveryFetch,
  request: {
    readonly url: string;
    readonly body: string;
    readonly signature: string;
    readonly timeout: number;
  },
): Promise<Outcome> {
  const init: RequestInit = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Cbt-Signature': request.signature },
    body: request.body,
    redirect: 'manual',
    signal: AbortSignal.timeout(request.timeout),
  };
  try {
    const response = await fetch(request.url, init);
    const acknowledged = response.status >= 200 && response.status < 300;
    return {
      response_code: response.status,
      response_body: await readStart(response),
      error_message: acknowledged ? null : `The receiver answered with status ${response.status}.`,
    };
  } catch (error) {
    return { response_code: null, response_body: null, error_message: describe(error) };
  }
}

async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let left = MAX_RESPONSE_BYTES;
  const reader = response.body?.getReader();
  while (reader !== undefined && left > 0) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value.subarray(0, left), { stream: true });
    left -= value.length;
  }
  await reader?.cancel();
  return text;
}

/** The message of `fetch` says nothing ("fetch failed"); its cause does. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
