/**
 * A durable inbox for webhook deliveries: each event is stored before it is acknowledged, and has its effect once.
 *
 *   npm run example:inbox                                        to try it out: both parts in one process, over PGlite in out/inbox
 *   DATABASE_URL=postgres://… npm run example:inbox              both parts in one process, over PostgreSQL
 *   DATABASE_URL=postgres://… npm run example:inbox -- receiver  only the receiver, or only a worker: as many of both as needed
 *   DATABASE_URL=postgres://… npm run example:inbox -- worker
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ExamClient } from 'exam-service-sdk';
import { toNodeListener } from 'exam-service-sdk/webhooks';
import { connectService } from '../support/service.ts';
import { isForTryingOut, openDatabase } from './open.ts';
import { createInbox, timeout } from './receiver.ts';
import { startWorker } from './worker.ts';

const { EXAM_SERVICE_WEBHOOK_SECRET: secret = '', HOST = '127.0.0.1', PORT = '3000' } = process.env;

const parts = process.argv.length > 2 ? process.argv.slice(2) : ['receiver', 'worker'];
const service = await connectService();
const { baseUrl, apiKey } = service;
const database = await openDatabase();
const receive = toNodeListener(createInbox(database, secret));
const server = createServer(async (request, response) => {
  // The service delivers again what is not acknowledged.
  if (await database.hasRoom().catch(() => false)) return receive(request, response);
  response.writeHead(503).end('There is no room for more events.');
});

async function close(): Promise<void> {
  // A connection that sends nothing, or half a request, would hold the process.
  setTimeout(() => server.closeAllConnections(), timeout + 1_000).unref();
  // What is being stored is stored before the database closes.
  if (server.listening) await new Promise((resolve) => server.close(resolve));
  await database[Symbol.asyncDispose]();
  await service.close();
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, close);

if (isForTryingOut)
  console.warn('PGlite is for trying out. For real deliveries, set DATABASE_URL to a PostgreSQL server.');
if (parts.includes('receiver')) {
  await new Promise<void>((resolve) => server.listen(Number(PORT), HOST, resolve));
  console.log(`Listening on http://${HOST}:${(server.address() as AddressInfo).port}/webhooks`);
}
if (parts.includes('worker')) await startWorker(database, new ExamClient({ baseUrl, apiKey }));
