// Writes spec/webhook-vectors.json: npm run vectors
import { writeFile } from 'node:fs/promises';
import { cases, secret, signedAt } from './cases.ts';

const about = [
  'Deliveries to check a receiver in any language with.',
  'Verify `header` (X-Cbt-Signature; null: there is none) over the bytes of `body` (base64) with any of `secrets`, at `now` (seconds since 1970).',
  '`verdict` is `accepted` or the reason to respond with 400. Which signatures verify is independent of this package: OpenSSL made them.',
];

/** The text of `webhook-vectors.json`. */
export function renderVectors(): string {
  const vectors = cases.map(({ name, secrets = [secret], now = signedAt, header, body, verdict }) => ({
    name,
    secrets,
    now,
    header,
    body: Buffer.from(body).toString('base64'),
    verdict,
  }));
  return `${JSON.stringify({ about, toleranceSeconds: 300, vectors }, null, 2)}\n`;
}

if (import.meta.main)
  await writeFile(new URL('../../spec/webhook-vectors.json', import.meta.url), renderVectors());
