// What Laravel's middleware does to every text that comes in: TrimStrings, then ConvertEmptyStringsToNull.

/** Whitespace, the characters without a width that TrimStrings removes like it, and controls that `\s` leaves out. */
const BLANK = String.raw`[\s\0\x85\u200B\u200E]`;
/** The blanks at the ends. Without the look back, many blanks inside a text would take the square of their number. */
const ENDS = new RegExp(`^${BLANK}+|(?<!${BLANK})${BLANK}+$`, 'g');

/**
 * Fields that are not trimmed. They are named by their whole path, so that `participants.0.password` is trimmed and
 * `password` is not.
 */
const untrimmed = new Set(['current_password', 'password', 'password_confirmation']);

/** The same value with its texts trimmed and empty ones null, at every depth. */
export function normalize(value: unknown, path = ''): unknown {
  if (typeof value === 'string') {
    const text = untrimmed.has(path) ? value : value.replace(ENDS, '');
    return text === '' ? null : text;
  }
  if (Array.isArray(value)) return value.map((inner, index) => normalize(inner, inside(path, String(index))));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, normalize(inner, inside(path, name))]),
  );
}

function inside(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
