// Turns what was seen of records into schemas, in one pass from the inside out.

import { hasDataKeys, looksLikeValue } from './keys.ts';
import { type ObjectShape, orderedFields, primitiveTypes, type Shape } from './shape.ts';

/** The text of a schema, over several lines, each of them after the first indented by `indent`. */
export type Schema = (indent: string) => string;

/** The schema of a record: fields with any names; a key that is data is left out. */
export function recordSchema(shape: Shape): Schema {
  if (shape.object === undefined) return schemaOf(shape);
  const fields = fieldsOf(shape.object).filter(({ name }) => !looksLikeValue(name));
  return objectSchema(fields);
}

function schemaOf(shape: Shape): Schema {
  return shape.isNullable ? orNull(valueSchema(shape)) : valueSchema(shape);
}

/** Of values that are not null. */
function valueSchema({ primitives, list, object }: Shape): Schema {
  const choices = primitiveTypes.filter((type) => primitives.has(type)).map((type) => call(type));
  if (object !== undefined) choices.push(mapOrObjectSchema(object));
  if (list !== undefined) choices.push(call('array', schemaOf(list)));
  const [first = UNKNOWN, ...others] = choices;
  return others.length === 0
    ? first
    : (indent) => `z.union([${choices.map((choice) => choice(indent)).join(', ')}])`;
}

interface Field {
  readonly name: string;
  readonly value: Schema;
  readonly isNullable: boolean;
  readonly isAlwaysThere: boolean;
}

function fieldsOf(object: ObjectShape): Field[] {
  return orderedFields(object).map(([name, { count, shape }]) => ({
    name,
    value: valueSchema(shape),
    isNullable: shape.isNullable,
    isAlwaysThere: count === object.count,
  }));
}

function mapOrObjectSchema(object: ObjectShape): Schema {
  const fields = fieldsOf(object);
  const known = fields.map(({ value }) => value).filter((value) => value !== UNKNOWN);
  const isAlike = new Set(known.map((value) => value(''))).size <= 1;
  if (!hasDataKeys(object, isAlike)) return objectSchema(fields);
  const value = (isAlike && known[0]) || UNKNOWN;
  return call('record', call('string'), fields.some(({ isNullable }) => isNullable) ? orNull(value) : value);
}

function objectSchema(fields: readonly Field[]): Schema {
  return (indent) => {
    const inner = `${indent}  `;
    const lines = fields.map(({ name, value, isNullable, isAlwaysThere }) => {
      // What some records lack may be null in others to come.
      const schema = isAlwaysThere ? (isNullable ? orNull(value) : value) : call('nullish', value);
      return `${inner}${propertyName(name)}: ${schema(inner)},\n`;
    });
    return `z.looseObject({\n${lines.join('')}${indent}})`;
  };
}

/** Of what was never seen but as null, which only shows that it exists. */
const UNKNOWN = call('unknown');

function orNull(value: Schema): Schema {
  return value === UNKNOWN ? value : call('nullable', value);
}

function call(name: string, ...args: readonly Schema[]): Schema {
  return (indent) => `z.${name}(${args.map((arg) => arg(indent)).join(', ')})`;
}

function propertyName(name: string): string {
  // Written plainly, it would set the prototype.
  if (name === '__proto__') return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
