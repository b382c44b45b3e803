// The proxy between the page and the service: it adds the key, and limits what each person can see.
//
//   EXAM_SERVICE_BASE_URL=… EXAM_SERVICE_API_KEY=… npx node examples/browser/proxy.ts
import { serve } from '@hono/node-server';
import { createProxyHandler } from 'exam-service-sdk/proxy';
import { Hono } from 'hono';
import { handleSession, personOf } from './session.ts';

/** What the proxy needs to know. */
export interface Service {
  /** Address of the service, with its version prefix. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** In milliseconds, until the response of the service has arrived. */
  readonly timeout?: number | undefined;
}

/** The proxy below `/api/v1`, and the sign-in at `/session`. */
export function createProxy(service: Service): Hono {
  const proxy = createProxyHandler({
    ...service,
    allow: ['exams.list', 'exams.retrieve', 'examResults.list'],
    authorize(request, { operation }) {
      const person = personOf(request);
      if (person === null) return null;
      if (person.role === 'teacher' || operation !== 'examResults.list') return true;
      // A participant gets only their own results, also if the page asks for others.
      return person.participantId !== undefined && { query: { participant_id: person.participantId } };
    },
  });
  const app = new Hono();
  app.all('/session', ({ req }) => handleSession(req.raw));
  app.all('/api/v1/*', ({ req }) => proxy(req.raw));
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
