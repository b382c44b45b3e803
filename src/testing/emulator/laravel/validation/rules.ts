// The rules of Laravel's validator that the operations need.

/** What `min` and `max` measure, by the other rules of the field: a number, the entries of a list, or characters. */
type Measure = 'numeric' | 'array' | 'string';

/** A rule for a field. */
export interface Rule {
  /** Whether a present value passes. */
  readonly keeps: (value: unknown, measure: Measure) => boolean;
  /** What Laravel 11 says of a field that breaks it. */
  readonly sentence: (field: string, measure: Measure) => string;
}

/** The rules by field; `*` stands for every entry of a list. */
export type RuleSet = Readonly<Record<string, readonly Rule[]>>;

export function measureOf(rules: readonly Rule[]): Measure {
  if (rules.includes(integer)) return 'numeric';
  return rules.includes(array) ? 'array' : 'string';
}

function rule(words: string, keeps: Rule['keeps']): Rule {
  return { keeps, sentence: (field) => `The ${field} field ${words}.` };
}

const ATOMS = String.raw`[^\s"(),.:;<>@[\\\]]+(?:\.[^\s"(),.:;<>@[\\\]]+)*`;
/** The domain needs no dot. */
const EMAIL = new RegExp(`^(?:"[^"]*"|${ATOMS})@${ATOMS}$`);

/** What PHP's integer filter accepts, of any size: no leading zeros, no fraction. */
const INTEGER = /^[ \t\n\r\0\v]*[+-]?(?:0|[1-9]\d*)[ \t\n\r\0\v]*$/;

export const required = rule('is required', (value) => !isEmpty(value));
/** Lets null pass all others. */
export const nullable = rule('', () => true);
export const string = rule('must be a string', (value) => typeof value === 'string');
export const integer = rule(
  'must be an integer',
  (value) => !isContainer(value) && INTEGER.test(phpText(value)),
);
export const boolean = rule('must be true or false', (value) =>
  [true, false, 0, 1, '0', '1'].some((allowed) => allowed === value),
);
export const array = rule('must be an array', isContainer);
export const email = rule(
  'must be a valid email address',
  (value) => typeof value === 'string' && EMAIL.test(value),
);
export const url = rule(
  'must be a valid URL',
  (value) => typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value),
);

export function among(words: readonly string[]): Rule {
  return {
    keeps: (value) => !isContainer(value) && words.includes(phpText(value)),
    sentence: (field) => `The selected ${field} is invalid.`,
  };
}

const units: Readonly<Record<Measure, string>> = { numeric: '', array: ' items', string: ' characters' };

export function min(least: number): Rule {
  return {
    keeps: (value, measure) => sizeOf(value, measure) >= least,
    sentence: (field, measure) =>
      `The ${field} field must ${measure === 'array' ? 'have' : 'be'} at least ${least}${units[measure]}.`,
  };
}

export function max(most: number): Rule {
  return {
    keeps: (value, measure) => sizeOf(value, measure) <= most,
    sentence: (field, measure) =>
      `The ${field} field must not ${measure === 'array' ? 'have more' : 'be greater'} than ${most}${units[measure]}.`,
  };
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

function sizeOf(value: unknown, measure: Measure): number {
  if (isContainer(value)) return Object.keys(value).length;
  const text = phpText(value);
  if (measure === 'numeric' && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text)) return Number(text);
  return [...text].length;
}
