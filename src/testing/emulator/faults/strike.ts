// Applies a fault to a request: delays it, or replaces or damages its response.

import type { EmulatorClock } from '../service/clock.ts';
import { connectionReset } from './connection-reset.ts';
import type { Fault } from './fault.ts';

/** Statuses that cannot have a body. */
const bodilessStatuses = new Set([204, 205, 304]);

/**
 * Applies `fault` to a request and its response.
 *
 * @throws {TypeError} when the connection should break
 * @throws {unknown} when the caller aborts: the signal's reason
 */
export async function strike(
  fault: Fault,
  respond: () => Promise<Response>,
  { clock, signal }: { clock: EmulatorClock; signal: AbortSignal },
): Promise<Response> {
  if (fault.delay !== undefined) await wait(clock, fault.delay, signal);
  const { effect } = fault;
  if (effect === undefined) return respond();
  if (effect === 'truncate') return truncate(await respond());
  if (effect === 'reset-body') return breakBody(await respond());
  if (fault.processed === true) await respond();
  const sent = replacementOf(fault);
  if (sent === null) throw connectionReset();
  return sent;
}

/**
 * What is sent in place of the response; `null` where the response itself, or nothing, is.
 *
 * @throws {TypeError} when a body or a header cannot be sent
 * @throws {RangeError} when no response can have such a status
 */
export function replacementOf({ effect, status, body, headers, to = ELSEWHERE }: Fault): Response | null {
  switch (effect) {
    case 'respond':
      return responseOf(status ?? 500, body, headers);
    case 'html':
      return responseOf(status ?? 200, PAGE, { 'content-type': 'text/html; charset=utf-8' });
    case 'redirect':
      return responseOf(status ?? 302, undefined, { location: to });
    default:
      return null;
  }
}

const ELSEWHERE = 'https://elsewhere.example.test/login';
const PAGE = '<!DOCTYPE html>\n<html><body><h1>Not the API</h1></body></html>\n';

function responseOf(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  if (bodilessStatuses.has(status)) return new Response(null, { status, headers });
  // As Laravel does for an error without a message.
  if (body === undefined && status >= 400) return Response.json({ message: '' }, { status, headers });
  if (body === undefined) return new Response(null, { status, headers });
  if (typeof body === 'string') return new Response(body, { status, headers });
  return Response.json(body, { status, headers });
}

async function truncate(response: Response): Promise<Response> {
  return new Response(await firstHalf(response), response);
}

async function breakBody(response: Response): Promise<Response> {
  const half = await firstHalf(response);
  let sent = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent) controller.error(connectionReset());
        else controller.enqueue(half);
        sent = true;
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}

async function firstHalf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const body = new Uint8Array(await response.arrayBuffer());
  return body.slice(0, Math.floor(body.length / 2));
}

function wait(clock: EmulatorClock, delay: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const giveUp = () => {
      cancel();
      reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    const cancel = clock.schedule(delay, async () => {
      signal.removeEventListener('abort', giveUp);
      resolve();
    });
  });
}
