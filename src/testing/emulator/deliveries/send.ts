// Sends one attempt of a delivery and records its result.

import { messageOf } from '../../../util/errors.ts';
import { LONGEST_TIMER_MS } from '../../../util/numbers.ts';
import { escapeSlashes, escapeUnicode } from '../../../util/php-json.ts';
import { readText } from '../../../util/read-stream.ts';
import type { DeliveryFetch } from '../service/emulator-options.ts';
import type { DeliveryRecord } from '../state/records.ts';
import type { AttemptResult } from './attempt.ts';

/** How much of a receiver's response is stored, in bytes. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Encodes a body as PHP would, with slashes and non-ASCII characters escaped: a receiver that verifies a re-serialized
 * body instead of the received one fails here as it would against the service.
 */
export function encodePayload(payload: DeliveryRecord['payload']): string {
  return escapeUnicode(escapeSlashes(JSON.stringify(payload)));
}

/** Posts a signed body. An unreachable or slow receiver is a result, not an error. */
export async function send(
  fetch: DeliveryFetch,
  request: {
    readonly url: string;
    readonly body: string;
    readonly signature: string;
    readonly timeout: number;
    /** Aborts the request. */
    readonly end: AbortSignal;
  },
): Promise<AttemptResult> {
  const init: RequestInit = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Cbt-Signature': request.signature },
    body: request.body,
    redirect: 'manual',
  };
  const limit = createLimit(request);
  try {
    return await Promise.race([receive(fetch, request.url, { ...init, signal: limit.signal }), limit.over]);
  } catch (error) {
    return { response_code: null, response_body: null, error_message: describeFailure(error) };
  } finally {
    limit.clear();
  }
}

/** The time limit of an attempt. A receiver that is called as a function may not heed its signal: see `over`. */
function createLimit({ timeout, end }: { readonly timeout: number; readonly end: AbortSignal }) {
  const controller = new AbortController();
  const { signal } = controller;
  const abort = () => controller.abort(end.reason);
  end.addEventListener('abort', abort, { once: true });
  const message = `The receiver did not respond within ${timeout} ms.`;
  const timer = setTimeout(() => controller.abort(new Error(message)), Math.min(timeout, LONGEST_TIMER_MS));
  // Rejects when the time is over or the attempt is aborted.
  const over = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  if (end.aborted) abort();
  return {
    signal,
    over,
    clear() {
      clearTimeout(timer);
      end.removeEventListener('abort', abort);
    },
  };
}

async function receive(fetch: DeliveryFetch, url: string, init: RequestInit): Promise<AttemptResult> {
  const response = await fetch(url, init);
  const read = { text: '' };
  await readText(response, MAX_RESPONSE_BYTES, read);
  const acknowledged = response.status >= 200 && response.status < 300;
  return {
    response_code: response.status,
    response_body: read.text,
    error_message: acknowledged ? null : `The receiver responded with status ${response.status}.`,
  };
}

/** The message of `fetch` says nothing ("fetch failed"); its cause does. */
function describeFailure(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return messageOf(error) + cause;
}
