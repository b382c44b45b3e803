// Turns the schemas of the client into JSON Schema.

import * as z from 'zod/mini';
import type { StandardSchema } from '../../src/util/standard-schema.ts';

/** A JSON Schema in the dialect of OpenAPI 3.1 (2020-12). */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * What a schema accepts, as JSON Schema. `refer` returns a reference for an inner schema that should not be repeated.
 *
 * @throws {TypeError} when the schema is not from zod.
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

/** Removes what applies only to the client. */
function adapt(jsonSchema: JsonSchema): void {
  // The range of safe integers in JavaScript.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // The client knows the format; the pattern is its own way to check it.
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  // Whether the service rejects other fields is undocumented, and it may send more than it documents.
  const others = jsonSchema.additionalProperties;
  if (others === false) delete jsonSchema.additionalProperties;
  else if (typeof others === 'object' && Object.keys(others).length === 0)
    jsonSchema.additionalProperties = true;
}

function isZod(schema: StandardSchema): schema is StandardSchema & z.core.$ZodType {
  return '_zod' in schema;
}
