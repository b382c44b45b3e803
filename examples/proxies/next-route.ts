/**
 * A proxy as a route handler of the Next.js App Router: copy it to `app/api/v1/[...path]/route.ts`, and set
 * `EXAM_SERVICE_BASE_URL` and `EXAM_SERVICE_API_KEY`. Export more methods for operations that write. It needs Next's Node.js
 * runtime, the default: on the edge runtime Next adds `?path=…` to the request, which the proxy rejects.
 */
import { createProxyHandler, type ProxyHandler } from 'exam-service-sdk/proxy';
import { participantOf } from './session.ts';

let proxy: ProxyHandler | undefined;

export function GET(request: Request): Promise<Response> {
  // Not at the top of the file, as `next build` loads it where the key need not be known.
  proxy ??= createProxyHandler({
    baseUrl: process.env['EXAM_SERVICE_BASE_URL'] ?? '',
    apiKey: process.env['EXAM_SERVICE_API_KEY'] ?? '',
    allow: ['exams.list', 'examResults.list'],
    authorize(page, { operation }) {
      const participant_id = participantOf(page);
      if (participant_id === null) return null;
      return operation === 'examResults.list' ? { query: { participant_id } } : true;
    },
    // Next caches responses to GET by default.
    fetch: (url, init) => fetch(url, { ...init, cache: 'no-store' }),
  });
  return proxy(request);
}
