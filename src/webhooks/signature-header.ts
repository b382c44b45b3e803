/** What a well-formed `X-Cbt-Signature` holds (interface document, Webhook request signature). */
export interface SignatureHeader {
  /** The text of `t` as received: the signature covers these characters. */
  readonly timestamp: string;
  /** Every `v1`, in lowercase hexadecimal digits. */
  readonly signatures: readonly string[];
}

/** Room for sixteen signatures and as much again. */
const MAX_HEADER_LENGTH = 2048;
/** A rotation needs two; more only make a forged request expensive. */
const MAX_SIGNATURES = 16;

/**
 * One entry and what ends it: `t` in seconds (twelve digits stay exact as a number), `v1`, or any other key with a value.
 * Sticky, so that consecutive matches cover the header without a gap.
 */
const ENTRY = /(?:t=([1-9]\d{0,11})|v1=([0-9a-f]{64})|(?!t=|v1=)[^\s,=]+=[^\s,]*)(?:, *(?!$)|$)/y;

/**
 * Reads the header, or returns undefined when it breaks the grammar: entries `key=value` separated by a comma and
 * optional spaces, exactly one `t`, one to sixteen `v1` of 64 lowercase hexadecimal digits, other keys ignored.
 */
export function parseSignatureHeader(header: string): SignatureHeader | undefined {
  if (header.length > MAX_HEADER_LENGTH) return undefined;
  let timestamp = '';
  const signatures: string[] = [];
  ENTRY.lastIndex = 0;
  do {
    const entry = ENTRY.exec(header);
    if (!entry || (timestamp && entry[1])) return undefined;
    timestamp ||= entry[1] ?? '';
    if (entry[2]) signatures.push(entry[2]);
  } while (ENTRY.lastIndex < header.length);
  const complete = timestamp && signatures.length > 0 && signatures.length <= MAX_SIGNATURES;
  return complete ? { timestamp, signatures } : undefined;
}
