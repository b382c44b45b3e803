// Schemas of single fields that several requests or responses share, with their messages. Each schema is built when it is first used:
// a program uses few of them, and to build all took most of the time of the import.

import * as z from 'zod/mini';
import { isObject } from '../util/json.ts';
import { once } from '../util/once.ts';
import { isQueryValue, isWellFormed, queryValue } from '../util/query.ts';

/** Messages for a missing value and for a wrong one. */
export function requiredOr(message: string | ((value: unknown) => string)) {
  const describe = (value: unknown) => (typeof message === 'string' ? message : message(value));
  return {
    error: ({ input }: { readonly input?: unknown }) =>
      input === undefined ? 'is required' : describe(input),
  };
}

/** A table may hold a number where a text is meant. */
function notText(value: unknown): string {
  const article = typeof value === 'object' ? 'an' : 'a';
  return `must be a string, not ${value === null ? 'null' : `${article} ${typeof value}`}`;
}

/**
 * A check of a value that has the right type. zod's own checks (`z.url`, `z.int`, `z.maxLength`) are a class each, with texts and
 * options that nothing here uses: together 5 kB of the client.
 *
 * @param described what JSON Schema says of it, such as `minimum`, `patterns` or `format`
 * @param isLast whether later checks are left out when this one fails
 */
export function check<T>(
  accepts: (value: T) => boolean,
  error: string | ((value: unknown) => string),
  described: object = {},
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

/** Any value that satisfies a condition. */
export function satisfying(accepts: (value: unknown) => boolean, message: string) {
  return z.unknown().check(check(accepts, message));
}

/** A part of a request that was read and checked before. */
export const passthrough = once(() => z.unknown());

const wellFormed = check(
  isWellFormed,
  'must not hold half a character or U+0000: cut text with `[...text].slice()`',
);

const visible = check(
  (value: string) => /[^\s\p{Cf}]/u.test(value),
  'must not be empty',
  { patterns: new Set([/\S/]) },
  true,
);

/** What can stand in a query. */
export const parameter = once(() => satisfying(isQueryValue, `must be ${queryValue}`));

/** At most `maximum` characters, all of which any service can take. The service counts an emoji as one. */
export function upTo(maximum: number) {
  const message = `must be at most ${maximum} characters long`;
  return [check((value: string) => [...value].length <= maximum, message, { maximum }), wellFormed] as const;
}

/** A list of at least one item. */
export function nonEmptyList<Item extends z.ZodMiniType>(item: Item, what: string) {
  const hasItem = (value: readonly unknown[]) => value.length > 0;
  return z
    .array(item, requiredOr(`must be a list of ${what}s`))
    .check(check(hasItem, `must hold at least one ${what}`, { minimum: 1 }));
}

/** A string that shows something. */
export const text = once(() => z.string(requiredOr(notText)).check(visible, wellFormed));

/** An absolute web address. Spaces around it are removed, as URL parsers do. */
export const webAddress = once(() =>
  z.string(requiredOr('must be a string')).check(
    (context) => {
      context.value = context.value.trim().replace(/[\t\n\r]/g, '');
    },
    check(isWebAddress, 'must be an absolute http or https URL', { format: 'url' }),
  ),
);

function isWebAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}

export const boolean = once(() => z.boolean(requiredOr('must be true or false')));

/** An integer between two bounds; `error` says what is wrong with a value, or what is right. */
export function integer(
  error: string | ((value: unknown) => string),
  minimum = Number.MIN_SAFE_INTEGER,
  maximum = Number.MAX_SAFE_INTEGER,
) {
  const message =
    typeof error === 'string' ? error : ({ input }: { readonly input?: unknown }) => error(input);
  const accepts = (value: number) => Number.isInteger(value) && value >= minimum && value <= maximum;
  return z.number({ error: message }).check(check(accepts, error, { format: 'safeint', minimum, maximum }));
}

/** An id of the service: a positive integer. */
export const id = once(() =>
  integer(whole('must be an integer from 1 to 9007199254740991', 'use Number(id)'), 1),
);

/** `page` of the lists, which all leave it open. */
export const page = once(() => z.optional(integer(whole('must be an integer of 1 or more'), 1)));

/** `limit` or `per_page` of the lists, likewise. */
export const pageSize = once(() => z.optional(integer(whole('must be an integer from 1 to 100'), 1, 100)));

/** The message for any other value, which says what that is: an id from a URL or a form is a string. */
function whole(expected: string, conversion = 'use Number()') {
  return (input: unknown): string => {
    if (input === undefined) return 'is required';
    const isDecimal = typeof input === 'string' && /^\d+$/.test(input);
    const isNumeric = isDecimal || typeof input === 'bigint' || Number.isInteger(input);
    if (isNumeric && Number(input) > Number.MAX_SAFE_INTEGER)
      return `${expected}: this one is above 2^53, where numbers lose digits, so it may be another id`;
    if (isDecimal || typeof input === 'bigint') return `${expected}, not a ${typeof input}: ${conversion}`;
    return expected;
  };
}

/** An object with these fields and any others. */
// @__NO_SIDE_EFFECTS__
export function openObject<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.looseObject(shape, 'must be an object');
}

/**
 * An object of which only the id is documented. The object itself is the result: `z.looseObject` would copy every field of every row,
 * which takes three times as long.
 */
export const recordWithId = once(() => {
  const schema = openObject({
    id: integer((input) => {
      if (input === undefined) return 'is missing';
      if (Number(input) > Number.MAX_SAFE_INTEGER) return 'is above 2^53, where numbers lose digits';
      return `must be a positive integer${typeof input === 'string' ? ', not a string' : ''}`;
    }, 1),
  });
  schema['~standard'] = {
    ...schema['~standard'],
    validate(value) {
      const given = isObject(value) ? value['id'] : undefined;
      // The schema only says what is wrong with the others.
      const isValid = Number.isSafeInteger(given) && Number(given) >= 1;
      const error = isValid ? undefined : schema.safeParse(value).error;
      return error === undefined ? { value: value as z.output<typeof schema> } : { issues: error.issues };
    },
  };
  return schema;
});
