// Collects the field names and types of many records into one shape, from which a schema is written.

import { isObject } from '../../util/json.ts';

type Primitive = 'string' | 'number' | 'boolean' | 'null';

/** What was seen of a value in all records: types and names of fields. Keys may be data: see `keys.ts`. */
export interface Shape {
  readonly primitives: Set<Primitive>;
  /** Absent if no list was seen; without items if all were empty. */
  list?: Shape;
  object?: ObjectShape;
}

export interface ObjectShape {
  /** How many objects were seen, and in how many of them each field appeared. */
  count: number;
  readonly fields: Map<string, { count: number; readonly shape: Shape }>;
}

export function emptyShape(): Shape {
  return { primitives: new Set() };
}

/** Adds a value to the observations. */
export function observe(shape: Shape, value: unknown): void {
  if (Array.isArray(value)) {
    shape.list ??= emptyShape();
    for (const item of value) observe(shape.list, item);
  } else if (isObject(value)) {
    shape.object ??= { count: 0, fields: new Map() };
    observeObject(shape.object, value);
  } else {
    shape.primitives.add(value === null ? 'null' : (typeof value as Primitive));
  }
}

/** Whether nothing was observed. */
export function isEmpty({ primitives, list, object }: Shape): boolean {
  return primitives.size === 0 && list === undefined && object === undefined;
}

function observeObject(object: ObjectShape, value: object): void {
  object.count += 1;
  for (const [name, field] of Object.entries(value)) {
    const known = object.fields.get(name) ?? { count: 0, shape: emptyShape() };
    known.count += 1;
    observe(known.shape, field);
    object.fields.set(name, known);
  }
}
