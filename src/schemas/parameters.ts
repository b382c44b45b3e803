import * as z from 'zod/mini';
import { isObject, tagOf } from '../util/json.ts';

/** Parameters as an object. Undocumented names are rejected: the service would ignore them. */
export function parameters<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return ownFields(
    z.strictObject(shape, {
      error: (issue) =>
        issue.code === 'unrecognized_keys' ? `does not take ${issue.keys.join(', ')}` : 'must be an object',
    }),
  );
}

/**
 * Limits a schema to an object's own fields. An object that inherits fields of the schema, such as a class instance
 * with getters, is rejected: JSON would omit them. So is a Map or the like, whose fields are not properties.
 */
export function ownFields<Schema extends z.ZodMiniObject>(schema: Schema) {
  const own = z.transform((input: z.input<Schema>, { issues }): unknown => {
    const inherited = Object.keys(schema.shape).filter(
      (name) => name in Object(input) && !Object.hasOwn(Object(input), name),
    );
    if (inherited.length > 0) {
      const message = `must be a plain object: it inherits ${inherited.join(', ')}`;
      issues.push({ code: 'custom', message, input });
    }
    if (isObject(input) && tagOf(input) !== 'Object' && Object.keys(input).length === 0) {
      issues.push({ code: 'custom', message: 'must be a plain object', input });
    }
    return isObject(input) ? { ...input } : input;
  });
  return z.pipe(own, schema);
}
