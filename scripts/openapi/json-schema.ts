import * as z from 'zod/mini';
import type { StandardSchema } from '../../src/util/standard-schema.ts';

/** A JSON Schema, of the dialect that OpenAPI 3.1 uses (2020-12). */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * What a schema accepts, as JSON Schema. `refer` gives a reference for a schema inside
 * that is not to be repeated.
 *
 * @throws {TypeError} when the schema is not of zod.
 */
export function toJsonSchema(
  schema: StandardSchema,
  refer: (schema: StandardSchema) => JsonSchema | undefined = () => undefined,
): JsonSchema {
  if (!isZod(schema))
    throw new TypeError(`A schema of ${schema['~standard'].vendor} cannot be put into JSON Schema.`);
  const { $schema: _, ...result } = z.toJSONSchema(schema, {
    io: 'input',
    override({ zodSchema, jsonSchema, path }) {
      const reference = path.length > 0 ? refer(zodSchema as unknown as StandardSchema) : undefined;
      if (reference === undefined) return adapt(jsonSchema);
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, reference);
    },
  });
  return result;
}

/** Reference to a schema among the components of the document. */
export function componentRef(name: string): string {
  return `#/components/schemas/${name}`;
}

/** Leaves out what holds for the client only. */
function adapt(jsonSchema: JsonSchema): void {
  // The integers that a number of JavaScript holds exactly.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // The client knows the format; the pattern by which it recognises one is its own.
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  // Whether the service refuses other fields is not documented, and it may send more than it documents.
  const others = jsonSchema.additionalProperties;
  if (others === false) delete jsonSchema.additionalProperties;
  else if (typeof others === 'object' && Object.keys(others).length === 0)
    jsonSchema.additionalProperties = true;
}

function isZod(schema: StandardSchema): schema is StandardSchema & z.core.$ZodType {
  return '_zod' in schema;
}
