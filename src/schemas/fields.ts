import * as z from 'zod/mini';

/** A message that also tells a missing value from a wrong one. */
// @__NO_SIDE_EFFECTS__
export function must(rule: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) =>
      input === undefined ? 'is required' : `must ${rule}`,
  };
}

/** `schema.check(...)`, in a form that a bundler drops where nothing uses the schema. */
// @__NO_SIDE_EFFECTS__
export function checked<Schema extends z.ZodMiniType>(
  schema: Schema,
  ...checks: Parameters<z.ZodMiniType<z.output<Schema>>['check']>
): Schema {
  return schema.check(...checks);
}

// A check that is a function carries the keywords of JSON Schema that say the same, as `params`, for `scripts/openapi`.

/** A text that is not empty or blank. */
export const text = checked(
  z.string(must('be a text')),
  z.refine((value) => /\S/.test(value), { error: 'must not be empty', params: { pattern: '\\S' } }),
);

/** An absolute address on the web. */
export const webAddress = checked(
  z.string(must('be a text')),
  z.refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    error: 'must be an absolute http or https URL',
    params: { format: 'uri' },
  }),
);

export const boolean = z.boolean(must('be true or false'));

/** A list of at least one thing of this name. */
// @__NO_SIDE_EFFECTS__
export function listOf<Item extends z.ZodMiniType>(item: Item, name: string) {
  return checked(
    z.array(item, must(`be a list of ${name}s`)),
    z.refine(({ length }) => length > 0, {
      error: `must hold at least one ${name}`,
      params: { minItems: 1 },
    }),
  );
}

/** An integer, which would weigh 0.6 kB more as the kind of zod. */
// @__NO_SIDE_EFFECTS__
export function integer(
  rule: z.core.$ZodCustomParams,
  minimum = Number.MIN_SAFE_INTEGER,
  maximum = Number.MAX_SAFE_INTEGER,
) {
  return z.custom<number>((value) => Number.isInteger(value) && value >= minimum && value <= maximum, {
    ...rule,
    params: { type: 'integer', minimum, maximum },
  });
}

/** An id of the service: a positive integer (interface document, Resources). */
export const id = integer(must('be an integer from 1 to 9007199254740991'), 1);

/** A page number (interface document, Limits). */
export const page = integer(must('be an integer of 1 or more'), 1);

/** A page size (interface document, Limits). */
export const pageSize = integer(must('be an integer from 1 to 100'), 1, 100);
