// Times that code gives to the emulator or the signer.

import { parseTime } from '../../util/iso-time.ts';
import { tagOf } from '../../util/json.ts';

/**
 * A `Date`, or a text in ISO 8601 with its UTC offset, in milliseconds since the epoch.
 *
 * @throws {RangeError} for anything else, also a time without an offset, which could mean several
 */
export function readTime(given: unknown, name: string): number {
  const time = parseTime(tagOf(given) === 'Date' ? (given as Date).toJSON() : given);
  if (time !== undefined) return time;
  throw new RangeError(`\`${name}\` must be a Date, or a time like 2025-03-01T08:00:00+07:00.`);
}
