// Reads the body of a Node request.

import { LONGEST_TIMER_MS } from '../util/numbers.ts';
import { isBytes } from './delivery.ts';
import { incomplete, join, type Limits, notRaw, tooLarge, tooSlow } from './read-body.ts';
import type { WebhookVerificationError } from './verification-error.ts';

/** The part of a Node stream in use. */
export interface NodeStream {
  readonly destroyed?: boolean;
  on(event: 'data' | 'end' | 'error' | 'close', listener: (value: unknown) => void): unknown;
  off(event: 'data', listener: (value: unknown) => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/**
 * Reads the body of a Node request through its events, which takes a third of the CPU time of iterating over it. The
 * request is never destroyed, since that would destroy the response too. A refusal is returned, not thrown.
 */
export function readNodeBody(
  stream: NodeStream,
  declaredLength: unknown,
  limits: Limits,
): Promise<Uint8Array | WebhookVerificationError> {
  if (Number(declaredLength) > limits.maxBodyBytes) return Promise.resolve(tooLarge(limits.maxBodyBytes));
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const end = (outcome: Uint8Array | WebhookVerificationError) => {
      clearTimeout(timer);
      stream.off('data', take);
      stream.pause();
      resolve(outcome);
    };
    const take = (chunk: unknown) => {
      // A stream with an encoding yields strings, which are no longer the signed bytes.
      if (!isBytes(chunk)) return end(notRaw());
      length += chunk.length;
      if (length > limits.maxBodyBytes) return end(tooLarge(limits.maxBodyBytes));
      chunks.push(chunk);
    };
    const timer = setTimeout(
      () => end(tooSlow(limits.readTimeoutMs)),
      Math.min(limits.readTimeoutMs, LONGEST_TIMER_MS),
    );
    stream.on('data', take);
    stream.on('end', () => end(chunks.length === 1 && chunks[0] ? chunks[0] : join(chunks, length)));
    stream.on('error', (cause) => end(incomplete(cause)));
    stream.on('close', () => end(incomplete(undefined)));
    if (stream.destroyed) end(incomplete(undefined));
    else stream.resume();
  });
}
