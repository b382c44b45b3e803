import { isObject } from '../../util/json.ts';

/** What kind of value this is, and the keys of an object; never the values, which may be personal. */
export function describeShape(value: unknown, depth = 2): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (!isObject(value)) return `a ${typeof value}`;
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an empty object';
  const shown = keys.slice(0, 12).join(', ') + (keys.length > 12 ? ', …' : '');
  const inner = value['data'];
  const isShown = inner !== undefined && depth > 0;
  return `an object with the keys ${shown}${isShown ? ` (data: ${describeShape(inner, depth - 1)})` : ''}`;
}
