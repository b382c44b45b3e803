// Paths that mean another one once they are parsed as part of an address.

/**
 * Whether the path of an address, or of the target of a request, has dot segments, encoded or not, or a backslash. A web `Request`
 * resolves them, so what guards the path as it was sent would guard another one.
 */
export function isRewritten(address: string): boolean {
  return /^[^?#]*?(?:\\|\/(?:\.|%2e){1,2}(?:[/?#]|$))/i.test(address);
}
