/**
 * A durable inbox for webhook deliveries: each event is stored before it is acknowledged, and has its effect once.
 *
 *   npm start                                       receiver and worker in one process, over PGlite in out/inbox
 *   DATABASE_URL=postgres://… npm start             the same over PostgreSQL
 *   DATABASE_URL=postgres://… npm start receiver    only the receiver, or only a worker: run as many of both as you need
 *   DATABASE_URL=postgres://… npm start worker
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ExamClient } from 'exam-service-sdk';
import { toNodeListener } from 'exam-service-sdk/webhooks';
import { openDatabase } from './database.ts';
import { createInbox } from './receiver.ts';
import { startWorker } from './worker.ts';

const {
  EXAM_SERVICE_WEBHOOK_SECRET: secret = '',
  EXAM_SERVICE_BASE_URL: baseUrl = '',
  EXAM_SERVICE_API_KEY: apiKey = '',
  HOST = '127.0.0.1',
  PORT = '3000',
} = process.env;

const parts = process.argv.length > 2 ? process.argv.slice(2) : ['receiver', 'worker'];
const database = await openDatabase();
const server = createServer(toNodeListener(createInbox(database, secret)));

if (parts.includes('receiver')) {
  server.listen(Number(PORT), HOST, () => {
    console.log(`Listening on http://${HOST}:${(server.address() as AddressInfo).port}/webhooks`);
  });
}
if (parts.includes('worker')) {
  await startWorker(database, new ExamClient({ baseUrl, apiKey }));
  console.log('Working through the inbox');
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    // What is being stored is stored before the database closes.
    server.close(() => void database[Symbol.asyncDispose]());
    if (!server.listening) void database[Symbol.asyncDispose]();
  });
}
