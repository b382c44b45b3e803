import * as z from 'zod/mini';

/** A message that also tells a missing value from a wrong one. */
export const must = (rule: string) => ({
  error: (issue: { readonly input?: unknown }) =>
    issue.input === undefined ? 'is required' : `must ${rule}`,
});

/** Parameters as an object; a name that the interface document does not know is refused, as it would be ignored. */
export function parameters<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `does not take ${issue.keys.join(', ')}` : 'must be an object',
  });
}

const idRule = must('be an integer from 1 to 9007199254740991');

/** An id of the service: a positive integer (interface document, Resources). */
export const id = z.int(idRule).check(z.positive(idRule));

/** A text that is not empty or blank. */
export const text = z.string(must('be a text')).check(z.regex(/\S/, 'must not be empty'));

/**
 * An absolute address on the web. Like every check that zod cannot put into JSON Schema, it carries the keywords
 * that say the same, as `params`.
 */
export const webAddress = z.string(must('be a text')).check(
  z.refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    error: 'must be an absolute http or https URL',
    params: { format: 'uri' },
  }),
);

export const boolean = z.boolean(must('be true or false'));

/** A page number (interface document, Limits). */
export const page = z
  .int(must('be an integer of 1 or more'))
  .check(z.minimum(1, 'must be an integer of 1 or more'));

const sizeRule = must('be an integer from 1 to 100');

/** A page size (interface document, Limits). */
export const pageSize = z.int(sizeRule).check(z.minimum(1, sizeRule), z.maximum(100, sizeRule));

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object of which nothing more is documented. It is not copied, so that long lists are read fast. */
export const openRecord = z.custom<Record<string, unknown>>(isObject, 'must be an object');

/** An open record with a documented id. */
export const recordWithId = z
  .custom<{ id: number; [field: string]: unknown }>(isObject, 'must be an object')
  .check(({ value, issues }) => {
    if (Number.isSafeInteger(value.id) && value.id > 0) return;
    const message = value.id === undefined ? 'is missing' : 'must be a positive integer';
    issues.push({ code: 'custom', path: ['id'], message, input: value.id });
  });

/** PHP writes an empty map as `[]`. */
export const emptyMap = z.transform((value: unknown) =>
  Array.isArray(value) && value.length === 0 ? {} : value,
);

/** PHP writes a list whose indexes have gaps as an object. */
export const keyedList = z.transform((value: unknown) => {
  if (!isObject(value)) return value;
  const entries = Object.entries(value as object);
  const isList = entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key));
  return isList ? entries.map(([, item]) => item) : value;
});
