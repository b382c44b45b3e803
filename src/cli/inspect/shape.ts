// Collects the field names and types of many records into one shape, from which types are written.

import { isObject } from '../../util/json.ts';

/** In the order in which they are written, so that it does not depend on the order of the records. */
export const primitiveTypes = ['number', 'string', 'boolean'] as const;

export type Primitive = (typeof primitiveTypes)[number];

/** What was seen of a value in all records: types and names of fields. Keys may be data: see `keys.ts`. */
export interface Shape {
  readonly primitives: Set<Primitive>;
  isNullable: boolean;
  /** Absent if no list was seen; without items if all were empty. */
  list?: Shape;
  object?: ObjectShape;
}

export interface ObjectShape {
  /** How many objects were seen. */
  count: number;
  readonly fields: Map<string, FieldShape>;
}

export interface FieldShape {
  /** In how many objects it appeared. */
  count: number;
  readonly shape: Shape;
}

/** What lies deeper is left open: no type is read that far, and a stack is not endless. */
const DEEPEST = 40;

export function emptyShape(): Shape {
  return { primitives: new Set(), isNullable: false };
}

/** Adds a value to the observations. */
export function observe(shape: Shape, value: unknown, depth = 0): void {
  if (value === null) shape.isNullable = true;
  else if (typeof value !== 'object') shape.primitives.add(typeof value as Primitive);
  else if (depth >= DEEPEST) return;
  else if (Array.isArray(value)) {
    shape.list ??= emptyShape();
    for (const item of value) observe(shape.list, item, depth + 1);
  } else if (isObject(value)) {
    shape.object ??= { count: 0, fields: new Map() };
    shape.object.count += 1;
    for (const [name, inner] of Object.entries(value)) {
      const field = shape.object.fields.get(name) ?? { count: 0, shape: emptyShape() };
      field.count += 1;
      observe(field.shape, inner, depth + 1);
      shape.object.fields.set(name, field);
    }
  }
}
