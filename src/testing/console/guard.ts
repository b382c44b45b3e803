// Keeps other web pages from using the emulator, its console and its control interface.

import type { MiddlewareHandler } from 'hono';
import { CONTROL_PREFIX } from '../control/route.ts';

/**
 * Header of programs that use the control interface. A browser sends it for a page of another origin only after asking,
 * and the emulator never responds to that request.
 */
export const CONTROL_HEADER = 'X-Emulator-Control';

/**
 * Why a request is rejected because of its host, or of the web page that sends it; undefined if it is not. The emulator
 * runs where a developer browses and its default key is in the documentation, so any page may try to reach it, also by
 * a name that it makes point to this machine (DNS rebinding).
 * - A host is `localhost`, an address in numbers, which no page can rebind, or one of the given names.
 * - A page is of this machine (`localhost`, a loopback address), of the emulator itself, or of one of the names.
 */
export function foreignHost(request: Request, names: readonly string[]): string | undefined {
  const known = new Set(names.map((name) => name.toLowerCase().replace(/:\d+$/, '')));
  const { hostname, origin: own } = new URL(request.url);
  if (!isLoopback(hostname) && !isNumeric(hostname) && !known.has(hostname)) {
    return `The emulator does not accept requests for ${hostname}: ${remedy(hostname)}, or use localhost or an IP address.`;
  }
  const origin = request.headers.get('origin');
  if (origin === null || origin === own) return undefined;
  const page = URL.canParse(origin) ? new URL(origin).hostname : null;
  if (page !== null && (isLoopback(page) || known.has(page))) return undefined;
  // `null` is the origin of a file and of a sandboxed frame: there is no name that could be allowed.
  const advice = page === null ? 'serve the page on localhost' : remedy(page);
  return `The emulator does not accept requests from web pages of ${origin}: ${advice}.`;
}

function remedy(hostname: string): string {
  return `start it with --allow-host ${hostname} (allowHosts in code)`;
}

function isLoopback(hostname: string): boolean {
  return /^((.+\.)?localhost\.?|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function isNumeric(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname);
}

/**
 * The headers of the console, and the rule of the control interface: it responds to the console's own page, which browsers
 * identify with `Origin`, and requests with `X-Emulator-Control`.
 */
export function guard(): MiddlewareHandler {
  return async (c, next) => {
    for (const [name, value] of Object.entries(guardHeaders)) c.header(name, value);
    const { protocol, host } = new URL(c.req.url);
    const origin = c.req.header('origin');
    const isOwn = origin === undefined ? c.req.header(CONTROL_HEADER) : origin === `${protocol}//${host}`;
    if (c.req.path.startsWith(CONTROL_PREFIX) && !isOwn) {
      const message = `Send the header ${CONTROL_HEADER} (any value); no other web page may use this interface.`;
      return c.json({ message }, 403);
    }
    return next();
  };
}

/** The headers of everything below the console and the control interface. */
export const guardHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};
