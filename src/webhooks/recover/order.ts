// Reads delivery records, and orders them: by time and, within one moment, by id where ids rise with time.

import { ConfigurationError } from '../../core/errors/base.ts';
import { parseTime } from '../../util/iso-time.ts';
import { MOST_PASSES, readInPasses } from '../../util/passes.ts';
import { WebhookVerificationError } from '../verify/verification-error.ts';

interface Dated {
  readonly id: string;
  readonly created_at: string;
}

/** When a record was made. */
export interface Age {
  /** In milliseconds since 1970. */
  readonly time: number;
  /** A text that sorts records, oldest first. It is the same for records of one moment whose ids do not rise with time. */
  readonly rank: string;
}

const UUID = /^([\da-f]{8})-([\da-f]{4})-([47])[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/;

/** Far wider than the differences of clocks and time zones; still, only one random UUID in ten thousand falls into it. */
const ORDERED_WITHIN_MS = 86_400_000;

/** @throws {WebhookVerificationError} for a record that does not say when it was made: it may belong anywhere, and outside the window */
export function ageOf({ id, created_at }: Dated): Age {
  const time = parseTime(created_at);
  if (time === undefined) {
    const message = `Delivery ${id} has no time with a UTC offset in \`created_at\`.`;
    throw new WebhookVerificationError('payload_invalid', message);
  }
  let within = String(id).toLowerCase();
  const [, high = '', low = '', version] = UUID.exec(within) ?? [];
  // Laravel's ordered UUIDs call themselves random (version 4), but begin with the time in units of 10 µs.
  const isOrdered = Math.abs(Number.parseInt(high + low, 16) / 100 - time) < ORDERED_WITHIN_MS;
  if (/^\d{1,20}$/.test(within)) within = within.padStart(20, '0');
  else if (version !== '7' && !isOrdered) within = '';
  return { time, rank: `${String(time).padStart(16, '0')} ${within}` };
}

/** Compares two ages, for `sort`. */
export function compareAges(a: Age, b: Age): number {
  return a.rank < b.rank ? -1 : Number(a.rank > b.rank);
}

/**
 * Reads a list whose order is undocumented, and whose records move between pages while others are added or removed, until a pass finds
 * nothing new that is as old as the newest record of the first pass. `add` returns whether a record is new.
 *
 * @throws {ConfigurationError} when the fifth pass still found some
 */
export async function readUntilComplete<Item extends Dated>(
  list: () => AsyncIterable<Item>,
  add: (item: Item, age: Age) => boolean | Promise<boolean>,
): Promise<void> {
  let newestOfFirstPass = '';
  const missed = await readInPasses(async (pass) => {
    let newest = '';
    let count = 0;
    for await (const item of list()) {
      const age = ageOf(item);
      if (age.rank > newest) newest = age.rank;
      if ((await add(item, age)) && age.rank <= newestOfFirstPass) count += 1;
    }
    if (pass > 1 || newest === '') return count;
    newestOfFirstPass = newest;
    return null;
  });
  if (missed === 0) return;
  const message = `Pass ${MOST_PASSES} over the list of deliveries still found ${missed} from before the first pass. Try again when the list changes less.`;
  throw new ConfigurationError(message, undefined, { outcome: 'not_sent', retryable: true });
}
