import { once } from 'node:events';
import {
  type AddressInfo,
  connect,
  createServer as createPlainServer,
  type Server,
  type Socket,
} from 'node:net';
import { createServer } from 'node:tls';
import type { Certificate } from './certificate.ts';
import { relay } from './relay.ts';

/** Holds a port of this machine. */
export interface Holder extends AsyncDisposable {
  readonly port: number;
}

/** Listens on a free port of this machine, and breaks every connection when it is disposed of. */
export async function listen(server: Server): Promise<Holder> {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/** Terminates TLS in front of another port of this machine. */
export function listenSecurely({ key, certificate }: Certificate, port: number): Promise<Holder> {
  const server = createServer({ key, cert: certificate }, (socket) => {
    relay(socket, connect(port, '127.0.0.1'));
  });
  return listen(server);
}

/**
 * A port that rejects connections until it is disposed of: it belongs to the client side of an open connection, so no other
 * process can listen on it meanwhile.
 */
export async function rejectConnections(): Promise<Holder> {
  const far = await listen(createPlainServer());
  const near = connect(far.port, '127.0.0.1');
  await once(near, 'connect');
  const { localPort } = near;
  if (localPort === undefined) throw new Error('The connection has no port.');
  return {
    port: localPort,
    async [Symbol.asyncDispose]() {
      near.destroy();
      await far[Symbol.asyncDispose]();
    },
  };
}
