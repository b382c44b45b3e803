// The rules of Laravel's validator that the operations need, each as the question whether a value keeps it.

import { isEmail, isUrl } from './formats.ts';

/** A rule for a field. `nullable` lets null pass all others. */
export type Rule =
  | 'required'
  | 'nullable'
  | 'string'
  | 'integer'
  | 'boolean'
  | 'array'
  | 'email'
  | 'url'
  | { readonly min: number }
  | { readonly max: number }
  | { readonly in: readonly string[] };

/** The rules by field; `*` stands for every entry of a list. */
export type RuleSet = Readonly<Record<string, readonly Rule[]>>;

/** What `min` and `max` measure, by the other rules of the field: a number, the entries of a list, or characters. */
export type Measure = 'numeric' | 'array' | 'string';

export function measureOf(rules: readonly Rule[]): Measure {
  if (rules.includes('integer')) return 'numeric';
  return rules.includes('array') ? 'array' : 'string';
}

/** Whether a value that is there keeps a rule. */
export function keeps(value: unknown, rule: Rule, measure: Measure): boolean {
  if (typeof rule === 'object') {
    if ('in' in rule) return !isContainer(value) && rule.in.includes(phpText(value));
    const size = sizeOf(value, measure);
    return 'min' in rule ? size >= rule.min : size <= rule.max;
  }
  switch (rule) {
    case 'required':
      return !isEmpty(value);
    case 'nullable':
      return true;
    case 'string':
      return typeof value === 'string';
    case 'integer':
      return !isContainer(value) && isInteger(phpText(value));
    case 'boolean':
      return [true, false, 0, 1, '0', '1'].some((allowed) => allowed === value);
    case 'array':
      return isContainer(value);
    case 'email':
      return typeof value === 'string' && isEmail(value);
    case 'url':
      return typeof value === 'string' && isUrl(value);
  }
}

/** Whether a value is missing for `required`: null, a blank text or an empty list. */
function isEmpty(value: unknown): boolean {
  if (isContainer(value)) return Object.keys(value).length === 0;
  return value === undefined || value === null || isBlank(value);
}

/** Whether a text is blank: then all rules but `required` are passed over. */
export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && /^[ \t\n\r\0\v]*$/.test(value);
}

/** A list or an object: both are arrays in PHP. */
export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The value as PHP turns it into text. */
function phpText(value: unknown): string {
  if (value === null || value === undefined || value === false) return '';
  return value === true ? '1' : String(value);
}

const INTEGER_LIMIT = 2n ** 63n;

/** What PHP's integer filter accepts: no leading zeros, no fraction, 64 bits. */
function isInteger(text: string): boolean {
  const [, digits] = /^[ \t\n\r\0\v]*([+-]?(?:0|[1-9]\d*))[ \t\n\r\0\v]*$/.exec(text) ?? [];
  if (digits === undefined) return false;
  const value = BigInt(digits.replace('+', ''));
  return value >= -INTEGER_LIMIT && value < INTEGER_LIMIT;
}

function sizeOf(value: unknown, measure: Measure): number {
  if (isContainer(value)) return Object.keys(value).length;
  const text = phpText(value);
  if (measure === 'numeric' && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text)) return Number(text);
  return [...text].length;
}
