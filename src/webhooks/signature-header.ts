// Parses the `X-Cbt-Signature` header.

/** The contents of a well-formed `X-Cbt-Signature`. */
export interface SignatureHeader {
  /** The string of `t` as received: the signature covers these characters. */
  readonly t: string;
  /** Every `v1`, in lowercase hexadecimal. */
  readonly v1: readonly string[];
}

/** Room for twice sixteen signatures. */
const MAX_HEADER_LENGTH = 2048;
/** A rotation needs two; more would only make forged requests expensive. */
const MAX_SIGNATURES = 16;

/**
 * One entry and its terminator: `t` in seconds (a number holds twelve digits exactly), `v1`, or any other key with a
 * value.
 */
const entryPattern = /^(?:t=([1-9]\d{0,11})|v1=([\da-f]{64})|(?!t=|v1=)[^\s,=]+=[^\s,]*)(?:, *(?!$)|$)/;

/**
 * Reads the header; returns undefined when it breaks the grammar: entries `key=value` separated by a comma and optional
 * spaces, exactly one `t`, one to sixteen `v1` of 64 lowercase hexadecimal digits, other keys ignored.
 */
export function parseSignatureHeader(header: string): SignatureHeader | undefined {
  if (header.length > MAX_HEADER_LENGTH) return undefined;
  let t: string | undefined;
  const v1: string[] = [];
  let rest = header;
  while (rest) {
    const entry = entryPattern.exec(rest);
    if (!entry || (t && entry[1])) return undefined;
    t ??= entry[1];
    if (entry[2]) v1.push(entry[2]);
    rest = rest.slice(entry[0].length);
  }
  return t && v1[0] && !v1[MAX_SIGNATURES] ? { t, v1 } : undefined;
}
