// Checks base URLs.

import { ConfigurationError } from '../errors/base.ts';

/** Checks a base URL and returns it without a trailing slash. */
export function checkBaseUrl(value: unknown, allowInsecureHttp: boolean): string {
  const url = parseUrl(value);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    // Without a query and all that follows, which may hold a key.
    const [path] = /^\.{0,2}\/(?!\/)[^?#]*/.exec(String(value)) ?? [];
    const advice = path === undefined ? '' : `; in a page, pass new URL('${path}', location.href)`;
    throw new ConfigurationError(
      `\`baseUrl\` must be an absolute http or https URL, such as https://host/api/v1${advice}.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigurationError('`baseUrl` must not contain credentials; pass the key as `apiKey`.');
  }
  if (url.href.includes('?') || url.href.includes('#')) {
    throw new ConfigurationError('`baseUrl` must not have a query or a fragment: paths are appended to it.');
  }
  if (url.protocol === 'http:' && !allowInsecureHttp && !isLoopback(url.hostname)) {
    throw new ConfigurationError(
      `\`baseUrl\` uses plain http to ${url.hostname}, which would expose the key on the network. ` +
        'Use https, or set `allowInsecureHttp: true` for a network that you trust.',
    );
  }
  return url.href.replace(/\/+$/, '');
}

function parseUrl(value: unknown): URL | null {
  try {
    return typeof value === 'string' || value instanceof URL ? new URL(value) : null;
  } catch {
    return null;
  }
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
