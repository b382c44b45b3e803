import { rejections } from '../domain/rejection.ts';
import type { Operation } from '../service/operations.ts';

/**
 * Checks that a request has the right key under the operation's own credential, and that the client is active. A key
 * under the other credential counts as missing.
 *
 * @throws {Rejection} 401 when the key is wrong; 403 when the client is not active
 */
export function authenticate(
  { headers }: Request,
  { credential }: Operation,
  { apiKey, clientActive }: { readonly apiKey: string; readonly clientActive: boolean },
): void {
  const key =
    credential === 'client-key'
      ? headers.get('x-client-key')
      : // The scheme is written so: a service may compare it letter by letter.
        /^Bearer +(\S+)$/.exec(headers.get('authorization') ?? '')?.[1];
  if (key !== apiKey) throw rejections.wrongKey(credential);
  if (!clientActive) throw rejections.inactiveClient();
}
