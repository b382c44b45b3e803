// Schemas of single fields that several requests share, with their messages.

import * as z from 'zod/mini';

/** A message that distinguishes a missing value from a wrong one. */
export function must(rule: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) =>
      input === undefined ? 'is required' : `must ${rule}`,
  };
}

/** A string that is not empty or blank. */
export const text = z.string(must('be a string')).check(z.regex(/\S/, 'must not be empty'));

/** An absolute web address. */
export const webAddress = z
  .string(must('be a string'))
  .check(z.url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' }));

export const boolean = z.boolean(must('be true or false'));

/** An integer. `abort`, since a number beyond the safe integers fails two checks and one message is enough. */
export function integer(params: z.core.$ZodCheckNumberFormatParams) {
  return z.int({ ...params, abort: true });
}

const ID_RULE = 'must be an integer from 1 to 9007199254740991';

/** An id of the service: a positive integer. */
export const id = integer({
  error({ input }) {
    if (input === undefined) return 'is required';
    // An id from a URL or a form is a string.
    return typeof input === 'string' && /^\d+$/.test(input)
      ? `${ID_RULE}, not a string: use Number(id)`
      : ID_RULE;
  },
}).check(z.gte(1));

/** `page` of the lists. */
export const page = integer(must('be an integer of 1 or more')).check(z.gte(1));

/** `limit` or `per_page` of the lists. */
export const pageSize = integer(must('be an integer from 1 to 100')).check(z.gte(1), z.lte(100));
