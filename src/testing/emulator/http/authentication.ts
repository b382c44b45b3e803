import { rejections } from '../domain/rejection.ts';
import type { Settings } from '../service/emulator-options.ts';
import type { Operation } from '../service/operations.ts';

/**
 * Checks that a request has the right key under the operation's own credential, and that the client is active. A key
 * under the other credential counts as missing, unless the settings accept both: that is undocumented by the service.
 *
 * @throws {Rejection} 401 when the key is wrong; 403 when the key or the client lacks permission
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
    const known = keys.find((key) => Object.hasOwn(refusedKeys, key));
    throw known !== undefined && refusedKeys[known] === 403
      ? rejections.forbiddenKey()
      : rejections.wrongKey(operation.credential);
  }
  if (!clientActive) throw rejections.inactiveClient();
}

/** The scheme is `Bearer`, written so: a service may compare it letter by letter. */
function sentKeys({ headers }: Request, credentials: readonly Operation['credential'][]): string[] {
  return credentials.flatMap((credential) => {
    if (credential === 'client-key') return headers.get('x-client-key') ?? [];
    return /^Bearer +(\S+)$/.exec(headers.get('authorization') ?? '')?.[1] ?? [];
  });
}
