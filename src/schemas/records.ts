import * as z from 'zod/mini';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object, checked in place: `z.object` copies, so that a row takes twice as long, and weighs 1.1 kB after gzip. */
// @__NO_SIDE_EFFECTS__
export function object<T>(...checks: z.core.$ZodCheck<Record<string, unknown>>[]): z.ZodMiniType<T, T> {
  return z
    .custom<T & Record<string, unknown>>(isObject, { error: 'must be an object', params: { type: 'object' } })
    .check(...checks);
}

/** An object of which nothing more is documented. */
export const openRecord = object<Record<string, unknown>>();

/** An object with a documented id. */
export const recordWithId = object<{ id: number; [field: string]: unknown }>(
  z.refine(({ id }) => Number.isSafeInteger(id) && Number(id) > 0, {
    path: ['id'],
    error: ({ input }) => (Object(input).id === undefined ? 'is missing' : 'must be a positive integer'),
    params: { properties: { id: { type: 'integer', minimum: 1 } }, required: ['id'] },
  }),
);

/** How fields are read, by their names. */
type Reads = Record<string, (value: unknown) => unknown>;

/** Reads fields of an object, which is copied only where that changes one. */
// @__NO_SIDE_EFFECTS__
export function reading(reads: Reads) {
  const readers = Object.entries(reads);
  return z.overwrite((value: Record<string, unknown>) => {
    let result = value;
    for (const [name, read] of readers) {
      const field = read(value[name]);
      if (field !== value[name]) result = { ...result, [name]: field };
    }
    return result;
  });
}

/**
 * An object with these fields among others. What may be null may also be left out: a framework drops attributes that
 * were never set. `putRight` is for the fields that PHP may write in another form than their schemas have.
 */
// @__NO_SIDE_EFFECTS__
export function record<Shape extends z.core.$ZodLooseShape>(shape: Shape, putRight: Reads = {}) {
  const reads: Reads = {};
  for (const [name, schema] of Object.entries(shape)) {
    const right = putRight[name];
    if (right !== undefined) reads[name] = (value) => readBy(schema, right(value));
    else if (schema instanceof z.ZodMiniNullable) reads[name] = (value) => value ?? null;
  }
  return object<z.core.$InferObjectOutput<Shape, Record<string, unknown>>>(
    reading(reads),
    z.properties<z.core.$ZodShape>(shape),
  );
}

/** `z.properties` refuses what a schema refuses, but does not take over what it reads. */
function readBy(schema: z.ZodMiniType, value: unknown): unknown {
  const { success, data } = z.safeParse(schema, value);
  return success ? data : value;
}

/** Parameters as an object; a name that the interface document does not know is refused, as it would be ignored. */
// @__NO_SIDE_EFFECTS__
export function parameters<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const unknownNames = (value: object) => Object.keys(value).filter((name) => !Object.hasOwn(shape, name));
  return object<z.core.$InferObjectInput<Shape, Record<never, never>>>(
    ownFields(shape),
    z.overwrite((value) => ({ ...value })),
    noNames(unknownNames, (names) => `does not take ${names}`),
    z.properties<z.core.$ZodShape>(shape),
  );
}

/** Refuses an object that inherits such fields, as one of a class with getters does: they would not be sent. */
// @__NO_SIDE_EFFECTS__
export function ownFields(shape: object) {
  return noNames(
    (value) => Object.keys(shape).filter((name) => name in value && !Object.hasOwn(value, name)),
    (names) => `must be a plain object: it inherits ${names}`,
    true,
  );
}

// @__NO_SIDE_EFFECTS__
function noNames(find: (value: object) => string[], describe: (names: string) => string, abort = false) {
  return z.refine<object>((value) => find(value).length === 0, {
    abort,
    error: ({ input }) => describe(find(Object(input)).join(', ')),
  });
}

/** Checks every field of an object, whatever its name, but for those of `others`. */
// @__NO_SIDE_EFFECTS__
export function everyField(
  accepts: (value: unknown) => boolean,
  message: string,
  keywords = {},
  others: object = {},
) {
  return z.check<object>(
    ({ value, issues }) => {
      for (const [name, input] of Object.entries(value)) {
        if (Object.hasOwn(others, name) || accepts(input)) continue;
        issues.push({ code: 'custom', path: [name], message, input, continue: true });
      }
    },
    { params: { additionalProperties: keywords } },
  );
}

/** PHP writes an empty map as `[]`. */
export const emptyMap = (value: unknown) => (Array.isArray(value) && value.length === 0 ? {} : value);

/** PHP writes a list whose indexes have gaps as an object. */
export const keyedList = (value: unknown) => {
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => /^\d+$/.test(name)) ? Object.values(value) : value;
};
