/** A secret as it is, as trimmed by a service, as the bytes that a header shows, and in base64. Other notations are read. */
export function formsOf(secret: string): Set<string> {
  const bytes = [...new TextEncoder().encode(secret)];
  const base64 = [0, 1, 2].map((offset) => toBase64(bytes, offset));
  return new Set([
    secret,
    secret.trim(),
    // Half a character cannot stand in UTF-8.
    secret.replace(/[\uD800-\uDFFF]/gu, '\uFFFD'),
    toBinary(bytes),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ]);
}

/** The characters of base64 that belong to the secret alone where it begins `offset` bytes after a group of three. */
function toBase64(secret: readonly number[], offset: number): string {
  const bytes = [...new Uint8Array(offset), ...secret];
  const end = Math.floor((bytes.length * 8) / 6);
  return btoa(toBinary(bytes)).slice(Math.ceil((offset * 8) / 6), end);
}

/** A character for each byte; a header in UTF-8 is read like this. */
function toBinary(bytes: readonly number[]): string {
  return bytes.map((byte) => String.fromCharCode(byte)).join('');
}
