/** The lowercase hexadecimal digits of `bytes`. */
export function toHex(bytes: Uint8Array | ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => (byte + 0x100).toString(16).slice(1)).join('');
}
