import * as z from 'zod/mini';
import type { StandardSchema } from '../../src/core/standard-schema.ts';
import { openRecord, recordWithId } from '../../src/schemas/fields.ts';

/** A JSON Schema, of the dialect that OpenAPI 3.1 uses (2020-12). */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** What zod cannot put into words: schemas that only a function decides on. */
const byFunction = new Map<unknown, JsonSchema>([
  [openRecord, { type: 'object' }],
  [recordWithId, { type: 'object', properties: { id: { type: 'integer', minimum: 1 } }, required: ['id'] }],
]);

/**
 * What a schema accepts, as JSON Schema. `components` names the schemas to refer to instead of repeating them.
 *
 * @throws TypeError for a schema that is not of zod
 */
export function toJsonSchema(
  schema: StandardSchema,
  components: ReadonlyMap<unknown, string> = new Map(),
): JsonSchema {
  if (!isZod(schema))
    throw new TypeError(`A schema of ${schema['~standard'].vendor} cannot be put into JSON Schema.`);
  const { $schema: _, ...result } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema, path }) {
      const component = path.length > 0 ? components.get(zodSchema) : undefined;
      if (component !== undefined) replace(jsonSchema, { $ref: componentRef(component) });
      else complete(zodSchema, jsonSchema);
    },
  });
  return result;
}

/** Reference to a schema among the components of the document. */
export function componentRef(name: string): string {
  return `#/components/schemas/${name}`;
}

/** Adds what the checks of a schema say, and takes away what is a rule of the package, not of the service. */
function complete(schema: z.core.$ZodTypes, jsonSchema: JsonSchema): void {
  const { def } = schema._zod;
  Object.assign(jsonSchema, byFunction.get(schema));
  for (const check of def.checks ?? [])
    if ('params' in check._zod.def) Object.assign(jsonSchema, check._zod.def.params);
  // The integers that a number of JavaScript holds exactly.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.exclusiveMinimum === 0) {
    delete jsonSchema.exclusiveMinimum;
    jsonSchema.minimum = 1;
  }
  // How the package reads what is left out of an answer.
  delete jsonSchema.default;
  // The document does not say what the service does with names that it does not know.
  if (jsonSchema.additionalProperties === false || isEmpty(jsonSchema.additionalProperties))
    delete jsonSchema.additionalProperties;
  delete jsonSchema.propertyNames;
}

function replace(target: JsonSchema, source: JsonSchema): void {
  for (const key of Object.keys(target)) delete target[key];
  Object.assign(target, source);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isZod(schema: StandardSchema): schema is StandardSchema & z.core.$ZodType {
  return '_zod' in schema;
}
