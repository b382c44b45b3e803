/** A provider may give a new key for every request; older ones than these are not expected back. */
const REMEMBERED_KEYS = 16;

/** Keeps the last keys that were sent, because a service may speak of one after its successor is in use. */
export function rememberKey(keys: Set<string>, key: string): void {
  keys.add(key);
  for (const oldest of keys) if (keys.size > REMEMBERED_KEYS) keys.delete(oldest);
}

/** Every string below a key named `password`, as in an import or an update of a participant. */
export function collectPasswords(value: unknown, found: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, child] of Object.entries(value)) {
    if (key === 'password' && typeof child === 'string') found.push(child);
    else collectPasswords(child, found);
  }
  return found;
}
