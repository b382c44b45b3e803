import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type SignedWebhook, signedWebhook } from '../../src/testing/index.ts';
import { completed } from '../webhooks/helpers.ts';

export const secret = 'whsec_receivers_9d2f';

/** What the recipes print of `completed`. */
export const handledLine = 'Ana Putri finished Try out: 87.5';

/** Valid JSON that no serialiser here would write again, so that only the bytes themselves can verify. */
export const body = JSON.stringify(completed, null, 3).replaceAll('/', '\\/').replace('Putri', '\\u0050utri');

const longAgo = () => Math.floor(Date.now() / 1000) - 301;

/** A result whose participant was deleted: of a body that no store knows yet, spaced so that only the bytes themselves are the same. */
const deleted = () => {
  const data = { ...completed.data, participant: null, participant_code: randomUUID() };
  return JSON.stringify({ ...completed, data }, null, 1);
};

/** A delivery in each of the ways that matter, with the response that it must get: signed now, as a signature holds five minutes. */
export const deliveries = (): (readonly [kind: string, status: number, text: string, SignedWebhook])[] => [
  ['a signed one', 204, '', signedWebhook({ body, secret })],
  ['a forged one', 400, 'signature_mismatch', signedWebhook({ body, secret: 'whsec_of_someone_else' })],
  [
    'one whose body was altered',
    400,
    'signature_mismatch',
    signedWebhook({
      body: body.replace('87.5', '97.5'),
      secret,
      headers: { 'X-Cbt-Signature': signedWebhook({ body, secret }).signature },
    }),
  ],
  ['a stale one', 400, 'timestamp_too_old', signedWebhook({ body, secret, timestamp: longAgo() })],
  ['one that is not as documented', 204, '', signedWebhook({ body: deleted(), secret })],
];

const wrongSecret = expect.stringMatching(
  /^Rejected: signature_mismatch\. `secret` is not this endpoint's, or the body was changed\./,
);

/** What the recipes log of all `deliveries`: the reason, in words, or where the delivery is kept. */
export const rejectedLines: readonly unknown[] = [
  wrongSecret,
  wrongSecret,
  expect.stringMatching(/^Rejected: timestamp_too_old\. ./),
  expect.stringMatching(/^Not as documented, kept as \S+$/),
];

/** A folder for what recipes keep of deliveries that are not as documented. */
export async function createInvalidFolder() {
  const path = await mkdtemp(join(tmpdir(), 'invalid-'));
  return {
    path,
    /** Expects that the bytes of the last of `sent` are kept, and nothing else. */
    async expectKept(sent: ReturnType<typeof deliveries>) {
      const kept = await readdir(path);
      const texts = await Promise.all(kept.map((name) => readFile(join(path, name), 'utf8')));
      expect(texts).toEqual([Buffer.from(sent.at(-1)?.[3].toNodeParts().body ?? '').toString()]);
      expect(kept).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.json$/)]);
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  };
}

/** Sends a delivery over HTTP, and hangs up when `signal` aborts. */
export async function send(
  url: string,
  delivery: SignedWebhook,
  signal: AbortSignal | null = null,
): Promise<{ status: number; text: string }> {
  const { headers, body } = delivery.toNodeParts();
  const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body), signal });
  return { status: response.status, text: await response.text() };
}
