import { createServer } from 'node:http';
import { connect } from 'node:net';
import { type Holder, listen } from './loopback.ts';
import { relay } from './relay.ts';

/** A proxy that opens tunnels and does nothing else. */
export interface ConnectProxy extends Holder {
  /** Host and port of every tunnel, in order. */
  readonly tunnels: readonly string[];
}

/** Starts a proxy for CONNECT; any other request gets a 405. */
export async function startConnectProxy(): Promise<ConnectProxy> {
  const tunnels: string[] = [];
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connect', ({ url = '' }, client, head) => {
    tunnels.push(url);
    const { hostname, port } = new URL(`http://${url}`);
    const target = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.write(head);
    });
    relay(client, target);
  });
  return { ...(await listen(server)), tunnels };
}
