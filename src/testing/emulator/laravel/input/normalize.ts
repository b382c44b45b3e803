// What Laravel's middleware does to every text that comes in: TrimStrings, then ConvertEmptyStringsToNull.

/** Characters without a width that TrimStrings removes like whitespace, and controls that JavaScript's `\s` leaves out. */
const blanks = new Set(['\0', '\x85', '\u200B', '\u200E', '\uFEFF']);

/**
 * Fields that are not trimmed. They are named by their whole path, so that `participants.0.password` is trimmed and
 * `password` is not.
 */
const untrimmed = new Set(['current_password', 'password', 'password_confirmation']);

/** The same value with its texts trimmed and empty ones null, at every depth. */
export function normalize(value: unknown, path = ''): unknown {
  if (typeof value === 'string') {
    const text = untrimmed.has(path) ? value : trimmed(value);
    return text === '' ? null : text;
  }
  if (Array.isArray(value)) return value.map((inner, index) => normalize(inner, inside(path, String(index))));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, normalize(inner, inside(path, name))]),
  );
}

/** A text without the whitespace, and the characters without a width, at its ends. */
export function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charAt(start))) start += 1;
  while (end > start && isBlank(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isBlank(character: string): boolean {
  return blanks.has(character) || character.trim() === '';
}

function inside(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
