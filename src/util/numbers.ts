// Limits and checks of numbers, for timers and counts, and numbers sent as text.

/** The longest delay that a timer can hold, in milliseconds (about 24 days); a longer one would fire immediately. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Whether `value` is an integer of at least `least`. */
export function isCount(value: unknown, least = 1): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

/** Reads a decimal that was sent as a string (`"87.50"`) as a number; leaves anything else alone. */
export function readDecimal(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}
