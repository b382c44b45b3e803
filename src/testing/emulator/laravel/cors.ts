// Cross-origin requests, as Laravel's default settings handle them for the paths of an API.

import type { Context, MiddlewareHandler } from 'hono';

/** Lets pages of every origin read responses, and responds to OPTIONS requests. */
export function cors(methodsAt: (path: string) => readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.method === 'OPTIONS') return optionsResponse(c, methodsAt(c.req.path));
    await next();
    c.res.headers.set('access-control-allow-origin', '*');
    return undefined;
  };
}

function optionsResponse(c: Context, methods: readonly string[]): Response | Promise<Response> {
  const method = c.req.header('access-control-request-method');
  // A preflight does not reach the routes.
  if (method !== undefined) {
    return new Response(null, {
      status: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': method.toUpperCase(),
        'access-control-allow-headers': c.req.header('access-control-request-headers') ?? '',
        'access-control-max-age': '0',
        vary: 'Access-Control-Request-Method, Access-Control-Request-Headers',
      },
    });
  }
  if (methods.length === 0) return c.notFound();
  return new Response(null, { headers: { allow: methods.join(','), 'access-control-allow-origin': '*' } });
}
