import { hasCode } from '../../../util/errors.ts';

/** What `fetch` rejects with when the other side breaks the connection. */
export function connectionReset(): TypeError {
  const cause = Object.assign(new Error('The emulator reset the connection'), { code: 'ECONNRESET' });
  return new TypeError('fetch failed', { cause });
}

/** Whether `error` asks for the connection to be broken. */
export function isConnectionReset(error: unknown): boolean {
  return error instanceof TypeError && hasCode(error.cause, 'ECONNRESET');
}
