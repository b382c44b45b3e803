// Stands between the page and the service: it holds the key, and lets three operations pass.
//
//   EXAM_SERVICE_BASE_URL=… EXAM_SERVICE_API_KEY=… npx node examples/browser/proxy.ts
import { serve } from '@hono/node-server';
import { type Context, Hono } from 'hono';

/** What a proxy needs to know. */
export interface ProxyOptions {
  /** Address of the service, with its version prefix. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** In milliseconds, until the service has begun to answer. Default 20,000. */
  readonly timeout?: number;
}

/** The operations that pass, with the parameters that pass along. Everything else is refused. */
const allowed = [
  { path: '/exams', query: ['page', 'limit'] },
  { path: '/exams/:id{[0-9]+}', query: [] },
  { path: '/exam-results', query: ['page', 'limit', 'participant_id', 'exam_id'] },
];

/** What a page may learn from the headers of an answer; cookies and the like stay here. */
const passedHeaders = ['content-type', 'retry-after', 'x-request-id'];

/** The proxy as a Hono application, below `/api/v1`. */
export function createProxy({ baseUrl, apiKey, timeout = 20_000 }: ProxyOptions): Hono {
  async function forward(c: Context, query: readonly string[]): Promise<Response> {
    const url = new URL(baseUrl.replace(/\/$/, '') + c.req.path.slice('/api/v1'.length));
    for (const name of query) {
      const value = c.req.query(name);
      if (value !== undefined) url.searchParams.set(name, value);
    }
    let answer: Response;
    try {
      answer = await fetch(url, {
        headers: { Accept: 'application/json', 'X-Client-Key': apiKey },
        // A redirect that is followed would carry the key to wherever it leads.
        redirect: 'manual',
        signal: AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(timeout)]),
      });
    } catch {
      return c.json({ message: 'The proxy cannot reach the exam service.' }, 502);
    }
    if (answer.status >= 300 && answer.status < 400)
      return c.json({ message: 'The exam service redirects, which the proxy does not follow.' }, 502);

    const headers = new Headers({ 'Cache-Control': 'no-store' });
    for (const name of passedHeaders) {
      const value = answer.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    return new Response(answer.body, { status: answer.status, headers });
  }

  const app = new Hono().basePath('/api/v1');
  for (const { path, query } of allowed) app.get(path, (c) => forward(c, query));
  app.all('*', (c) => c.json({ message: 'The proxy does not let this operation pass.' }, 403));
  return app;
}

if (import.meta.main) {
  const { EXAM_SERVICE_BASE_URL: baseUrl, EXAM_SERVICE_API_KEY: apiKey, PORT = '8787' } = process.env;
  if (!baseUrl || !apiKey) throw new Error('Set EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY.');
  serve(
    { fetch: createProxy({ baseUrl, apiKey }).fetch, hostname: '127.0.0.1', port: Number(PORT) },
    ({ port }) => console.log(`Proxy: http://127.0.0.1:${port}/api/v1`),
  );
}
