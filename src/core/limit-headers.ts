// Reads the headers about limits: how long to wait, how many requests are left, and when the limit is reset. A header sent
// twice is joined with commas, so each is read as a list; invalid parts are ignored.

/** The state of a rate limit after the request, from `RateLimit`, `X-RateLimit-*` or `RateLimit-*` headers. */
export interface RateLimit {
  /** Requests allowed in the current period; `null` when the service does not say. */
  readonly limit: number | null;
  /** Requests left in the current period; `null` when the service does not say. */
  readonly remaining: number | null;
  /** When the period ends; `null` when the service does not say. */
  readonly resetAt: Date | null;
}

type ResponseHeaders = Pick<Headers, 'get'>;

/**
 * The wait that a response asks for, in milliseconds: the longest in `Retry-After`; on a 429 without one, the longest until a limit is
 * reset. A time in the past means now. `null` when the response does not say.
 */
export function readRetryAfter(status: number, headers: ResponseHeaders): number | null {
  const waits = split(headers.get('retry-after')).flatMap((part) => {
    const isSeconds = /^\d+(\.\d+)?$/.test(part);
    const wait = isSeconds ? Math.ceil(Number(part) * 1_000) : parseDate(part) - serverTime(headers);
    // Unknown on a machine without a valid clock.
    return Number.isNaN(wait) ? [] : [Math.max(0, wait)];
  });
  if (waits.length > 0) return Math.max(...waits);
  return status === 429 ? readReset(headers, serverTime(headers)) : null;
}

/** How many requests are left; of several counts the smallest. `null` when the response does not say. */
export function readRemaining(headers: ResponseHeaders): number | null {
  return least(readNumbers(headers, 'remaining')) ?? readTightest(headers)?.r ?? null;
}

/** The state of the limit; `null` when the response says nothing about one. */
export function readRateLimit(headers: ResponseHeaders): RateLimit | null {
  const tightest = readTightest(headers);
  const policy = readItems(headers.get('ratelimit-policy')).find(({ name }) => name === tightest?.name);
  const limit = least(readNumbers(headers, 'limit')) ?? policy?.q ?? null;
  const remaining = readRemaining(headers);
  const reset = readReset(headers, Date.now());
  if (limit === null && remaining === null && reset === null) return null;
  return { limit, remaining, resetAt: reset === null ? null : new Date(Date.now() + reset) };
}

/** Milliseconds until the limit is reset, at least 0. Some services send the time in Unix seconds, others the seconds until then. */
function readReset(headers: ResponseHeaders, now: number): number | null {
  const resets = [...readNumbers(headers, 'reset'), readTightest(headers)?.t ?? Number.NaN];
  const waits = resets
    .map((reset) => reset * 1_000 - (reset > 1_000_000_000 ? now : 0))
    .filter((wait) => !Number.isNaN(wait));
  return waits.length > 0 ? Math.max(0, ...waits) : null;
}

/** `X-RateLimit-*`, which Laravel and most gateways send, or `RateLimit-*` of earlier drafts. */
function readNumbers(headers: ResponseHeaders, name: string): number[] {
  const read = (header: string) =>
    split(headers.get(header)).flatMap((part) => (/^\d{1,11}$/.test(part) ? [Number(part)] : []));
  const numbers = read(`x-ratelimit-${name}`);
  return numbers.length > 0 ? numbers : read(`ratelimit-${name}`);
}

function least(numbers: readonly number[]): number | null {
  return numbers.length > 0 ? Math.min(...numbers) : null;
}

/** The limit with the fewest requests left: the client hits it first. */
function readTightest(headers: ResponseHeaders) {
  const items = readItems(headers.get('ratelimit')).filter(({ r }) => r !== null);
  return items.sort((a, b) => Number(a.r) - Number(b.r) || Number(b.t) - Number(a.t))[0];
}

/**
 * The limits in `RateLimit` (`r` requests left, `t` seconds until the reset) or `RateLimit-Policy` (`q` requests allowed), as in
 * `"burst";r=5;t=10, "daily";r=500;t=3600` (draft-ietf-httpapi-ratelimit-headers).
 */
function readItems(value: string | null) {
  const items = value?.matchAll(/"([^"]*)"((?:;[^,";]*)*)(?:,|$)/g) ?? [];
  return Array.from(items, ([, name, parameters = '']) => {
    const read = (key: string) => {
      const digits = new RegExp(`;\\s*${key}=(\\d{1,15})\\s*(?:;|$)`).exec(parameters)?.[1];
      return digits === undefined ? null : Number(digits);
    };
    return { name, q: read('q'), r: read('r'), t: read('t') };
  });
}

/** The parts of a list. A comma after the name of a day belongs to a date. */
function split(value: string | null): string[] {
  const parts = value?.match(/[a-z]{3,9}, [^,]*|[^,\s][^,]*/gi) ?? [];
  return parts.map((part) => part.trim());
}

/** By the response's own `Date`, since clocks differ. */
function serverTime(headers: ResponseHeaders): number {
  const date = parseDate(headers.get('date') ?? '');
  return Number.isNaN(date) ? Date.now() : date;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The three date forms of RFC 9110, section 5.6.7. `Date.parse` would read "later 5" as a date, and not these everywhere. */
function parseDate(text: string): number {
  const sorted = text.replace(/^([a-z]{3}) ([a-z]{3}) ([ \d]\d) ([\d:]{8}) (\d{4})$/i, '$1, $3 $2 $5 $4 GMT');
  const found = /^[a-z]{3,9}, ([ \d]\d)[ -]([a-z]{3})[ -](\d{4}|\d\d) (\d\d:\d\d:\d\d) GMT$/i.exec(sorted);
  const [, day = '', month = '', year = '', time = ''] = found ?? [];
  const digits = String(months.indexOf(month.toLowerCase()) + 1).padStart(2, '0');
  return Date.parse(`${toFullYear(year)}-${digits}-${day.replace(' ', '0')}T${time}Z`);
}

/** Two digits that seem to be more than 50 years ahead are in the past. */
function toFullYear(year: string): string {
  if (year.length !== 2) return year;
  const full = 2_000 + Number(year);
  return String(full > new Date().getUTCFullYear() + 50 ? full - 100 : full);
}
