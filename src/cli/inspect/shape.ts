// Collects the field names and types of many records into one shape, from which a schema is written.

import { isObject } from '../../util/json.ts';

/** In the order in which a schema names them, so that it does not depend on the order of the records. */
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
  /** The sum of its places in them: fields are written in the order of their average place. */
  places: number;
  readonly shape: Shape;
}

/** What lies deeper is left open: no schema is read that far, and no stack holds any depth. */
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
    for (const [place, [name, inner]] of Object.entries(value).entries()) {
      const field = shape.object.fields.get(name) ?? { count: 0, places: 0, shape: emptyShape() };
      field.count += 1;
      field.places += place;
      observe(field.shape, inner, depth + 1);
      shape.object.fields.set(name, field);
    }
  }
}

/** The fields in the order in which the records have them. */
export function orderedFields({ fields }: ObjectShape): [name: string, field: FieldShape][] {
  return [...fields].sort(
    ([a, one], [b, other]) => one.places / one.count - other.places / other.count || (a < b ? -1 : 1),
  );
}

interface Named {
  readonly name: string;
  readonly shape: Shape;
}

/**
 * Lets records of one kind know of each other: a participant inside a result is the participant of the list, where more
 * of them were seen. A field of one may then be null, or of a type, if that was seen in any of them.
 */
export function shareKinds(records: readonly Named[]): void {
  const objects = records.flatMap(({ name, shape }) => [...objectsIn(name, shape)]);
  for (const kind of grouped(objects, ({ name, object }) => kindOf(name, object, records))) {
    share(kind.map(({ object }) => object));
  }
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Iterable<Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups.values();
}

function* objectsIn(name: string, { list, object }: Shape): Generator<{ name: string; object: ObjectShape }> {
  if (list !== undefined) yield* objectsIn(name, list);
  if (object === undefined) return;
  yield { name, object };
  for (const [inner, { shape }] of object.fields) yield* objectsIn(inner, shape);
}

/** So many fields in common, one of them the id, are no coincidence. */
const FEWEST_IN_COMMON = 3;

/** Its name, or that of the only record that has all of its fields. */
function kindOf(name: string, { fields }: ObjectShape, records: readonly Named[]): string {
  const own = simplified(name);
  if (!fields.has('id') || fields.size < FEWEST_IN_COMMON) return own;
  if (records.some((record) => simplified(record.name) === own)) return own;
  const [only, ...others] = records.filter(({ shape }) =>
    [...fields.keys()].every((field) => shape.object?.fields.has(field)),
  );
  return only !== undefined && others.length === 0 ? simplified(only.name) : own;
}

/** `exam_participants`, `examParticipant` and `ExamParticipant` are one name. */
function simplified(name: string): string {
  return name
    .replace(/[^A-Za-z0-9]/g, '')
    .toLowerCase()
    .replace(/s$/, '');
}

/** Adds to each field of each object what was seen of it in the others; fields that an object lacks stay away. */
function share(objects: readonly ObjectShape[]): void {
  const fields = objects.flatMap((object) => [...object.fields]);
  for (const group of grouped(fields, ([name]) => name)) {
    const shapes = group.map(([, { shape }]) => shape);
    const isNullable = shapes.some((shape) => shape.isNullable);
    const primitives = shapes.flatMap((shape) => [...shape.primitives]);
    for (const shape of shapes) {
      shape.isNullable = isNullable;
      // An object or a list in the place of a number or a text is another field.
      if (!shape.object && !shape.list) for (const type of primitives) shape.primitives.add(type);
    }
  }
}
