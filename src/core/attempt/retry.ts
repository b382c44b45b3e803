// How long to wait before the next attempt when the service does not say.

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;

/** Wait after attempt number `attempt`, in milliseconds: exponential, with full jitter. */
export function backoff(attempt: number): number {
  return Math.round(Math.random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1)));
}
