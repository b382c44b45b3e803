// Writes what was seen of records as a type, in one pass from the inside out.

import { hasDataKeys, looksLikeValue } from './keys.ts';
import type { Notation } from './notation.ts';
import { type ObjectShape, primitiveTypes, type Shape } from './shape.ts';

/** The type of a record: fields with any names, without those in `omitted`; a key that is data is left out. */
export function writeRecord({ object }: Shape, notation: Notation, omitted: readonly string[] = []): string {
  const fields = object === undefined ? [] : fieldsOf(object, notation);
  const named = fields.filter(({ name }) => !looksLikeValue(name) && !omitted.includes(name));
  return writeObject(named, notation);
}

/** The type of values that are not null. */
function writeValue({ primitives, list, object }: Shape, notation: Notation): string {
  const choices = primitiveTypes.filter((type) => primitives.has(type)).map(notation.primitive);
  if (object !== undefined) choices.push(writeMapOrObject(object, notation));
  if (list !== undefined) choices.push(notation.list(orNull(writeValue(list, notation), list, notation)));
  const [first = notation.unknown, ...others] = choices;
  return others.length === 0 ? first : notation.union(choices);
}

/** A field that was always null only shows that it exists. */
function orNull(value: string, { isNullable }: Pick<Shape, 'isNullable'>, notation: Notation): string {
  return isNullable && value !== notation.unknown ? notation.orNull(value) : value;
}

interface Field {
  readonly name: string;
  readonly value: string;
  readonly isNullable: boolean;
  readonly isAlwaysThere: boolean;
}

function fieldsOf(object: ObjectShape, notation: Notation): Field[] {
  return [...object.fields].map(([name, { count, shape }]) => ({
    name,
    value: writeValue(shape, notation),
    isNullable: shape.isNullable,
    isAlwaysThere: count === object.count,
  }));
}

function writeMapOrObject(object: ObjectShape, notation: Notation): string {
  const fields = fieldsOf(object, notation);
  const values = new Set(fields.map(({ value }) => value).filter((value) => value !== notation.unknown));
  const isAlike = values.size <= 1;
  if (!hasDataKeys(object, isAlike)) return writeObject(fields, notation);
  const [only = notation.unknown] = isAlike ? values : [];
  return notation.map(orNull(only, { isNullable: fields.some(({ isNullable }) => isNullable) }, notation));
}

function writeObject(fields: readonly Field[], notation: Notation): string {
  const lines = fields.map(({ name, value, isAlwaysThere, ...field }) => {
    const property = propertyName(name);
    if (!isAlwaysThere) return notation.optionalField(property, value);
    return notation.field(property, orNull(value, field, notation));
  });
  return notation.object(lines);
}

function propertyName(name: string): string {
  // Written plainly, it would set the prototype.
  if (name === '__proto__') return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
