import { spawnSync } from 'node:child_process';

/** HMAC-SHA256 from the OpenSSL program: an implementation that shares nothing with this package's. */
export function hmac(secret: string, message: Uint8Array): string {
  const parameters = [
    'dgst',
    '-sha256',
    '-r',
    '-mac',
    'HMAC',
    '-macopt',
    `hexkey:${Buffer.from(secret).toString('hex')}`,
  ];
  const { stdout, stderr, error } = spawnSync('openssl', parameters, { input: message, encoding: 'utf8' });
  const digest = /^[0-9a-f]{64}/.exec(stdout)?.[0];
  if (digest === undefined) throw new Error(`openssl gave no digest: ${error ?? stderr}`);
  return digest;
}
