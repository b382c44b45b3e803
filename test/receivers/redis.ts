import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe } from 'vitest';

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
  /** Cuts all connections, and refuses new ones until `open` is called. */
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
