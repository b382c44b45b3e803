// Reads the header with which a service says when to come again.

/**
 * The date forms of RFC 9110, section 5.6.7, that name their zone; `Date.parse` alone would read "later 5" as a date
 * too.
 */
const httpDate = /^[a-z]{3,9}, \d{2}[ -][a-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} gmt$/i;

/**
 * The wait that a `Retry-After` header asks for, in milliseconds. It holds seconds or an HTTP date, which is compared with
 * the response's own `Date`, since clocks differ; a date in the past means now. `null` when the header is absent or invalid.
 */
export function readRetryAfter(headers: Pick<Headers, 'get'>): number | null {
  const value = String(headers.get('retry-after')).trim();
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1_000);
  const date = parseDate(value);
  const wait = (date ?? Number.NaN) - (parseDate(headers.get('date')) ?? Date.now());
  // A machine without a valid clock cannot tell.
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}

function parseDate(value: string | null): number | null {
  const date = httpDate.test(String(value)) ? Date.parse(String(value)) : Number.NaN;
  return Number.isNaN(date) ? null : date;
}
