// The forms in which the service writes a time.

const MINUTE = 60_000;

/** `2025-03-01T08:00:00+07:00`: ISO 8601 with a UTC offset, given in minutes. */
export function withOffset(moment: number, offset: number): string {
  const local = new Date(moment + offset * MINUTE).toISOString().slice(0, 19);
  return local + offsetOf(offset);
}

/** `+07:00`: an offset given in minutes. */
export function offsetOf(offset: number): string {
  const minutes = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/** `2025-03-01T01:00:00.000000Z`: how Laravel writes the dates of a bare model. */
export function inMicroseconds(moment: number): string {
  return new Date(moment).toISOString().replace('Z', '000Z');
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
