import { escapeSlashes, escapeUnicode } from '../util/php-json.ts';

/** A value to try, and what would have to be different for it to be the one in use. */
export interface Candidate<Value> {
  readonly value: Value;
  readonly changes: readonly string[];
}

/** Undoes a common mistake: how that reads after "it would be right if", and what it does. */
type Change = readonly [description: string, apply: (value: string) => string | Uint8Array];

const RESERIALIZED = 'the body were as it was sent, not parsed and serialised again';

/** What happens to bodies in frameworks, editors and proxies; the change that explains most comes last. */
const bodyChanges: readonly Change[] = [
  ['the body had no newline at its end', (body) => body.replace(/\r?\n$/, '')],
  ['the body had a newline at its end', (body) => `${body}\n`],
  ['the body had LF in place of CRLF', (body) => body.replaceAll('\r\n', '\n')],
  ['the body had CRLF in place of LF', (body) => body.replace(/\r?\n/g, '\r\n')],
  ['the body had no byte order mark', (body) => body.replace(/^\uFEFF/, '')],
  ['the body had its byte order mark', (body) => `\uFEFF${body}`],
  ['the body had no whitespace around it', (body) => body.trim()],
  ['the body were decoded from base64', (body) => latin1Bytes(atob(body))],
  ['the body had not been decoded as Latin-1', latin1Bytes],
  ['the body were not wrapped in a JSON string', (body) => String(JSON.parse(body))],
  [RESERIALIZED, (body) => escapeSlashes(escapeUnicode(JSON.stringify(JSON.parse(body))))],
  [RESERIALIZED, (body) => escapeSlashes(JSON.stringify(JSON.parse(body)))],
  [RESERIALIZED, (body) => escapeUnicode(JSON.stringify(JSON.parse(body)))],
  [RESERIALIZED, (body) => JSON.stringify(JSON.parse(body))],
];

/** What happens to secrets in configuration. */
const secretChanges: readonly (readonly [description: string, apply: (secret: string) => string])[] = [
  ['the secret had no whitespace around it', (secret) => secret.trim()],
  ['the secret had no quotes around it', (secret) => secret.trim().replace(/^(["'])(.*)\1$/s, '$2')],
];

/** The body as it is and after every change that applies; a parsed body, given as its JSON, only as it may have been sent. */
export function bodyCandidates(body: Uint8Array | string): Candidate<Uint8Array>[] {
  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const asItIs = { value: toBytes(body), changes: typeof body === 'string' ? [RESERIALIZED] : [] };
  const changed = bodyChanges.flatMap(([change, apply]) => {
    try {
      return [{ value: toBytes(apply(text)), changes: [change] }];
    } catch {
      // Not JSON, or not base64: the change does not apply.
      return [];
    }
  });
  return [asItIs, ...changed];
}

function toBytes(value: Uint8Array | string): Uint8Array {
  return typeof value === 'string' ? new TextEncoder().encode(value) : value;
}

/** Every secret as it is and after every change. */
export function secretCandidates(given: readonly string[], others: readonly string[]): Candidate<string>[] {
  const all = [
    ...given.map((value) => ({ value, changes: [] })),
    ...others.map((value, index) => ({ value, changes: [`the secret were otherSecrets[${index}]`] })),
  ];
  return all
    .filter(({ value }) => typeof value === 'string')
    .flatMap(({ value, changes }) => [
      { value, changes },
      ...secretChanges.map(([change, apply]) => ({ value: apply(value), changes: [...changes, change] })),
    ])
    .filter(({ value }) => value !== '');
}

function latin1Bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
