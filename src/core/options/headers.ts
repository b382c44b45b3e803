// The option `headers`: which names callers may set, and how they are merged over those of the client.

import { anObject, type Check, throwInvalid } from '../check.ts';
import { ConfigurationError } from '../errors/base.ts';

/** Headers by lower-case name. */
export type HeaderRecord = Readonly<Record<string, string>>;

/** The client sets the first two itself; of the others, the platform rejects some, and sends another request than was meant with some. */
const ownedHeaders =
  'accept content-type host connection keep-alive upgrade content-length expect transfer-encoding'.split(' ');

/** The pairs of a Headers object, a list of pairs or an object; read by iterator, since it may come from a library. */
export const headerPairs: Check<readonly HeaderPair[]> = (value, name) => {
  const given = anObject(value, name);
  const pairs: unknown[] =
    Symbol.iterator in given ? [...(given as Iterable<unknown>)] : Object.entries(given);
  // A line such as `x-tenant: 1` would be read as the pair of its first two characters.
  const arePairs = pairs.every((pair) => Array.isArray(pair) && pair.length === 2);
  return arePairs ? (pairs as HeaderPair[]) : throwInvalid(name, 'an object, a Headers or a list of pairs');
};

type HeaderPair = readonly [name: string, value: string | null | undefined];

/**
 * Merges headers over `defaults`; `null` and `undefined` remove one.
 *
 * @param isKeyless whether callers may authenticate with a proxy
 * @throws {ConfigurationError} for a header that callers may not set, or that HTTP does not allow
 */
export function mergeHeaders(
  defaults: HeaderRecord,
  pairs: readonly HeaderPair[],
  isKeyless: boolean,
): HeaderRecord {
  const headers = new Headers(defaults);
  for (const [name, value] of pairs) {
    const lowerCased = String(name).toLowerCase();
    if (lowerCased === 'x-client-key' || (lowerCased === 'authorization' && !isKeyless))
      throw new ConfigurationError(`\`headers\` must not contain ${name}: pass the key as \`apiKey\`.`);
    if (ownedHeaders.includes(lowerCased))
      throw new ConfigurationError(`\`headers\` must not contain ${name}, which the client decides.`);
    try {
      if (value === undefined || value === null) headers.delete(name);
      else headers.set(name, value);
    } catch {
      // The platform's message shows the value, which may be a secret.
      throw new ConfigurationError(
        `\`headers\` contains ${JSON.stringify(name)}, whose name or value HTTP does not allow.`,
      );
    }
  }
  return Object.freeze(Object.fromEntries(headers));
}
