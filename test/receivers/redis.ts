import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import { describe } from 'vitest';
import { freePort } from '../helpers/free-port.ts';

const { REDIS_URL: redisUrl, REQUIRE_REDIS } = process.env;

/** A suite over the Redis server at `REDIS_URL`. Without one it is skipped, unless `REQUIRE_REDIS` is 1. */
export function describeWithRedis(name: string, suite: (redisUrl: string) => void): void {
  if (!redisUrl) {
    if (REQUIRE_REDIS === '1') throw new Error('REQUIRE_REDIS is 1, but REDIS_URL names no server.');
    console.warn(`Skipped, as REDIS_URL names no server: ${name}`);
  }
  describe.skipIf(!redisUrl)(name, () => suite(redisUrl ?? ''));
}

/** A way to the Redis server that a test can block. */
export interface Detour extends AsyncDisposable {
  readonly url: string;
  /** Cuts all connections, and rejects new ones until `open` is called. */
  block(): void;
  open(): void;
}

/** Starts a detour to the Redis server at `redisUrl`. */
export async function startDetour(redisUrl: string): Promise<Detour> {
  const target = new URL(redisUrl);
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((incoming) => {
    if (!isOpen) {
      incoming.destroy();
      return;
    }
    const outgoing = connect(Number(target.port || 6379), target.hostname);
    for (const [socket, peer] of [[incoming, outgoing] as const, [outgoing, incoming] as const]) {
      sockets.add(socket);
      socket.pipe(peer);
      // A reset is only one of the ways to close.
      socket.on('error', () => peer.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        peer.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const detour = new URL(redisUrl);
  detour.hostname = '127.0.0.1';
  detour.port = String((server.address() as AddressInfo).port);
  const block = () => {
    isOpen = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: detour.href,
    block,
    open: () => {
      isOpen = true;
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      block();
      await closed;
    },
  };
}

/** A Redis server that a test may stop and start as it likes. Every write is on the disk before it is acknowledged. */
export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Creates one that is not running yet, from the `redis-server` in `PATH`. */
export async function createRedisServer(): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'redis-'));
  const port = String(await freePort());
  const url = `redis://127.0.0.1:${port}`;
  let server: ChildProcess | undefined;
  const stop = async () => {
    if (server === undefined || server.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  };
  return {
    url,
    stop,
    async start() {
      const files = ['--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];
      server = spawn('redis-server', ['--bind', '127.0.0.1', '--port', port, ...files], { stdio: 'ignore' });
      // The client tries to connect until the server is there.
      const client = await createClient({ url })
        .on('error', () => {})
        .connect();
      await client.close();
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true });
    },
  };
}
