import * as z from 'zod/mini';
import type { StandardSchema } from '../../src/core/standard-schema.ts';

/** A JSON Schema, of the dialect that OpenAPI 3.1 uses (2020-12). */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Schemas that the document names. */
type Names = ReadonlyMap<unknown, string>;

/**
 * What a schema accepts, as JSON Schema. `components` names the schemas to refer to instead of repeating them.
 *
 * @throws TypeError for a schema that is not of zod
 */
export function toJsonSchema(schema: StandardSchema, components: Names = new Map()): JsonSchema {
  if (!isZod(schema))
    throw new TypeError(`A schema of ${schema['~standard'].vendor} cannot be put into JSON Schema.`);
  const { $schema: _, ...result } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema, path }) {
      const component = path.length > 0 ? components.get(zodSchema) : undefined;
      if (component !== undefined) replace(jsonSchema, { $ref: componentRef(component) });
      else complete(zodSchema, jsonSchema, components);
    },
  });
  return result;
}

/** Reference to a schema among the components of the document. */
export function componentRef(name: string): string {
  return `#/components/schemas/${name}`;
}

/** Adds what functions decide on, of which zod knows no more than the keywords in their `params`. */
function complete(schema: z.core.$ZodTypes, jsonSchema: JsonSchema, components: Names): void {
  const { def } = schema._zod;
  const keywords: JsonSchema = {};
  for (const part of [schema, ...(def.checks ?? [])]) {
    if ('params' in part._zod.def) Object.assign(keywords, part._zod.def.params);
    if (part instanceof z.core.$ZodCheckProperties)
      Object.assign(keywords, fields(schema, part._zod.def.shape, components));
  }
  // The integers that a number of JavaScript holds exactly.
  if (keywords.minimum === Number.MIN_SAFE_INTEGER) delete keywords.minimum;
  if (keywords.maximum === Number.MAX_SAFE_INTEGER) delete keywords.maximum;
  // How long a list is stands before what it holds.
  replace(jsonSchema, def.type === 'array' ? { ...keywords, ...jsonSchema } : { ...jsonSchema, ...keywords });
}

/** What is checked in an object. What is refused where it is missing is required. */
function fields(schema: z.core.$ZodType, shape: z.core.$ZodShape, components: Names): JsonSchema {
  const { properties = {} } = toJsonSchema(z.object(shape), components);
  const { error } = z.safeParse(schema, {});
  const required = Object.keys(shape).filter((name) => error?.issues.some(({ path }) => path[0] === name));
  return required.length > 0 ? { properties, required } : { properties };
}

function replace(target: JsonSchema, source: JsonSchema): void {
  for (const key of Object.keys(target)) delete target[key];
  Object.assign(target, source);
}

function isZod(schema: StandardSchema): schema is StandardSchema & z.core.$ZodType {
  return '_zod' in schema;
}
