// Describes the shape of an unexpected body for error messages, without showing its values.

import { isObject } from '../../util/json.ts';
import type { Redact } from '../redact/redact.ts';

const MOST_KEYS = 12;
const LONGEST_KEY = 60;

/** The kind of a value and, for an object, its keys; never the values, which may be personal. */
export function describeShape(value: unknown, redact: Redact, depth = 2): string {
  if (value === undefined) return 'empty';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (!isObject(value)) return `a ${typeof value}`;
  const keys = Object.keys(value).map((key) => redact.name(key).slice(0, LONGEST_KEY));
  if (keys.length === 0) return 'an empty object';
  const shown = keys.slice(0, MOST_KEYS).join(', ') + (keys.length > MOST_KEYS ? ', …' : '');
  const inner = value['data'];
  const isShown = inner !== undefined && depth > 0;
  return `an object with the keys ${shown}${isShown ? ` (data: ${describeShape(inner, redact, depth - 1)})` : ''}`;
}
