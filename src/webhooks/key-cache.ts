/** A project has at most five endpoints (interface document, Limits), each with two secrets while one is rotated. */
const MAX_KEYS = 32;

/** Remembers the key made from each secret, and starts over when there are too many. */
export function keyCache<Key>(makeKey: (secret: string) => Key): (secret: string) => Key {
  const keys = new Map<string, Key>();
  return (secret) => {
    let key = keys.get(secret);
    if (key === undefined) {
      if (keys.size >= MAX_KEYS) keys.clear();
      key = makeKey(secret);
      keys.set(secret, key);
    }
    return key;
  };
}
