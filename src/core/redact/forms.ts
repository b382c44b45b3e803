/** A secret as is, as trimmed by a service, as the bytes a header shows, and in base64. Other notations are decoded. */
export function formsOf(secret: string): Set<string> {
  const bytes = [...new TextEncoder().encode(secret)];
  const base64 = [0, 1, 2].map((offset) => toBase64(bytes, offset));
  return new Set([
    secret,
    secret.trim(),
    // Forms write a space as a plus, but not every plus in an address is one.
    secret.replaceAll('+', ' '),
    // UTF-8 cannot encode half a surrogate pair.
    secret.replace(/[\uD800-\uDFFF]/gu, '\uFFFD'),
    toBinary(bytes),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ]);
}

/** The base64 characters that depend on the secret alone when it starts `offset` bytes into a group of three. */
function toBase64(secret: readonly number[], offset: number): string {
  const bytes = [...new Uint8Array(offset), ...secret];
  const end = Math.floor((bytes.length * 8) / 6);
  return btoa(toBinary(bytes)).slice(Math.ceil((offset * 8) / 6), end);
}

/** One character per byte; this is how a header in UTF-8 is read. */
function toBinary(bytes: readonly number[]): string {
  return bytes.map((byte) => String.fromCharCode(byte)).join('');
}
