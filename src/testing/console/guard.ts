// Keeps other web pages from using the console and the control interface.

import type { MiddlewareHandler } from 'hono';
import { CONTROL_PREFIX } from '../control/control.ts';

/**
 * Header of programs that use the control interface. A browser sends it for a page of another origin only after asking,
 * and the emulator never answers that question.
 */
export const CONTROL_HEADER = 'X-Emulator-Control';

/**
 * Keeps other web pages out. The console runs where a developer browses, so any page may try to reach it:
 * - a name made to point to this machine (DNS rebinding) is refused: only `localhost`, numeric addresses and the name
 *   that the emulator listens on are answered;
 * - the control interface answers the console's own page, which browsers identify with `Origin`, and requests with
 *   `X-Emulator-Control`.
 */
export function guard(listensOn: string): MiddlewareHandler {
  return async (c, next) => {
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    const { protocol, host, hostname } = new URL(c.req.url);
    if (!isOwnName(hostname) && hostname !== listensOn) {
      return c.text(
        `The console does not answer requests for ${hostname}: open it as localhost or by IP address.`,
        403,
      );
    }
    const origin = c.req.header('origin');
    const isOwn = origin === undefined ? c.req.header(CONTROL_HEADER) : origin === `${protocol}//${host}`;
    if (c.req.path.startsWith(CONTROL_PREFIX) && !isOwn) {
      const message = `Send the header ${CONTROL_HEADER} (any value); no other web page may use this interface.`;
      return c.json({ message }, 403);
    }
    return next();
  };
}

const headers: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

function isOwnName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname);
}
