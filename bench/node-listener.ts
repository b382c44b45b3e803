import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signWebhook } from '../src/testing/sign.ts';
import { createWebhookHandler, toNodeListener } from '../src/webhooks/index.ts';

// CPU time of a delivery through `toNodeListener` (signature, JSON, shape, handler) beside a listener that only reads the
// body. Each server runs in a process of its own, and they take turns: `npm run bench:webhooks`.

const secret = 'whsec_benchmark_0123456789abcdef';
const rounds = 12;
const requests = 2_000;
const connections = 8;

/** The one event whose payload is documented. */
const body = JSON.stringify({
  event: 'exam_result.completed',
  created_at: '2025-03-01T09:45:13+07:00',
  data: {
    exam_result_id: 1,
    user_exam_id: 501,
    participant_code: 'P-0001',
    exam: { id: 1, name: 'Try out', name_short: 'TO-1' },
    exam_quiz: { id: 1, name: 'Verbal' },
    participant: { id: 1, name: 'Ana Putri', email: 'ana@example.test' },
    status: 2,
    status_label: 'Finished',
    score: 87.5,
    start_at: '2025-03-01T08:00:00+07:00',
    end_at: '2025-03-01T09:45:12+07:00',
  },
});

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

const listeners: Readonly<Record<string, Listener>> = {
  bare(request, response) {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.statusCode = Buffer.concat(chunks).length === Buffer.byteLength(body) ? 204 : 500;
      response.end();
    });
  },
  toNodeListener: toNodeListener(
    createWebhookHandler({ secret, on: { 'exam_result.completed': async () => undefined } }),
  ),
};

/** In a server's process: answers each message with the CPU time used so far, in microseconds. */
async function serve(listener: Listener): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.((server.address() as AddressInfo).port);
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.on('disconnect', () => process.exit());
}

async function post(agent: Agent, port: number): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-cbt-signature': signWebhook({ body, secret }),
  };
  const sent = request({ agent, port, host: '127.0.0.1', method: 'POST', path: '/webhooks', headers });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  if (response.statusCode !== 204) throw new Error(`Answered with ${response.statusCode}.`);
  response.resume();
  await once(response, 'close');
}

async function cpuOf(server: ChildProcess): Promise<number> {
  server.send('cpu');
  const [time] = await once(server, 'message');
  return time;
}

async function measure(): Promise<void> {
  const servers: { name: string; process: ChildProcess; port: number; agent: Agent; best: number }[] = [];
  for (const name of Object.keys(listeners)) {
    const child = fork(import.meta.filename, [name]);
    const [port] = await once(child, 'message');
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    servers.push({ name, process: child, port, agent, best: Number.POSITIVE_INFINITY });
  }
  for (let round = 0; round < rounds; round++) {
    for (const server of servers) {
      const before = await cpuOf(server.process);
      const senders = Array.from({ length: connections }, async () => {
        for (let call = 0; call < requests / connections; call++) await post(server.agent, server.port);
      });
      await Promise.all(senders);
      server.best = Math.min(server.best, ((await cpuOf(server.process)) - before) / requests);
    }
  }
  const bare = servers[0]?.best ?? Number.NaN;
  for (const { name, best, process: child, agent } of servers) {
    console.log(
      `${name}: ${best.toFixed(1)} µs of CPU a request, ${(best / bare).toFixed(2)} times the bare`,
    );
    agent.destroy();
    child.disconnect();
  }
}

const listener = listeners[process.argv[2] ?? ''];
await (listener ? serve(listener) : measure());
