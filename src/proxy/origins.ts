// Which pages may call the proxy: pages of the same origin, and for reading also those of listed origins.

/**
 * The headers that let a page of a listed origin read a response, or ask in a preflight whether it may; none for a page of the
 * proxy's own; `null` for a page of another origin that is not listed, or that writes.
 */
export function checkOrigin(
  { method, headers, url }: Request,
  origins: readonly string[],
): Readonly<Record<string, string>> | null {
  const origin = headers.get('origin');
  if (isOwnPage(headers, origin, url)) return {};
  const isPreflight = method === 'OPTIONS' && headers.get('access-control-request-method') === 'GET';
  if (origin === null || !(method === 'GET' || isPreflight) || !origins.includes(origin)) return null;
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    // Such as those of tracing. None of them reaches the service.
    ...(isPreflight && {
      'access-control-allow-headers': `${headers.get('access-control-request-headers')}`,
    }),
    'access-control-expose-headers': 'retry-after, x-request-id',
    vary: 'origin',
  };
}

/** A browser states where a request comes from, and no page can change that; other programs say nothing. */
function isOwnPage(headers: Headers, origin: string | null, url: string): boolean {
  const site = headers.get('sec-fetch-site') ?? 'none';
  if (site !== 'none' || origin === null) return site === 'same-origin' || site === 'none';
  // Behind a proxy that ends TLS the scheme differs. On Node the address of a request has no host.
  return origin.replace(/^https?:\/\//, '') === (headers.get('host') ?? new URL(url).host);
}
