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
    ends.push(closing(request.socket));
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

/** A connection that is reset has closed, too: so it ends where the client never read what had arrived. */
function closing(socket) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`A connection was open ${limit / 1000} s later.`)),
      limit,
    );
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
