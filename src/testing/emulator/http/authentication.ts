import { Refusal } from '../domain/refusal.ts';
import type { Operation } from '../operations.ts';
import type { Settings } from '../options.ts';

/**
 * Whether a request may pass: the right key under the operation's own credential, from a client that is
 * active. A key under the other credential counts as none, unless the settings accept both: the document does not say.
 *
 * @throws {Refusal} when the key is wrong: 401; when it, or the client, is not allowed to: 403 (service's API, Authentication)
 */
export function authenticate(
  request: Request,
  operation: Operation,
  {
    settings: { apiKey, credentials, refusedKeys },
    clientActive,
  }: { readonly settings: Settings; readonly clientActive: boolean },
): void {
  const keys = sentKeys(
    request,
    credentials === 'either' ? ['client-key', 'bearer'] : [operation.credential],
  );
  if (!keys.includes(apiKey)) {
    const refused = keys.find((key) => Object.hasOwn(refusedKeys, key));
    if (refused !== undefined && refusedKeys[refused] === 403) {
      throw new Refusal(403, 'The key has expired, or has no permission.');
    }
    throw new Refusal(401, 'The key is not valid or not active.');
  }
  if (!clientActive) throw new Refusal(403, 'The client is not active.');
}

function sentKeys({ headers }: Request, credentials: readonly Operation['credential'][]): string[] {
  return credentials.flatMap((credential) => {
    if (credential === 'client-key') return headers.get('x-client-key') ?? [];
    return /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? [];
  });
}
