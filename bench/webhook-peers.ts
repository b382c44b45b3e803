// The peers' webhook verifiers, for comparison in `webhooks.ts`.

import { sign as signForOctokit, verify as verifyForOctokit } from '@octokit/webhooks-methods';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { signWebhook } from '../src/testing/sign.ts';

const id = 'msg_benchmark';

/**
 * The peers' verifiers, each on the same body with a signature of its own kind; where one does not parse the body,
 * JSON.parse is added.
 */
export async function createPeers(body: Uint8Array, secret: string): Promise<Record<string, () => unknown>> {
  const payload = Buffer.from(body);
  const text = payload.toString();
  const sentAt = new Date();
  const key = Buffer.from(secret).toString('base64');

  const stripe = new Stripe('sk_test_benchmark');
  const timestamp = Math.floor(sentAt.getTime() / 1000);
  const stripeHeader = signWebhook({ body, secret, timestamp });

  const standard = new StandardWebhook(key);
  const svix = new SvixWebhook(key);
  const headersOf = (prefix: string, signature: string) => ({
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: String(timestamp),
    [`${prefix}-signature`]: signature,
  });
  const standardHeaders = headersOf('webhook', standard.sign(id, sentAt, text));
  const svixHeaders = headersOf('svix', svix.sign(id, sentAt, text));

  const octokitSignature = await signForOctokit(secret, text);
  return {
    stripe: () => stripe.webhooks.constructEvent(payload, stripeHeader, secret),
    standardwebhooks: () => standard.verify(payload, standardHeaders),
    svix: () => svix.verify(payload, svixHeaders),
    '@octokit/webhooks-methods and JSON.parse': async () =>
      (await verifyForOctokit(secret, text, octokitSignature)) && JSON.parse(payload.toString()),
  };
}
