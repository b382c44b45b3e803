// Says what a gateway sent in the place of the service's JSON.

import type { Redact } from '../redact.ts';

/** The head of a page, with its title, stands in its first characters. */
const LONGEST_HEAD = 16 * 1024;
const LONGEST_QUOTE = 80;

/** Says what a gateway sent: `a page titled "404 Not Found" (text/html)`. */
export function describePage(text: string, isWhole: boolean, headers: Headers, redact: Redact): string {
  const type = headers.get('content-type');
  // Redacted before it is cut, since half a secret would not be recognised.
  const head = redact(text, LONGEST_HEAD);
  const title = squeeze(/<title[^>]*>([^<]*)<\/title/i.exec(head)?.[1] ?? '');
  const words = squeeze(head.replace(/<(script|style)\b[\s\S]*?<\/\1>|<[^>]*>/gi, ' '));
  let what = 'an empty body';
  if (title !== '') what = `a page titled "${title}"`;
  // It may end within a secret.
  else if (!isWhole) what = 'a body that was cut off';
  else if (words !== '') what = `"${words}"`;
  else if (text !== '') what = 'a body without text';
  return `${what}${type === null ? '' : ` (${redact(type, LONGEST_QUOTE)})`}`;
}

/** On one line, and not too long. */
function squeeze(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE)}…` : line;
}
