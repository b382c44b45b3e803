// Collects the secrets of a call: the API keys sent lately and the passwords in its body.

/** A provider may return a new key for every request; keys older than these are not expected to be echoed. */
const REMEMBERED_KEYS = 16;

/** Remembers the last keys that were sent, because a service may echo one after its successor is in use. */
export function rememberKey(keys: Set<string>, key: string): void {
  keys.add(key);
  for (const oldest of keys) if (keys.size > REMEMBERED_KEYS) keys.delete(oldest);
}

/** Every string below a key named `password`, as in the import or update of a participant. */
export function collectPasswords(value: unknown, found: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, child] of Object.entries(value)) {
    if (key === 'password' && typeof child === 'string') found.push(child);
    else collectPasswords(child, found);
  }
  return found;
}
