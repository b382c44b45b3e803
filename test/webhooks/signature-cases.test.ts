import { expect, test } from 'vitest';
import {
  safeVerifyWebhook,
  verifyWebhookSignature,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts';
import { completed, delivery, describeEngines, mac, options, secret, signedAt } from './helpers.ts';

const body = JSON.stringify(completed);
const right = mac(body);
const wrong = '0'.repeat(64);
const t = `t=${signedAt}`;
const v1 = `v1=${right}`;

const accepted: readonly (readonly [why: string, header: string])[] = [
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

const malformed: readonly (readonly [why: string, header: string])[] = [
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
  ['2,000 signatures', `${t},${v1}${`,v1=${wrong}`.repeat(1999)}`],
  ['2,000 other keys', `${t},${v1}${',a=1'.repeat(2000)}`],
  ['64 KiB of nothing', 'x'.repeat(65_536)],
  ['a header in quotes', `"${t},${v1}"`],
  ['JSON', JSON.stringify({ t: signedAt, v1: right })],
  ['keys in uppercase', `T=${signedAt},V1=${right}`],
  ['another scheme only', `${t},v2=${right}`],
  ['a null character at the end', `${t},${v1}\0`],
];

const mismatched: readonly (readonly [why: string, body: string | Uint8Array, header: string])[] = [
  ['a signature of zeros', body, `${t},v1=${wrong}`],
  ['one digit changed', body, `${t},v1=${right.slice(0, -1)}${right.endsWith('0') ? '1' : '0'}`],
  ['the digits reversed', body, `${t},v1=${[...right].reverse().join('')}`],
  ['sixteen wrong signatures', body, `${t}${`,v1=${wrong}`.repeat(16)}`],
  ['a signature of another body', body, `${t},v1=${mac(`${body} `)}`],
  ['a signature of another time', body, `${t},v1=${mac(body, signedAt + 1)}`],
  ['a signature by another secret', body, `${t},v1=${mac(body, signedAt, `${secret}x`)}`],
  ['a signature of the body alone', body, `${t},v1=${mac('', body.slice(0, -1))}`],
  ['a signature of nothing', body, `${t},v1=${mac('')}`],
  ['an empty body', '', `${t},${v1}`],
  ['a newline after the body', `${body}\n`, `${t},${v1}`],
  ['a byte order mark before the body', `\uFEFF${body}`, `${t},${v1}`],
  ['a dot before the body', `.${body}`, `${t},${v1}`],
  ['the body serialised anew', JSON.stringify(JSON.parse(body), null, 2), `${t},${v1}`],
  ['the dot moved into the timestamp', `5.${body}`, `t=${String(signedAt).slice(0, -1)}3,${v1}`],
];

const oddBodies: readonly (readonly [why: string, body: string | Uint8Array])[] = [
  ['an empty body', ''],
  ['a body that begins with a dot', `.${body}`],
  ['a body of dots', '...'],
  ['bytes that are not UTF-8', Uint8Array.of(0xff, 0xfe, 0x00, 0x80)],
  ['a null byte', Uint8Array.of(0)],
  ['a byte order mark', `\uFEFF${body}`],
  ['text beyond ASCII', 'Zoë 😀 №1'],
  ['line breaks of all kinds', '{\r\n\n\r}'],
  ['64 KiB', 'a'.repeat(65_536)],
  ['10 MB', new Uint8Array(10_000_000).fill(120)],
];

async function codeOf(input: ReturnType<typeof delivery>, changes = {}): Promise<string | undefined> {
  const result = await safeVerifyWebhook(input, { ...options, ...changes });
  return result.ok ? undefined : result.error.code;
}

describeEngines(() => {
  test.each(accepted)('accepts %s', async (_, header) => {
    const result = await safeVerifyWebhook(delivery(body, header), options);
    expect(result).toMatchObject({ ok: true, event: { event: 'exam_result.completed' } });
  });

  test.each(malformed)('refuses as malformed: %s', async (_, header) => {
    expect(await codeOf(delivery(body, header))).toBe('header_malformed');
  });

  test.each(mismatched)('refuses as mismatch: %s', async (_, content, header) => {
    expect(await codeOf(delivery(content, header))).toBe('signature_mismatch');
  });

  test.each(oddBodies)('verifies %s by its bytes', async (_, content) => {
    const verified = await verifyWebhookSignature(delivery(content), options);
    expect(verified.signedAt).toBe(signedAt);
    expect(Buffer.from(verified.body).equals(Buffer.from(content))).toBe(true);
    const changed = Buffer.concat([Buffer.from(content), Buffer.from(' ')]);
    const refused = verifyWebhookSignature(delivery(changed, `${t},v1=${mac(content)}`), options);
    await expect(refused).rejects.toMatchObject({ code: 'signature_mismatch', status: 400 });
  });

  test.each([
    [-301, 'timestamp_in_future'],
    [-300, undefined],
    [0, undefined],
    [300, undefined],
    [301, 'timestamp_too_old'],
  ])('with the clock %i s past the signature the code is %s', async (skew, code) => {
    const result = await safeVerifyWebhook(delivery(body), { secret, now: () => (signedAt + skew) * 1000 });
    if (code === undefined) return expect(result.ok).toBe(true);
    expect(result).toMatchObject({ ok: false, error: { code, status: 400, skewSeconds: skew } });
  });

  test('the clock is read in whole seconds', async () => {
    const late = (signedAt + 300) * 1000 + 999;
    expect(await codeOf(delivery(body), { now: () => late })).toBeUndefined();
    expect(await codeOf(delivery(body), { now: () => late + 1 })).toBe('timestamp_too_old');
  });

  test('a tolerance of 0 accepts the same second only', async () => {
    expect(await codeOf(delivery(body), { toleranceSeconds: 0 })).toBeUndefined();
    const changes = { toleranceSeconds: 0, now: () => (signedAt + 1) * 1000 };
    expect(await codeOf(delivery(body), changes)).toBe('timestamp_too_old');
  });

  test('a clock that is not a number accepts nothing', async () => {
    expect(await codeOf(delivery(body), { now: () => Number.NaN })).toBe('timestamp_too_old');
  });

  test('twelve digits are a timestamp, far in the future', async () => {
    const far = '999999999999';
    expect(await codeOf(delivery(body, `t=${far},v1=${mac(body, far)}`))).toBe('timestamp_in_future');
  });

  test('any of several secrets verifies, and each is tried with each signature', async () => {
    const rotation = { secret: ['whsec_next', secret] };
    expect(await codeOf(delivery(body), rotation)).toBeUndefined();
    expect(await codeOf(delivery(body, `${t},v1=${wrong},${v1}`), rotation)).toBeUndefined();
    expect(await codeOf(delivery(body), { secret: ['whsec_next', 'whsec_other'] })).toBe(
      'signature_mismatch',
    );
  });

  test('a refusal is an error of this package, with a stack', async () => {
    const error: unknown = await verifyWebhookSignature(delivery(body, ''), options).catch(
      (reason) => reason,
    );
    expect(error).toBeInstanceOf(WebhookVerificationError);
    expect(error).toMatchObject({ name: 'WebhookVerificationError', code: 'header_malformed', status: 400 });
    expect((error as Error).stack).toContain('\n    at ');
  });
});
