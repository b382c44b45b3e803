// Rejects what is no web Request: the handler was passed to a server or a framework as it is.

import { ConfigurationError } from '../../core/errors/base.ts';
import type { Handling } from './handler-options.ts';
import { report } from './run.ts';

/**
 * Reports the mistake where the handler was passed to a server or a framework as it is. Only a failure makes each framework respond
 * with 5xx: many would acknowledge the delivery with a `Response` that they do not know.
 */
export function rejectForeign(onError: Handling['onError'], response?: unknown): Response {
  const text =
    'The receiver takes a web Request and gives a Response: on Node, use `toNodeListener(handler)`.';
  const error = new ConfigurationError(text);
  report(onError, error);
  const node = response as { statusCode?: number; end?(text: string): void } | undefined;
  if (typeof node?.end !== 'function') throw error;
  node.statusCode = 500;
  node.end(text);
  return new Response(text, { status: 500 });
}
