// The bodies that may have been signed, for `explainWebhookFailure`: as received, and with usual mistakes undone.

import { escapeSlashes, escapeUnicode } from '../../util/php-json.ts';
import { tryOrUndefined } from '../../util/try-or-undefined.ts';

/** A value to try, and the mistakes that were made if it is the right one, a sentence each. */
export interface Candidate<Value> {
  readonly value: Value;
  readonly changes: readonly string[];
}

/**
 * The body as it is, then with the whitespace around it and its serialisation undone. A parsed body, passed as its JSON, is
 * tried only in the forms in which it may have been sent.
 */
export function bodyCandidates(body: Uint8Array | string): Candidate<Uint8Array | string>[] {
  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const serialized = serializations(text);
  if (typeof body === 'string') return serialized.map((value) => ({ value, changes: [] }));
  const bare = text.trim();
  return [
    { value: body, changes: [] },
    { value: `${text}\n`, changes: ['The body lost a newline at its end.'] },
    ...(bare === text ? [] : [{ value: bare, changes: ['The body gained whitespace around it.'] }]),
    ...serialized.map((value) => ({
      value,
      changes: ['The body was parsed and serialised again: pass the raw bytes.'],
    })),
  ];
}

/** The same JSON without spaces, as JavaScript or PHP may have written it: they differ in what they escape. */
function serializations(text: string): string[] {
  const json = toJson(tryOrUndefined(() => JSON.parse(text)));
  if (json === undefined) return [];
  const slashed = escapeSlashes(json);
  return [...new Set([escapeUnicode(slashed), slashed, escapeUnicode(json), json])];
}

/** Undefined for a value that JSON cannot hold, or that is nested too deeply to be written, as only an attacker's is. */
export function toJson(value: unknown): string | undefined {
  return tryOrUndefined(() => JSON.stringify(value));
}
