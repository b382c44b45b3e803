/**
 * A proxy in an Express 5 application. It comes before `express.json()`, since it reads bodies itself. `app.use` cuts the path
 * off that it is mounted at, so `basePath` is `/`.
 *
 *   EXAM_SERVICE_BASE_URL=… EXAM_SERVICE_API_KEY=… PORT=3000 npx node examples/proxies/express.ts
 */
import type { AddressInfo } from 'node:net';
import { createProxyHandler, toNodeListener } from 'exam-service-sdk/proxy';
import express from 'express';
import { participantOf } from './session.ts';

const { EXAM_SERVICE_BASE_URL: baseUrl = '', EXAM_SERVICE_API_KEY: apiKey = '', PORT = '3000' } = process.env;

/** Time limit of a request, in milliseconds. */
const timeout = 10_000;

const proxy = createProxyHandler({
  baseUrl,
  apiKey,
  basePath: '/',
  timeout,
  allow: ['exams.list', 'examResults.list'],
  authorize(request, { operation }) {
    const participant_id = participantOf(request);
    if (participant_id === null) return null;
    return operation === 'examResults.list' ? { query: { participant_id } } : true;
  },
});

const app = express();
app.use('/api/v1', toNodeListener(proxy));

const server = app.listen(Number(PORT), '127.0.0.1', (error) => {
  if (error) throw error;
  console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`);
});
process.once('SIGTERM', () => {
  server.close();
  // A connection that sends nothing, or half a request, would hold the process.
  setTimeout(() => server.closeAllConnections(), timeout + 1_000).unref();
});
