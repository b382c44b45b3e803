// What a response to an import says of single rows.

import { hasStatus } from '../../core/errors/api-error.ts';
import type { AnyCallError } from '../../core/errors/call-error.ts';
import { isObject, toList } from '../../util/json.ts';

const failureKeys = ['error', 'errors', 'failed', 'failures', 'rejected', 'skipped', 'invalid'];

/** Why a success may be none: it names failed rows, in a list that is not empty or by a number above 0. */
export function failuresIn(body: unknown, status: number | undefined): string | null {
  const find = (holder: unknown, path: string) => {
    const given = isObject(holder) ? holder : {};
    const names = failureKeys.filter((key) =>
      typeof given[key] === 'number' ? given[key] > 0 : toList(given[key])?.length,
    );
    return names.map((key) => `\`${path}${key}\``);
  };
  const named = [...find(body, ''), ...find(Object(body).data, 'data.')];
  if (named.length > 0) return `names failed rows under ${named.join(', ')}`;
  return status === 207 ? 'has status 207, for several results' : null;
}

/** `participants.3.email`, or `participants.3` for a row as a whole; some frameworks write names with a capital. */
const rowField = /^participants\.(\d+)(?:\.(.+))?$/i;

/**
 * What a rejection of `count` rows says of them, by their places. Nothing where it names one that was not sent: its numbers then mean
 * something else.
 */
export function reasonsIn(error: AnyCallError, count: number): Readonly<Record<number, string>> {
  const reasons: Record<number, string> = {};
  if (!hasStatus(error, 422)) return reasons;
  for (const [field, messages] of Object.entries(error.fieldErrors)) {
    const [, digits, column] = rowField.exec(field) ?? [];
    if (digits === undefined) continue;
    const place = Number(digits);
    if (place >= count) return {};
    // Without the name of the row, which the caller counts by another index.
    const text = messages.join(' ').replace(new RegExp(`participants[.[]${digits}\\]?\\.`, 'gi'), '');
    const reason = column === undefined ? text : `${column}: ${text}`;
    reasons[place] = place in reasons ? `${reasons[place]} ${reason}` : reason;
  }
  return reasons;
}
