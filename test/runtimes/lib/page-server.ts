import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web site of one page: an application, and the service behind it on the same origin. */
export interface PageServer extends AsyncDisposable {
  readonly origin: string;
}

export interface PageServerOptions {
  /** The application, a module. */
  readonly script: string;
  /** Where `/api/v1` leads to. */
  readonly serviceUrl: string;
  /** The `Content-Security-Policy`, if there is one. */
  readonly policy?: string;
}

export async function servePage({ script, serviceUrl, policy }: PageServerOptions): Promise<PageServer> {
  const html = '<!doctype html><meta charset="utf-8"><title>Page</title>';
  const files: Readonly<Record<string, readonly [type: string, content: string]>> = {
    '/': ['text/html', `${html}<script type="module" src="/app.js"></script>`],
    '/app.js': ['text/javascript', script],
    '/next': ['text/html', html],
    '/favicon.ico': ['image/x-icon', ''],
  };
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path.startsWith('/api/v1')) return pass(request, response, new URL(path, serviceUrl));
    const [type, content] = files[path] ?? ['text/plain', ''];
    const headers = { 'Content-Type': type, 'Cache-Control': 'no-store' };
    response.writeHead(path in files ? 200 : 404, {
      ...headers,
      ...(policy === undefined ? {} : { 'Content-Security-Policy': policy }),
    });
    response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Passes a request on as it is, redirects and broken connections included. */
function pass(request: IncomingMessage, response: ServerResponse, target: URL): void {
  const { method, headers } = request;
  const onward = forward(target, { method, headers }, (upstream) => {
    response.writeHead(upstream.statusCode ?? 502, upstream.headers);
    upstream.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}
