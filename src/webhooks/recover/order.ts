// Reads delivery records, and orders them: by time and, within one moment, by id where ids rise with time.

interface Dated {
  readonly id: string;
  readonly created_at: string;
}

const UUID = /^([\da-f]{8})-([\da-f]{4})-([47])[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/;

/** Far wider than clocks and time zones differ, and still met by one random UUID in ten thousand only. */
const ORDERED_WITHIN_MS = 86_400_000;

/** A text that sorts records by age, oldest first. It is the same for records of one moment whose ids do not rise with time. */
export function ageOf({ id, created_at }: Dated): string {
  const time = parseTime(created_at) ?? 0;
  let rank = String(id).toLowerCase();
  const [, high = '', low = '', version] = UUID.exec(rank) ?? [];
  // Laravel's ordered UUIDs call themselves random (version 4), but begin with the time in units of 10 µs.
  const isOrdered = Math.abs(Number.parseInt(high + low, 16) / 100 - time) < ORDERED_WITHIN_MS;
  if (/^\d{1,20}$/.test(rank)) rank = rank.padStart(20, '0');
  else if (version !== '7' && !isOrdered) rank = '';
  return `${String(time).padStart(16, '0')} ${rank}`;
}

/** Compares two of `ageOf`, for `sort`. */
export function compareAges(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/**
 * Reads a list whose order is undocumented, and whose records move between pages while others are added or removed: again
 * and again, until a pass finds nothing new that is as old as the newest record of the first pass. `add` returns whether a
 * record is new.
 */
export async function readUntilComplete<Item extends Dated>(
  list: () => AsyncIterable<Item>,
  add: (item: Item, age: string) => boolean | Promise<boolean>,
): Promise<void> {
  let newestOfFirstPass = '';
  for (let isComplete = false; !isComplete; ) {
    isComplete = newestOfFirstPass !== '';
    let newest = '';
    for await (const item of list()) {
      const age = ageOf(item);
      if (age > newest) newest = age;
      if ((await add(item, age)) && age <= newestOfFirstPass) isComplete = false;
    }
    if (newest === '') return;
    newestOfFirstPass ||= newest;
  }
}

/** Undefined if the text is not a time, or has no zone and so could mean anything within a day. */
export function parseTime(text: string): number | undefined {
  const time = /(Z|[+-]\d\d:?\d\d)$/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
