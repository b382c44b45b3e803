import { once } from 'node:events';
import { createServer } from 'node:http';

/** How long a connection may take to close, in milliseconds. */
const limit = 10_000;

/**
 * Starts a service that never completes a response (`onRequest` may begin one) and passes its address to `work`. Afterwards,
 * the `fetch` under test must have closed every connection.
 */
export async function withSilentService(onRequest, work) {
  const ends = [];
  const server = createServer((request, response) => {
    ends.push(once(request.socket, 'close', { signal: AbortSignal.timeout(limit) }));
    onRequest(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await work(`http://127.0.0.1:${server.address().port}`);
    await Promise.all(ends);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
