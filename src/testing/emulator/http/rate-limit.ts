// The limit of requests in a minute, as Laravel's throttle middleware keeps it.

import type { Settings } from '../service/emulator-options.ts';

const MINUTE_MS = 60_000;

/** What the limit says of a request. */
export interface Throttled {
  /** Whether the request is one too many, to be rejected with 429. */
  readonly exceeded: boolean;
  /** The headers of its response; none without a limit. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Counts the requests of a minute that begins with its first one. */
export class RateLimit {
  readonly #settings: Settings;
  #count = 0;
  #endsAt = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Counts a request. */
  take(): Throttled {
    const { requestsPerMinute: limit, clock } = this.#settings;
    if (limit === Number.POSITIVE_INFINITY) return { exceeded: false, headers: {} };
    const now = clock.now();
    if (now >= this.#endsAt) {
      this.#count = 0;
      this.#endsAt = now + MINUTE_MS;
    }
    this.#count += 1;
    const exceeded = this.#count > limit;
    const wait = Math.ceil((this.#endsAt - now) / 1000);
    return {
      exceeded,
      headers: {
        'X-RateLimit-Limit': String(limit),
        'X-RateLimit-Remaining': String(Math.max(0, limit - this.#count)),
        'X-RateLimit-Reset': String(Math.floor(now / 1000) + wait),
        ...(exceeded ? { 'Retry-After': String(wait) } : {}),
      },
    };
  }
}
