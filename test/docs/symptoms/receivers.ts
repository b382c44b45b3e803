import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { vi } from 'vitest';
import { signedWebhook } from '../../../src/testing/index.ts';
import {
  createWebhookHandler,
  explainWebhookFailure,
  toNodeListener,
  type WebhookHandlerOptions,
} from '../../../src/webhooks/index.ts';
import { body, secret, send } from '../../receivers/deliveries.ts';
import { startExample } from '../../receivers/recipe.ts';
import { completed } from '../../webhooks/helpers.ts';
import { failureOf, type Symptoms } from './symptom.ts';

const delivery = { body, secret };
const onUnknown = () => {};
const now = () => Math.floor(Date.now() / 1000);

/** What a receiver without `onRejected` prints about a delivery. */
async function warningAbout(request: Request, options: Partial<WebhookHandlerOptions> = {}): Promise<string> {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  try {
    await createWebhookHandler({ secret, onUnknown, ...options })(request);
    return warn.mock.calls.join('\n');
  } finally {
    warn.mockRestore();
  }
}

export const receiverSymptoms: Symptoms = {
  'is missing or empty': () =>
    failureOf(() => createWebhookHandler({ onUnknown, secret: process.env['NOT_SET'] ?? '' })),
  signature_mismatch: () =>
    warningAbout(signedWebhook({ body, secret: 'whsec_of_another_endpoint' }).toRequest()),
  'parsed and serialised again': async () => {
    // As PHP writes it, and no other language writes it again.
    const sent = JSON.stringify(completed).replace('Ana Putri', 'An\\u00e1 Putri');
    const { headers } = signedWebhook({ body: sent, secret }).toNodeParts();
    return (await explainWebhookFailure({ headers, body: JSON.stringify(JSON.parse(sent)) }, { secret }))
      .message;
  },
  timestamp_too_old: () => warningAbout(signedWebhook({ ...delivery, timestamp: now() - 600 }).toRequest()),
  timestamp_in_future: () => warningAbout(signedWebhook({ ...delivery, timestamp: now() + 600 }).toRequest()),
  header_missing: () => warningAbout(new Request('https://receiver.test/', { method: 'POST', body })),
  'Pass the raw bytes': async () => {
    const errors: unknown[] = [];
    const receive = createWebhookHandler({ secret, onUnknown, onError: (error) => void errors.push(error) });
    const app = express().use(express.json()).post('/webhooks', toNodeListener(receive));
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await send(`http://127.0.0.1:${port}/webhooks`, signedWebhook(delivery));
    server.close();
    server.closeAllConnections();
    return errors.join('\n');
  },
  'listen EADDRINUSE': async () => {
    const settings = (port: string) => ({ EXAM_SERVICE_WEBHOOK_SECRET: secret, PORT: port });
    await using first = await startExample('receivers/express', settings('0'));
    return await failureOf(() => startExample('receivers/express', settings(new URL(first.url).port)));
  },
};
