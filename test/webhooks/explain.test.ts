import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { signedWebhook } from '../../src/testing/index.ts';
import {
  explainWebhookFailure,
  safeVerifyWebhook,
  verifyWebhookSignature,
  type WebhookFailureExplanation,
} from '../../src/webhooks/index.ts';
import { rejection, throwing } from '../helpers/client.ts';
import { completed, delivery, mac, options, secret, signedAt } from './helpers.ts';

/** As PHP writes it by default: slashes and everything beyond ASCII escaped. */
const sent = String.raw`{"event":"exam_result.scored","created_at":"2025-03-01T09:45:13+07:00","data":{"name":"Zo\u00eb \/ \u2116 1"}}`;
const header = `t=${signedAt},v1=${mac(sent)}`;
const parsed = JSON.parse(sent);

async function explain(
  body: unknown,
  more: object = {},
  signature = header,
): Promise<WebhookFailureExplanation> {
  const headers = { 'x-cbt-signature': signature };
  return explainWebhookFailure({ body, headers }, { ...options, ...more });
}

const signedAs = (text: string) => `t=${signedAt},v1=${mac(text)}`;
const plain = JSON.stringify(completed);
const mixed = JSON.stringify({ a: '/ë' });
const reserialized = 'the body were as it was sent, not parsed and serialised again';

test.each<[what: string, body: unknown, signature: string, change: string]>([
  ['parsed and serialised', JSON.stringify(parsed), header, reserialized],
  ['parsed and pretty-printed', JSON.stringify(parsed, null, 2), header, reserialized],
  ['parsed', parsed, header, reserialized],
  ['parsed, of plain JSON', completed, signedAs(plain), reserialized],
  ['pretty-printed, of plain JSON', JSON.stringify(completed, null, 4), signedAs(plain), reserialized],
  ['serialised, sent with escaped slashes', mixed, signedAs(String.raw`{"a":"\/ë"}`), reserialized],
  ['serialised, sent with escaped letters', mixed, signedAs(String.raw`{"a":"/\u00eb"}`), reserialized],
  ['given a newline', `${sent}\n`, header, 'the body had no newline or space around it'],
  ['given a newline of Windows', `${sent}\r\n`, header, 'the body had no newline or space around it'],
  ['robbed of its newline', sent, signedAs(`${sent}\n`), 'the body had a newline at its end'],
  ['given whitespace', ` ${sent} `, header, 'the body had no newline or space around it'],
])('finds out that the body was %s', async (_, body, signature, change) => {
  const explanation = await explain(body, {}, signature);
  expect(explanation.changes).toEqual([change]);
  expect(explanation.message).toBe(`The signature would be right if ${change}.`);
  expect(['signature_mismatch', 'body_not_raw']).toContain(explanation.code);
});

test.each([
  ['whitespace around it', `${secret}\n`, 'configuration', ['the secret had no whitespace around it']],
  ['quotes around it', `"${secret}"`, 'signature_mismatch', ['the secret had no quotes around it']],
  ['single quotes around it', `'${secret}'`, 'signature_mismatch', ['the secret had no quotes around it']],
])('finds out that the secret has %s', async (_, given, code, changes) => {
  expect(await explain(sent, { secret: given })).toMatchObject({ code, changes });
  expect(await explain(sent, { secret: ['whsec_other', given] })).toMatchObject({ code, changes });
});

test.each([
  ['the end', `${secret.slice(0, 8)}"${secret.slice(8)}"`],
  ['the beginning', `"${secret.slice(0, 8)}"${secret.slice(8)}`],
])('does not take quotes around %s of the secret for a mistake', async (_, given) => {
  expect(await explain(sent, { secret: given })).toMatchObject({ changes: [] });
});

test('finds out that the secret of another endpoint is needed', async () => {
  const more = { secret: 'whsec_wrong', otherSecrets: ['whsec_third', secret] };
  expect(await explain(sent, more)).toMatchObject({ changes: ['the secret were otherSecrets[1]'] });
});

test('finds out that the clock is off, by how much and in which direction', async () => {
  for (const [skew, code, change] of [
    [7_200, 'timestamp_too_old', 'the clock were 7200 s earlier'],
    [-400, 'timestamp_in_future', 'the clock were 400 s later'],
  ] as const) {
    const now = () => (signedAt + skew) * 1000;
    expect(await explain(sent, { now })).toMatchObject({ code, changes: [change] });
  }
});

test('finds several mistakes together', async () => {
  const more = { secret: `${secret} `, now: () => (signedAt + 1_000) * 1000 };
  const explanation = await explain(JSON.stringify(parsed), more);
  expect(explanation).toMatchObject({
    code: 'configuration',
    changes: ['the secret had no whitespace around it', reserialized, 'the clock were 1000 s earlier'],
  });
  expect(explanation.message).toContain(', and ');
});

describe('where no change helps', () => {
  test('it says so', async () => {
    const explanation = await explain(`${sent} and more`);
    expect(explanation).toMatchObject({ code: 'signature_mismatch', changes: [] });
    expect(explanation.message).toContain('secret most likely belongs to another endpoint');
    const late = await explain('other', { now: () => (signedAt + 1_000) * 1000, secret: [] });
    expect(late.message).toContain('unless the clock were 1000 s earlier');
  });

  test('it reports a header that was rewritten or dropped on the way', async () => {
    for (const signature of ['Bearer x', `"${header}"`, `${header},`, `t=${signedAt}; v1=${mac(sent)}`]) {
      expect(await explain(sent, {}, signature)).toMatchObject({ code: 'header_malformed', changes: [] });
    }
    const explanation = await explainWebhookFailure({ body: sent, headers: {} }, options);
    expect(explanation).toMatchObject({ code: 'header_missing', changes: [] });
    expect(explanation.message).toContain('X-Cbt-Signature');
  });

  test('it reports a body that was read before, or is none', async () => {
    const request = signedWebhook({ body: sent, secret }).toRequest();
    await request.text();
    expect(await explainWebhookFailure(request, options)).toMatchObject({
      code: 'body_not_raw',
      message: expect.stringMatching(/^The body must be raw/),
    });
    expect(await explain(undefined)).toMatchObject({ code: 'body_not_raw', changes: [] });
  });
});

test('a delivery that verifies has nothing to explain, as a Request and in parts', async () => {
  const right = { code: undefined, changes: [], message: 'The signature is right as it is.' };
  expect(await explain(sent)).toEqual(right);
  const request = signedWebhook({ body: sent, secret, timestamp: signedAt }).toRequest();
  expect(await explainWebhookFailure(request, options)).toEqual(right);
});

test('JSON that is nested too deeply to be written, as an attacker may send it, is explained too', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  for (const body of [deep, JSON.parse(deep)]) {
    expect(await explain(body)).toMatchObject({ changes: [], message: expect.stringContaining('rewritten') });
  }
});

test('what goes wrong inside an option is not explained away', async () => {
  const now = throwing(new Error('no clock'));
  await expect(explain(sent, { now })).rejects.toThrow('no clock');
});

test('neither rejections nor explanations show the secret, the right signature or the payload', async () => {
  const notes = 'a very private note';
  const text = JSON.stringify({ ...completed, data: { ...completed.data, notes, score: notes } });
  const shown: unknown[] = [];
  const rejected = [
    delivery(text),
    delivery(`${text} `, signedAs(text)),
    delivery(text, `${signedAs(text)},`),
    delivery(text.slice(1)),
    delivery(Buffer.from(`${text}\xff`, 'latin1')),
    { body: JSON.parse(text), headers: delivery(text).headers },
  ];
  for (const input of rejected) {
    const result = await safeVerifyWebhook(input, options);
    const padded = { ...options, secret: `${secret}\n`, otherSecrets: [secret] };
    for (const given of [options, padded]) shown.push(await explainWebhookFailure(input, given));
    shown.push(result);
    if (!result.ok) shown.push(result.error.message, result.error.stack);
  }
  shown.push(await rejection(verifyWebhookSignature(delivery(text), { ...options, secret: ` ${secret}` })));
  for (const value of shown) {
    const printed = `${inspect(value, { depth: null, showHidden: true })} ${JSON.stringify(value)} ${String(value)}`;
    for (const kept of [secret, mac(text), notes, 'P-0001', 'ana@example.test'])
      expect(printed).not.toContain(kept);
  }
});
