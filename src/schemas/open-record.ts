import * as z from 'zod/mini';
import { integer } from './fields.ts';

/**
 * An object of which only these fields are documented. They are checked, and the object itself is the result:
 * `z.looseObject` alone would copy every field of every row, which takes three times as long.
 */
function openRecord<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const schema = z.looseObject(shape, 'must be an object');
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
