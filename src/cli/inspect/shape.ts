import { isObject } from '../../util/json.ts';

type Primitive = 'string' | 'number' | 'boolean' | 'null';

/** The observations of a value across all records: types and field names, never a value. */
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
  /** The common shape of the values if the keys are data, such as emails or ids, instead of names. */
  entries?: Shape;
}

/** The form of field names. A key of another form may be personal, and is not kept. */
const fieldNamePattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

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
    if (fieldNamePattern.test(name)) {
      const known = object.fields.get(name) ?? { count: 0, shape: emptyShape() };
      known.count += 1;
      observe(known.shape, field);
      object.fields.set(name, known);
    } else {
      object.entries ??= emptyShape();
      observe(object.entries, field);
    }
  }
}
