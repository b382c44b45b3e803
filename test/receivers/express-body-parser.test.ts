import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { expect, test, vi } from 'vitest';
import { signedWebhook } from '../../src/testing/index.ts';
import { createWebhookHandler, toNodeListener, WebhookVerificationError } from '../../src/webhooks/index.ts';
import { body, secret, send } from './deliveries.ts';

/** Sends a signed delivery to an Express application in which `parser` comes before the receiver. */
async function deliverBehind(parser: RequestHandler) {
  const handled = vi.fn();
  const onError = vi.fn<(error: unknown) => void>();
  const on = { 'exam_result.completed': handled };
  const app = express();
  app.use(parser);
  app.post('/webhooks', toNodeListener(createWebhookHandler({ secret, on, onError })));
  const server = app.listen(0, '127.0.0.1');
  try {
    await vi.waitUntil(() => server.listening);
    const { port } = server.address() as AddressInfo;
    const response = await send(`http://127.0.0.1:${port}/webhooks`, signedWebhook({ body, secret }));
    return { ...response, handled, errors: onError.mock.calls.map(([error]) => error) };
  } finally {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }
}

test('behind express.json() the response is 500, and the error that is logged names the fix', async () => {
  const { status, handled, errors } = await deliverBehind(express.json());
  expect(status).toBe(500);
  expect(handled).not.toHaveBeenCalled();
  expect(errors).toEqual([expect.any(WebhookVerificationError)]);
  expect(errors[0]).toMatchObject({
    reason: 'body_not_raw',
    message: expect.stringContaining('before express.json()'),
  });
});

test('behind express.raw() the delivery is handled', async () => {
  const { status, handled } = await deliverBehind(express.raw({ type: '*/*' }));
  expect(status).toBe(204);
  expect(handled).toHaveBeenCalledOnce();
});

test('behind express.json() that keeps the bytes as rawBody the delivery is handled', async () => {
  const keepBytes = (request: object, _response: unknown, rawBody: Buffer) => {
    Object.assign(request, { rawBody });
  };
  const { status, handled } = await deliverBehind(express.json({ verify: keepBytes }));
  expect(status).toBe(204);
  expect(handled).toHaveBeenCalledOnce();
});
