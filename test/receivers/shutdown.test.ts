import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signedWebhook } from '../../src/testing/index.ts';
import { freePort } from '../helpers/free-port.ts';
import { longTest } from '../helpers/long-test.ts';
import { body, secret } from './deliveries.ts';
import { type Recipe, startExample, startRecipe } from './recipe.ts';
import { describeWithRedis } from './redis.ts';

/** The time limit of a handler in each recipe, in milliseconds. */
const TIMEOUT_MS = 10_000;

const { REDIS_URL: redisUrl = '' } = process.env;

/** Connects to a recipe and sends so much of a request. */
async function open(url: string, sent: string): Promise<Socket> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  // The recipe cuts it off in the end.
  socket.on('error', () => {});
  await once(socket, 'connect');
  if (sent) socket.write(sent);
  return socket;
}

const { headers } = signedWebhook({ body, secret }).toNodeParts();
const head = `POST /webhooks HTTP/1.1\r\nHost: receiver.test\r\nX-Cbt-Signature: ${headers['x-cbt-signature']}\r\n`;

/** What a sender may leave open. */
const connections = {
  'without a byte': '',
  'with half a header': 'POST /webhooks HTTP/1.1\r\nHost: rec',
  'with half a body': `${head}Content-Length: 1000\r\n\r\n{`,
  'that is kept alive': `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
};

/** How a process ended after SIGTERM, or that it did not within `milliseconds`. */
async function ended({ process: child }: Recipe, milliseconds: number): Promise<unknown> {
  const end = once(child, 'exit').then(([code, signal]) => code ?? signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  child.kill('SIGTERM');
  return end.finally(() => clearTimeout(timer));
}

const service = {
  EXAM_SERVICE_BASE_URL: 'http://127.0.0.1:9/api/v1',
  EXAM_SERVICE_API_KEY: 'key',
  PORT: '0',
};

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shutdown-'));
});
afterAll(() => rm(folder, { recursive: true }));

const recipes: Readonly<Record<string, () => Promise<Recipe>>> = {
  'node-http': () => startRecipe('node-http'),
  express: () => startRecipe('express'),
  fastify: () => startRecipe('fastify'),
  hono: () => startRecipe('hono'),
  koa: () => startRecipe('frameworks/koa'),
  nestjs: () => startRecipe('frameworks/out/frameworks/nestjs.js'),
  'rotate-secret': () => startRecipe('rotate-secret', { SECRET_FILE: join(folder, 'secret.json') }),
  inbox: () =>
    startExample(
      'inbox/start',
      { ...service, EXAM_SERVICE_WEBHOOK_SECRET: secret, DATABASE_URL: '', INBOX_DIR: join(folder, 'inbox') },
      ['receiver'],
    ),
  'proxies/express': () => startExample('proxies/express', service),
  'proxies/hono': () => startExample('proxies/hono', service),
  ...(redisUrl && {
    'redis-deduplication': () => startRecipe('redis-deduplication', { REDIS_URL: redisUrl }),
    'bullmq/receiver': () =>
      startRecipe('bullmq/receiver', { REDIS_URL: redisUrl, QUEUE_NAME: `shutdown-${process.pid}` }),
  }),
};

// All concurrently, since each takes its time limit.
describe.concurrent('a recipe with open connections ends by itself', () => {
  longTest.for(Object.entries(recipes))(
    '%s: within its time limit and three seconds after SIGTERM',
    async ([, start], { expect: expectHere }) => {
      await using recipe = await start();
      const sockets = await Promise.all(Object.values(connections).map((sent) => open(recipe.url, sent)));
      expectHere(await ended(recipe, TIMEOUT_MS + 3_000)).toBe(0);
      for (const socket of sockets) socket.destroy();
    },
  );
});

/** A Redis server that a test may freeze. */
async function startRedis() {
  const port = String(await freePort());
  const server = spawn('redis-server', ['--bind', '127.0.0.1', '--port', port, '--save', ''], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for await (const text of server.stdout) if (String(text).includes('Ready to accept')) break;
  server.stdout.resume();
  return {
    url: `redis://127.0.0.1:${port}`,
    freeze: () => server.kill('SIGSTOP'),
    [Symbol.dispose]: () => void server.kill('SIGKILL'),
  };
}

describeWithRedis('a recipe whose Redis is frozen ends all the same', () => {
  test.each([
    ['redis-deduplication', {}],
    ['bullmq/receiver', { QUEUE_NAME: 'frozen' }],
    ['bullmq/worker', { QUEUE_NAME: 'frozen' }],
  ])('%s', async (name, env) => {
    using redis = await startRedis();
    await using recipe = await startRecipe(name, { REDIS_URL: redis.url, ...env });
    redis.freeze();
    expect(await ended(recipe, TIMEOUT_MS + 3_000)).toBe(0);
  });

  test('redis-deduplication, also in the middle of a claim: when that has ended', async () => {
    using redis = await startRedis();
    await using recipe = await startRecipe('redis-deduplication', { REDIS_URL: redis.url });
    redis.freeze();
    const socket = await open(recipe.url, connections['that is kept alive']);
    const [response] = await once(socket, 'data');
    expect(String(response)).toContain('HTTP/1.1 500');
    // The claim ends 15 s after the delivery came, of which the receiver waited for 5 s.
    expect(await ended(recipe, 15_000)).toBe(0);
  });
});
