// Schemas of single fields that several requests or answers share, with their messages.

import * as z from 'zod/mini';

/** A message that distinguishes a missing value from a wrong one. */
export function must(rule: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) =>
      input === undefined ? 'is required' : `must ${rule}`,
  };
}

/** What JSON Schema says of a check. */
interface Described {
  readonly format?: 'url' | 'safeint';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly patterns?: ReadonlySet<RegExp>;
}

/**
 * A check of a value that has the right type. zod's own checks (`z.url`, `z.int`, `z.maxLength`) are a class each, with texts and
 * options that nothing here uses: together 5 kB of the client.
 *
 * @param isLast whether later checks are left out when this one fails
 */
export function rule<T>(
  accepts: (value: T) => boolean,
  error: string | ((value: unknown) => string),
  described: Described = {},
  isLast = false,
): z.core.$ZodCheck<T> {
  return {
    _zod: {
      def: { check: 'custom' },
      check({ value, issues }) {
        if (accepts(value)) return;
        const message = typeof error === 'string' ? error : error(value);
        issues.push({ code: 'custom', message, input: value, continue: !isLast });
      },
      onattach: [({ _zod: { bag } }) => Object.assign(bag, described)],
    },
  };
}

/** Any value that a check accepts. */
export function where(accepts: (value: unknown) => boolean, message: string) {
  return z.unknown().check(rule(accepts, message));
}

/** A part of a request that was read and checked before. */
export const asRead = z.unknown();

/** Half a character, as `slice` leaves of an emoji, and U+0000: no JSON parser or database takes them all. */
const broken = /[\p{Surrogate}\0]/u;

/** Whether any service can take a text: half a character costs the whole request (PHP's parser answers 400). */
export const isWellFormed = (value: unknown): boolean => !broken.test(String(value));

export const wellFormed = rule(
  isWellFormed,
  'must not hold half a character or U+0000: cut text with `[...text].slice()`',
);

/** A text as frameworks leave it, which trim spaces and zero-width characters from its ends (`TrimStrings` of Laravel). */
export function trimmed(value: string): string {
  // Greedy, so that a long run of spaces inside takes no longer than other text.
  return /^[\s\p{Cf}]*(.*[^\s\p{Cf}])?/su.exec(value)?.[1] ?? '';
}

const visible = rule(
  (value: string) => /[^\s\p{Cf}]/u.test(value),
  'must not be empty',
  { patterns: new Set([/\S/]) },
  true,
);

const isScalar = (value: unknown) =>
  (typeof value === 'string' && isWellFormed(value)) || typeof value === 'boolean' || Number.isFinite(value);

/** Whether a value can stand in a query. */
export function isParameter(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) ? value.every(isScalar) : isScalar(value));
}

export const mustBeParameter = 'must be a string, a number, true or false, or a list of these';

/** At most so many characters, as the service counts them: an emoji is one. */
export function atMost(maximum: number) {
  const message = `must be at most ${maximum} characters long`;
  return rule((value: string) => [...value].length <= maximum, message, { maximum });
}

/** At least one item. */
export function notEmpty(what: string) {
  return rule((value: readonly unknown[]) => value.length > 0, `must hold at least one ${what}`, {
    minimum: 1,
  });
}

/** A string that shows something. */
export const text = z.string(must('be a string')).check(visible, wellFormed);

/** An absolute web address. Spaces around it are removed, as URL parsers do. */
export const webAddress = z.string(must('be a string')).check(
  (context) => {
    context.value = context.value.trim().replace(/[\t\n\r]/g, '');
  },
  rule(isWebAddress, 'must be an absolute http or https URL', { format: 'url' }),
);

function isWebAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}

export const boolean = z.boolean(must('be true or false'));

/** An integer between two bounds; `error` says what is wrong with a value, or what is right. */
export function integer(
  error: string | ((value: unknown) => string),
  minimum = Number.MIN_SAFE_INTEGER,
  maximum = Number.MAX_SAFE_INTEGER,
) {
  const message =
    typeof error === 'string' ? error : ({ input }: { readonly input?: unknown }) => error(input);
  const accepts = (value: number) => Number.isInteger(value) && value >= minimum && value <= maximum;
  return z.number({ error: message }).check(rule(accepts, error, { format: 'safeint', minimum, maximum }));
}

/** An id of the service: a positive integer. */
export const id = integer(whole('must be an integer from 1 to 9007199254740991', 'use Number(id)'), 1);

/** `page` of the lists, which all leave it open. */
export const page = z.optional(integer(whole('must be an integer of 1 or more'), 1));

/** `limit` or `per_page` of the lists, likewise. */
export const pageSize = z.optional(integer(whole('must be an integer from 1 to 100'), 1, 100));

/** The message for what is not such an integer, with what it is: an id from a URL or a form is a string. */
function whole(expected: string, conversion = 'use Number()') {
  return (input: unknown): string => {
    if (input === undefined) return 'is required';
    if (typeof input === 'bigint' || (typeof input === 'string' && /^\d+$/.test(input))) {
      return `${expected}, not a ${typeof input}: ${conversion}`;
    }
    if (Number.isInteger(input) && (input as number) > Number.MAX_SAFE_INTEGER) {
      return `${expected}: this one is above 2^53, where numbers lose digits, so it may be another id`;
    }
    return expected;
  };
}

/** An object with these fields and any others. */
// @__NO_SIDE_EFFECTS__
export function openObject<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.looseObject(shape, 'must be an object');
}

/**
 * An object of which only these fields are documented. They are checked, and the object itself is the result:
 * `z.looseObject` alone would copy every field of every row, which takes three times as long.
 */
function openRecord<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const schema = openObject(shape);
  const documented = z.object(shape, 'must be an object');
  schema['~standard'] = {
    ...schema['~standard'],
    validate(value) {
      const { success, error } = documented.safeParse(value);
      return success ? { value: value as z.output<typeof schema> } : { issues: error.issues };
    },
  };
  return schema;
}

/** An object with a documented id. */
export const recordWithId = openRecord({
  id: integer((input) => {
    if (input === undefined) return 'is missing';
    return `must be a positive integer${typeof input === 'string' ? ', not a string' : ''}`;
  }, 1),
});
