// Checks base URLs and paths, and builds the URL of a request.

import { ConfigurationError } from '../errors/configuration-error.ts';

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

/** The problem with a path below the base URL; `null` when it is valid. */
export function findPathProblem(path: unknown): string | null {
  if (typeof path !== 'string' || !/^\/(?!\/)/.test(path)) return 'must start with a single slash';
  if (/[?#]/.test(path)) return 'must not contain a query or a fragment; use `query`';
  if (/[\\\s\p{Cc}]/u.test(path)) return 'must not contain a backslash, a space or a control character';
  if (/[{}]/.test(path)) return 'must not contain braces: replace them with values';
  // URL parsers resolve dot segments, even encoded ones, and so would leave the base URL; some servers treat an encoded
  // slash as a slash.
  if (/(\/|%2f|%5c)(\.|%2e){1,2}(\/|%2f|%5c|$)/i.test(path))
    return 'must not contain the segments "." or ".."';
  return null;
}

/** Fills in the `{name}` placeholders of a path template. */
export function fillPath(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** A query string with its question mark; `undefined` parameters are omitted. */
export function toQueryString(query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) parameters.append(name, String(item));
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
