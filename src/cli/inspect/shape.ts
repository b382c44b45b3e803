import { isObject } from '../../util/json.ts';

type Primitive = 'string' | 'number' | 'boolean' | 'null';

/** What was seen of a value in all records: types and names of fields, never a value. */
export interface Shape {
  readonly primitives: Set<Primitive>;
  /** Absent while no list was seen; without items while all were empty. */
  list?: Shape;
  object?: ObjectShape;
}

export interface ObjectShape {
  /** How many objects were seen, and in how many of them each field was. */
  count: number;
  readonly fields: Map<string, { count: number; readonly shape: Shape }>;
  /** What the values have in common where the keys are data, such as emails or ids, and not names. */
  entries?: Shape;
}

/** What the service's fields may be called. A key of another form may be personal, and is not kept. */
const fieldNamePattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

export function emptyShape(): Shape {
  return { primitives: new Set() };
}

/** Adds a value to what was seen. */
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

/** Whether nothing was seen. */
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
