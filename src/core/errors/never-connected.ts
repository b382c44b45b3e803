// Recognises failures of `fetch` before a connection existed: the service cannot have received anything.

import { isError } from '../../util/errors.ts';

/** System codes of Node, undici and Bun for a connection that was never established. */
const neverConnectedCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
]);

/** Deno has no code, only this wording; beside a code, such words may be those of a proxy. */
const neverConnectedMessage = /connection refused|dns error|failed to lookup address/i;

/**
 * Whether an error of fetch means that no connection was established, so that the service cannot have received the
 * request.
 */
export function neverConnected(cause: unknown, depth = 0): boolean {
  if (!isError(cause) || depth > 4) return false;
  // A host name with several addresses fails with one error per address.
  const errors: unknown = Reflect.get(cause, 'errors');
  if (Array.isArray(errors) && errors.length > 0) {
    return errors.every((error) => neverConnected(error, depth + 1));
  }
  const code: unknown = Reflect.get(cause, 'code');
  const isNeverConnected =
    typeof code === 'string' ? neverConnectedCodes.has(code) : neverConnectedMessage.test(cause.message);
  return isNeverConnected || neverConnected(cause.cause, depth + 1);
}
