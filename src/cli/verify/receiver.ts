// The receiver that `exam-service-sdk verify --listen` starts to check the signatures of deliveries.

import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { messageOf } from '../../util/errors.ts';
import { CommandError } from '../errors.ts';

/** A delivery that arrived. */
export interface Received {
  /** `X-Cbt-Signature`; empty if there was none. */
  readonly header: string;
  readonly body: Uint8Array;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** Receives deliveries on this machine, and acknowledges each. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
}

/** @throws {CommandError} if it cannot listen on the port */
export async function startReceiver(port: number): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const header = String(request.headers['x-cbt-signature'] ?? '');
    try {
      received.push({ header, body: await buffer(request), at: Date.now() });
      response.writeHead(204).end();
    } catch {
      // The sender disconnected before its delivery was complete; its record shows that.
      response.destroy();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new CommandError(messageOf(error))));
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}/`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** HMAC-SHA256 of `<t>.<raw body>` in lowercase hex. */
export function computeSignature(secret: string, time: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
}
