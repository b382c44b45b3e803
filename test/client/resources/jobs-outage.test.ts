import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { skipWaits } from '../../helpers/fake-time.ts';
import { upTo } from './jobs-helpers.ts';
import { type Down, ended, runs, startDown } from './outage-helpers.ts';

skipWaits();
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const HOUR_MS = 3_600_000;

/** Whether each is waited for before a request was accepted, and after. */
const kinds: readonly [down: Down, atFirst: boolean, later: boolean][] = [
  ['a refused connection', true, true],
  ['an unknown host', false, true],
  ['a lost connection', true, true],
  ['a certificate that is out of date', false, false],
  ["a gateway's page with 403", false, true],
  ["a gateway's page with 404", false, true],
  ['a redirect', false, true],
  ['425', true, true],
  ['429', true, true],
  ['500', true, true],
  ['501', true, true],
  ['503', true, true],
  ['504', true, true],
  ['a page of a success', true, true],
  ['401', false, false],
  ['403', false, false],
];

describe.each(runs)('%s', (name, run) => {
  test.each(kinds)(
    'waits for a service that is down with %s: before a request was accepted %s, later %s',
    async (down, atFirst, later) => {
      for (const [before, waits] of [
        [0, atFirst],
        [6, later],
      ] as const) {
        let isUp = false;
        const service = startDown(
          (_, number) => {
            isUp ||= number > before + 8;
            return number > before && !isUp ? down : undefined;
          },
          { maxRetryAfter: 60_000 },
        );
        const { error, summary } = await ended(run(service.client, upTo(20), { maxOutage: HOUR_MS }));
        expect(error?.retryable, String(error)).toBe(waits ? undefined : false);
        if (waits) expect(summary).toMatchObject({ processed: 20, resumeFrom: 20 });
        // Without waiting, it stops, and says whether that can help.
        const other = startDown((__, number) => (number > before ? down : undefined), {
          maxRetryAfter: 60_000,
        });
        const stopped = await ended(run(other.client, upTo(20)));
        expect(stopped.error, name).toMatchObject({ retryable: waits });
      }
    },
  );
});
