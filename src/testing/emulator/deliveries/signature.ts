import { toHex } from '../../../util/hex.ts';

/**
 * The value of `X-Cbt-Signature`: `t=<unix seconds>,v1=<hex>`, with the HMAC-SHA256 of `<t>.<body>` keyed with the
 * endpoint's secret.
 */
export async function signDelivery(secret: string, timestamp: number, body: string): Promise<string> {
  const bytes = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey('raw', bytes.encode(secret), algorithm, false, ['sign']);
  const mac = await subtle.sign('HMAC', key, bytes.encode(`${timestamp}.${body}`));
  return `t=${timestamp},v1=${toHex(mac)}`;
}
