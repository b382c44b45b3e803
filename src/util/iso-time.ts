// Reads times in ISO 8601.

/** With its zone, also as databases write it: with a space, and the offset without a colon. */
const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:Z|([+-]\d\d):?(\d\d))$/i;

/**
 * In milliseconds since 1970. Undefined for what is not a time, such as one on 30 February, or has no zone and so could mean anything
 * within a day.
 */
export function parseTime(value: unknown): number | undefined {
  const [text, date, clock, hours, minutes] = TIME.exec(String(value)) ?? [];
  const time = Date.parse(`${date}T${clock}${hours ? `${hours}:${minutes}` : 'Z'}`);
  // `Date.parse` makes the 2nd of March of the 30th of February.
  const isDay = new Date(`${date}T00:00Z`).toJSON()?.startsWith(String(date));
  return text === undefined || Number.isNaN(time) || !isDay ? undefined : time;
}
