import { Refusal } from '../domain/refusal.ts';
import type { Operation } from '../operations.ts';

/**
 * Whether a request may pass: the right key under the operation's own credential, from a client that is
 * active. A key under the other credential counts as none, as the document does not say that it is accepted.
 *
 * @throws {Refusal} when the key is wrong: 401; when the client is not active: 403 (interface document, Authentication)
 */
export function authenticate(
  request: Request,
  operation: Operation,
  { apiKey, clientActive }: { readonly apiKey: string; readonly clientActive: boolean },
): void {
  if (sentKey(request, operation) !== apiKey) throw new Refusal(401, 'The key is not valid or not active.');
  if (!clientActive) throw new Refusal(403, 'The client is not active.');
}

function sentKey({ headers }: Request, { credential }: Operation): string | undefined {
  if (credential === 'client-key') return headers.get('x-client-key') ?? undefined;
  return /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
}
