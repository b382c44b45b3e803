import { randomHex } from './random.ts';

/** The sequence has 12 bits. */
const MAX_SEQUENCE = 0xfff;

/**
 * Makes UUIDs of version 7, the keys of a Laravel model with UUIDs: they rise with time, and within a millisecond with
 * the order in which they were made.
 */
export function createUuids(): (now: number) => string {
  let time = 0;
  let sequence = 0;
  return (now) => {
    const present = Math.floor(now);
    // A clock that stands still, or was set back, repeats no key.
    if (present > time) [time, sequence] = [present, 0];
    else if (sequence < MAX_SEQUENCE) sequence += 1;
    else [time, sequence] = [time + 1, 0];
    const [moment, order, random] = [hex(time, 12), hex(sequence, 3), randomHex(8)];
    return `${moment.slice(0, 8)}-${moment.slice(8)}-7${order}-${VARIANT}${random.slice(1, 4)}-${random.slice(4)}`;
  };
}

/** Of the four digits that mean the variant of RFC 9562, one is enough. */
const VARIANT = 8;

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
