import * as z from 'zod/mini';
import type { StandardSchema } from '../../src/util/standard-schema.ts';

/** A JSON Schema, of the dialect that OpenAPI 3.1 uses (2020-12). */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * What a schema accepts, as JSON Schema. `components` names the schemas to refer to instead of repeating them.
 *
 * @throws {TypeError} when the schema is not of zod.
 */
export function toJsonSchema(
  schema: StandardSchema,
  components: ReadonlyMap<unknown, string> = new Map(),
): JsonSchema {
  if (!isZod(schema))
    throw new TypeError(`A schema of ${schema['~standard'].vendor} cannot be put into JSON Schema.`);
  const { $schema: _, ...result } = z.toJSONSchema(schema, {
    io: 'input',
    override({ zodSchema, jsonSchema, path }) {
      const component = path.length > 0 ? components.get(zodSchema) : undefined;
      if (component === undefined) return adapt(zodSchema, jsonSchema);
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      jsonSchema.$ref = componentRef(component);
    },
  });
  return result;
}

/** Reference to a schema among the components of the document. */
export function componentRef(name: string): string {
  return `#/components/schemas/${name}`;
}

/** Leaves out what holds for the client only, and adds what zod cannot know. */
function adapt(schema: z.core.$ZodTypes, jsonSchema: JsonSchema): void {
  // The integers that a number of JavaScript holds exactly.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // That the service refuses, or sends, other fields is not documented, unless it is said of what type they are.
  const others = jsonSchema.additionalProperties;
  if (typeof others !== 'object' || Object.keys(others).length === 0) delete jsonSchema.additionalProperties;
  // Where no field is required and an empty object is refused, any one of them will do.
  if (jsonSchema.type === 'object' && !jsonSchema.required && !z.safeParse(schema, {}).success)
    jsonSchema.minProperties = 1;
}

function isZod(schema: StandardSchema): schema is StandardSchema & z.core.$ZodType {
  return '_zod' in schema;
}
