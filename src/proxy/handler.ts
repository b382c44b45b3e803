// The proxy itself: reads a request, asks whether it may pass, forwards it and responds.

import { ConfigurationError } from '../core/errors/base.ts';
import type { OperationName } from '../core/operation.ts';
import { authorizeCall } from './authorize.ts';
import { Forwarder } from './forward.ts';
import type { Operations } from './operations.ts';
import { checkOrigin } from './origins.ts';
import { type ProxyOptions, readProxyOptions } from './proxy-options.ts';
import { readCall } from './read-call.ts';
import { isResponse, reply } from './reply.ts';

/** A proxy in the form that web platforms call. It rejects only what is not a web `Request`, with a `ConfigurationError`. */
export type ProxyHandler = (request: Request) => Promise<Response>;

/**
 * Creates a proxy between your pages and the service: it holds the key, lets the allowed operations pass where `authorize` agrees,
 * and rejects everything else. A page uses it with `new ExamClient({ baseUrl, apiKey: null })`.
 *
 * It rebuilds each request from its documented parameters, so no header, cookie or other parameter of the page reaches
 * the service; neither key nor cookies come back. It responds in JSON that `ExamClient` reads: 400 and 415 to a request
 * that is not as documented, 401 and 403 to one that is not allowed, 408 and 413 to a body that is late or too long,
 * 429 while the service asks to wait, 500 when `authorize` fails, 502 when the service cannot be reached, redirects or
 * rejects the key, and 504 when it takes too long. A 5xx of the service keeps its status, but not its body, which goes to
 * `onError`; a 503 that is a gateway's and has no `Retry-After` becomes a 502, since it does not say that nothing was done. The proxy doesn't retry; the client in the page does.
 *
 * @example
 * ```ts
 * const proxy = createProxyHandler({
 *   baseUrl: 'https://exams.example.com/api/v1',
 *   apiKey: process.env.EXAM_SERVICE_API_KEY ?? '',
 *   allow: ['examResults.list'],
 *   authorize: (request) => {
 *     const participant_id = participantOf(request); // your session
 *     return participant_id === null ? null : { query: { participant_id } };
 *   },
 * });
 * ```
 *
 * @throws {ConfigurationError} when an option is invalid
 */
export function createProxyHandler<const Id extends Extract<OperationName, keyof Operations>>(
  options: ProxyOptions<Id>,
): ProxyHandler {
  const settings = readProxyOptions(options);
  const report = async (error: unknown, request: Request): Promise<void> => {
    try {
      await settings.onError(error, request);
    } catch (failure) {
      console.error(failure);
    }
  };
  const forwarder = new Forwarder(settings, report);

  const respond = async (request: Request): Promise<Response> => {
    const call = await readCall(request, settings);
    return forwarder.send(await authorizeCall(request, call, settings), request);
  };
  const respondTo = async (request: Request): Promise<Response> => {
    try {
      return copy(
        await respond(request).catch((thrown) => (isResponse(thrown) ? thrown : Promise.reject(thrown))),
      );
    } catch (error) {
      // Nobody reads the response to a request that was aborted. On some platforms, a request has no signal.
      if (!request.signal?.aborted) report(error, request);
      return reply(500, 'The proxy failed.');
    }
  };

  return async (request) => {
    if (typeof request?.bodyUsed !== 'boolean') {
      throw new ConfigurationError('The proxy takes a web Request: on Node, use `toNodeListener(proxy)`.');
    }
    const shared = checkOrigin(request, settings.origins);
    const isPreflight = request.method === 'OPTIONS' && Object(shared)['access-control-allow-origin'];
    const response = isPreflight
      ? new Response(null, { status: 204 })
      : shared
        ? await respondTo(request)
        : reply(403, 'This origin is not allowed.');
    for (const [name, value] of Object.entries({ ...shared, ...safeHeaders }))
      response.headers.set(name, value);
    return response;
  };
}

/** `authorize` may give a response whose headers cannot change, or one that was used. */
function copy(response: Response): Response {
  try {
    return new Response(response.body, response);
  } catch (cause) {
    const message = 'The Response of `authorize` cannot be sent: give a new one for each request.';
    throw new ConfigurationError(message, { cause });
  }
}

/** Nothing may be stored, or read as another type. */
const safeHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
