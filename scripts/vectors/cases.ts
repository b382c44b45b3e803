// The cases of webhook-vectors.json: deliveries that a verifier has to accept or to reject.

import { hmac } from './openssl.ts';

/** A delivery and its expected result. */
export interface Case {
  readonly name: string;
  /** Signing secrets of the receiver, any of which may match. */
  readonly secrets?: readonly string[];
  /** The receiver's clock, in seconds since 1970. */
  readonly now?: number;
  /** `X-Cbt-Signature`; null when the header is missing. */
  readonly header: string | null;
  readonly body: string | Uint8Array;
  readonly verdict: Verdict;
}

export type Verdict =
  | 'accepted'
  | 'header_missing'
  | 'header_malformed'
  | 'timestamp_too_old'
  | 'timestamp_in_future'
  | 'signature_mismatch';

export const secret = 'whsec_test_5f0c1d2e3b4a';
/** When the deliveries were signed, in seconds since 1970. */
export const signedAt = 1_740_797_113;

const body = JSON.stringify({
  event: 'exam_participant.registered',
  created_at: '2025-03-01T09:45:13+07:00',
  data: { participant_id: 9, exam_id: 1 },
});

function mac(content: string | Uint8Array, timestamp: number | string = signedAt, key = secret): string {
  return hmac(key, Buffer.concat([Buffer.from(`${timestamp}.`), Buffer.from(content)]));
}

const right = mac(body);
const wrong = '0'.repeat(64);
const t = `t=${signedAt}`;
const v1 = `v1=${right}`;

type Named<Rest extends readonly unknown[]> = readonly (readonly [name: string, ...Rest])[];

const accepted: Named<[header: string]> = [
  ['the documented form', `${t},${v1}`],
  ['the signature before the timestamp', `${v1},${t}`],
  ['a space after the comma', `${t}, ${v1}`],
  ['several spaces after the comma', `${t},    ${v1}`],
  ['a wrong signature before the right one', `${t},v1=${wrong},${v1}`],
  ['a wrong signature after the right one', `${t},${v1},v1=${wrong}`],
  ['the same signature twice', `${t},${v1},${v1}`],
  ['sixteen signatures, the right one last', `${t}${`,v1=${wrong}`.repeat(15)},${v1}`],
  ['another scheme beside v1', `${t},v0=abc,${v1}`],
  ['another scheme whose value holds an equals sign', `${t},v2=YWJj==,${v1}`],
  ['another key without a value', `${t},kid=,${v1}`],
  ['another key first', `kid=1,${t},${v1}`],
  ['another key last', `${t},${v1},kid=1`],
  ['another key twice', `kid=1,kid=2,${t},${v1}`],
  ['__proto__ as a key', `__proto__=1,${t},${v1}`],
  ['constructor and toString as keys', `constructor=1,toString=2,${t},${v1}`],
  ['keys that differ from t and v1 in case', `T=1,V1=2,${t},${v1}`],
  ['keys that begin like t and v1', `ts=1,v11=2,v=3,${t},${v1}`],
];

const malformed: Named<[header: string]> = [
  ['an empty header', ''],
  ['only a comma', ','],
  ['only spaces', '   '],
  ['no timestamp', v1],
  ['no signature', t],
  ['the bare signature', right],
  ['two timestamps', `${t},${t},${v1}`],
  ['two timestamps that differ', `${t},t=1,${v1}`],
  ['two headers joined', `${t},${v1}, ${t},${v1}`],
  ['a trailing comma', `${t},${v1},`],
  ['a trailing comma and a space', `${t},${v1}, `],
  ['a leading comma', `,${t},${v1}`],
  ['two commas', `${t},,${v1}`],
  ['a leading space', ` ${t},${v1}`],
  ['a trailing space', `${t},${v1} `],
  ['a space before the comma', `${t} ,${v1}`],
  ['a space before the equals sign', `t =${signedAt},${v1}`],
  ['a space after the equals sign', `t= ${signedAt},${v1}`],
  ['a space inside the signature', `${t},v1=${right.slice(0, 32)} ${right.slice(32)}`],
  ['a tab after the comma', `${t},\t${v1}`],
  ['a line break at the end', `${t},${v1}\n`],
  ['a line break after the comma', `${t},\n${v1}`],
  ['a carriage return at the end', `${t},${v1}\r`],
  ['a no-break space after the comma', `${t},\u00a0${v1}`],
  ['semicolons in place of commas', `${t};${v1}`],
  ['an entry without an equals sign', `${t},${v1},flag`],
  ['an entry without a key', `${t},${v1},=1`],
  ['an empty timestamp', `t=,${v1}`],
  ['a leading zero', `t=0${signedAt},${v1}`],
  ['zero', `t=0,v1=${mac(body, 0)}`],
  ['a negative timestamp', `t=-${signedAt},${v1}`],
  ['a plus sign', `t=+${signedAt},${v1}`],
  ['a fraction', `t=${signedAt}.0,${v1}`],
  ['an exponent', `t=1e9,v1=${mac(body, '1e9')}`],
  ['a hexadecimal timestamp', `t=0x67c2,v1=${mac(body, '0x67c2')}`],
  ['milliseconds', `t=${signedAt}000,v1=${mac(body, `${signedAt}000`)}`],
  ['thirteen digits', `t=1234567890123,${v1}`],
  ['Arabic-Indic digits', `t=١٧٤٠٧٩٧١١٣,v1=${mac(body, '١٧٤٠٧٩٧١١٣')}`],
  ['fullwidth digits', `t=１７４０７９７１１３,${v1}`],
  ['a date', `t=2025-03-01,${v1}`],
  ['a timestamp in quotes', `t="${signedAt}",${v1}`],
  ['an empty signature', `${t},v1=`],
  ['uppercase digits', `${t},v1=${right.toUpperCase()}`],
  ['one uppercase digit', `${t},v1=${'A'}${right.slice(1)}`],
  ['a signature of 63 digits', `${t},v1=${right.slice(1)}`],
  ['a signature of 65 digits', `${t},${v1}0`],
  ['a signature of no hexadecimal digits', `${t},v1=${'g'.repeat(64)}`],
  ['a signature in base64', `${t},v1=${Buffer.from(right, 'hex').toString('base64')}`],
  ['an equals sign inside the signature', `${t},v1=x=y`],
  ['an equals sign after the signature', `${t},${v1}=`],
  ['an equals sign before the signature', `${t},v1==${right}`],
  ['one malformed signature beside the right one', `${t},v1=${right.slice(1)},${v1}`],
  ['one malformed signature after the right one', `${t},${v1},v1=zz`],
  ['seventeen signatures', `${t}${`,v1=${wrong}`.repeat(16)},${v1}`],
  ['a header in quotes', `"${t},${v1}"`],
  ['JSON', JSON.stringify({ t: signedAt, v1: right })],
  ['keys in uppercase', `T=${signedAt},V1=${right}`],
  ['another scheme only', `${t},v2=${right}`],
  ['a null character at the end', `${t},${v1}\0`],
];

const mismatched: Named<[body: string | Uint8Array, header: string]> = [
  ['a signature of zeros', body, `${t},v1=${wrong}`],
  ['one digit changed', body, `${t},v1=${right.slice(0, -1)}${right.endsWith('0') ? '1' : '0'}`],
  ['the digits reversed', body, `${t},v1=${[...right].reverse().join('')}`],
  ['sixteen wrong signatures', body, `${t}${`,v1=${wrong}`.repeat(16)}`],
  ['a signature of another body', body, `${t},v1=${mac(`${body} `)}`],
  ['a signature of another time', body, `${t},v1=${mac(body, signedAt + 1)}`],
  ['a signature by another secret', body, `${t},v1=${mac(body, signedAt, `${secret}x`)}`],
  ['a signature of the body alone', body, `${t},v1=${mac('', body.slice(0, -1))}`],
  ['a signature of nothing', body, `${t},v1=${mac('')}`],
  ['an empty body in place of the signed one', '', `${t},${v1}`],
  ['a newline after the body', `${body}\n`, `${t},${v1}`],
  ['a byte order mark before the body', `\uFEFF${body}`, `${t},${v1}`],
  ['a dot before the body', `.${body}`, `${t},${v1}`],
  ['the re-serialised body', JSON.stringify(JSON.parse(body), null, 2), `${t},${v1}`],
  ['the dot moved into the timestamp', `5.${body}`, `t=${String(signedAt).slice(0, -1)}3,${v1}`],
];

const oddBodies: Named<[body: string | Uint8Array]> = [
  ['an empty body', ''],
  ['a body that begins with a dot', `.${body}`],
  ['a body of dots', '...'],
  ['bytes that are not UTF-8', Uint8Array.of(0xff, 0xfe, 0x00, 0x80)],
  ['a null byte', Uint8Array.of(0)],
  ['a byte order mark', `\uFEFF${body}`],
  ['text beyond ASCII', 'Zoë 😀 №1'],
  ['line breaks of all kinds', '{\r\n\n\r}'],
];

const clocks: Named<[skew: number, verdict: Verdict]> = [
  ['signed 300 seconds ahead of the clock', -300, 'accepted'],
  ['signed 301 seconds ahead of the clock', -301, 'timestamp_in_future'],
  ['signed 300 seconds ago', 300, 'accepted'],
  ['signed 301 seconds ago', 301, 'timestamp_too_old'],
];

/** Every case of the vectors. */
export const cases: readonly Case[] = [
  ...accepted.map(([name, header]) => ({ name, header, body, verdict: 'accepted' as const })),
  ...malformed.map(([name, header]) => ({ name, header, body, verdict: 'header_malformed' as const })),
  { name: 'no header', header: null, body, verdict: 'header_missing' },
  ...mismatched.map(([name, content, header]) => ({
    name,
    header,
    body: content,
    verdict: 'signature_mismatch' as const,
  })),
  ...oddBodies.map(([name, content]) => ({
    name,
    header: `${t},v1=${mac(content)}`,
    body: content,
    verdict: 'accepted' as const,
  })),
  ...clocks.map(([name, skew, verdict]) => ({
    name,
    now: signedAt + skew,
    header: `${t},${v1}`,
    body,
    verdict,
  })),
  {
    name: 'twelve digits, far in the future',
    header: `t=999999999999,v1=${mac(body, '999999999999')}`,
    body,
    verdict: 'timestamp_in_future',
  },
  {
    name: 'a stale delivery whose signature is wrong',
    now: signedAt + 301,
    header: `${t},v1=${wrong}`,
    body,
    verdict: 'timestamp_too_old',
  },
  {
    name: 'the second of two secrets, as during a rotation',
    secrets: ['whsec_next', secret],
    header: `${t},${v1}`,
    body,
    verdict: 'accepted',
  },
  {
    name: 'neither of two secrets',
    secrets: ['whsec_next', 'whsec_other'],
    header: `${t},${v1}`,
    body,
    verdict: 'signature_mismatch',
  },
  {
    name: 'a secret with letters beyond ASCII',
    secrets: ['whsec_Zoë_№1'],
    header: `${t},v1=${mac(body, signedAt, 'whsec_Zoë_№1')}`,
    body,
    verdict: 'accepted',
  },
];
