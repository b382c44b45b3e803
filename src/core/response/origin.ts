// Whose word an error response is. The service responds in JSON; anything else is a gateway's: a page of nginx, an ingress's "default
// backend", a bot challenge, an empty body.

import type { ApiError } from '../errors/api-error.ts';
import type { Redact } from '../redact.ts';
import { findJsonBehindText, parseJson } from './error-body.ts';

/** Who sent an error response. A body that was cut off cannot be parsed, so its content type decides. */
export function originOf(text: string, isWhole: boolean, headers: Headers): ApiError['origin'] {
  const body = parseJson(text) ?? findJsonBehindText(text);
  const isJson = isWhole
    ? typeof body === 'object' && body !== null
    : /\bjson\b/i.test(headers.get('content-type') ?? '');
  return isJson ? 'service' : 'gateway';
}

/** The head of a page, with its title, stands in its first characters. */
const LONGEST_HEAD = 16 * 1024;
const LONGEST_QUOTE = 80;

/** Says what a gateway sent: `: a page titled "404 Not Found" (text/html)`. */
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
  return `: ${what}${type === null ? '' : ` (${redact(type, LONGEST_QUOTE)})`}`;
}

/** On one line, and not too long. */
function squeeze(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE)}…` : line;
}
