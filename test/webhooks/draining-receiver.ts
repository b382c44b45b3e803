// A receiver in a process of its own, which ends on SIGTERM as the guide says. It prints its port, then what it handles.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWebhookHandler, toNodeListener } from '../../src/webhooks/index.ts';

const handler = createWebhookHandler({
  onUnknown: async ({ event }) => {
    // Several are at work whenever the signal comes.
    await new Promise((resolve) => setTimeout(resolve, 20));
    console.log(event);
  },
});
const server = createServer(toNodeListener(handler)).listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port);
});
process.once('SIGTERM', () => server.close());
