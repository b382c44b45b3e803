/**
 * A proxy as a Cloudflare Worker.
 *
 *   npx wrangler secret put EXAM_SERVICE_API_KEY
 *   npx wrangler deploy
 *
 * `wrangler.json` sets `EXAM_SERVICE_BASE_URL`. No compatibility flag is needed.
 */
import { createProxyHandler, type ProxyHandler } from 'exam-service-sdk/proxy';
import { participantOf } from './session.ts';

interface Env {
  readonly EXAM_SERVICE_BASE_URL: string;
  readonly EXAM_SERVICE_API_KEY: string;
}

let proxy: ProxyHandler | undefined;

const createProxy = ({ EXAM_SERVICE_BASE_URL: baseUrl, EXAM_SERVICE_API_KEY: apiKey }: Env): ProxyHandler =>
  createProxyHandler({
    baseUrl,
    apiKey,
    allow: ['exams.list', 'examResults.list'],
    authorize(request, { operation }) {
      const participant_id = participantOf(request);
      if (participant_id === null) return null;
      return operation === 'examResults.list' ? { query: { participant_id } } : true;
    },
  });

export default {
  fetch(request: Request, env: Env): Promise<Response> {
    proxy ??= createProxy(env);
    return proxy(request);
  },
};
