// Parameters of a call as objects, and the messages for what is not one.

import * as z from 'zod/mini';
import { isObject, tagOf } from '../util/json.ts';
import { suggest } from '../util/suggest.ts';

/** What an object of parameters is called in messages. */
export interface Wording {
  /** For a value that is no object; `fields` are those that it should have. */
  readonly notAnObject: (value: unknown, fields: string) => string;
  /** For names that are not quoted. */
  readonly unknownNames: (count: number) => string;
  /** What follows names that are quoted; those `known` if they resemble none of them. */
  readonly advice: (known: string | null) => string;
  /** Names that belong elsewhere: options of a call, of a list and of an assignment, which belong in the last argument. */
  readonly options: readonly string[];
}

const ofCalls: Wording = {
  notAnObject: (_, fields) => `takes one object { ${fields} }`,
  unknownNames: (count) => `has ${count} unknown ${count === 1 ? 'name' : 'names'}`,
  advice: (known) => (known === null ? '' : `: it takes ${known}`),
  options: (
    'signal timeout totalTimeout maxRetries headers validation fetchOptions ' +
    'maxItems maxPages concurrency distinct link'
  ).split(' '),
};

/** Parameters as an object. Undocumented names are rejected: the service would ignore them. */
export function parameters<Shape extends z.core.$ZodLooseShape>(shape: Shape, wording = ofCalls) {
  const error = ({ code, keys }: { readonly code: string; readonly keys?: readonly string[] }) =>
    code === 'unrecognized_keys' ? describeUnknown(keys ?? [], Object.keys(shape), wording) : undefined;
  return ownFields(z.strictObject(shape, { error }), wording);
}

/** The names of a caller's rows are data: only what looks like the name of a column is quoted. */
const columnName = /^[A-Za-z_]\w{0,29}$/;
const MOST_NAMES = 3;

function describeUnknown(names: readonly string[], known: readonly string[], wording: Wording): string {
  const option = names.find((name) => wording.options.includes(name));
  if (option !== undefined) return `does not take ${option}: it belongs in the last argument, the options`;
  if (!names.every((name) => columnName.test(name))) return wording.unknownNames(names.length);
  let isMeant = false;
  const told = names.slice(0, MOST_NAMES).map((name) => {
    const meant = suggest(name, known);
    isMeant ||= meant !== null;
    return meant === null ? name : `${name} (did you mean \`${meant}\`?)`;
  });
  const hidden = names.length - told.length;
  const advice = wording.advice(isMeant ? null : known.join(', '));
  return `does not take ${told.join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}${advice}`;
}

/**
 * Limits a schema to an object's own fields. An object that inherits fields of the schema, such as a class instance
 * with getters, is rejected: JSON would omit them. So is a Map or the like, whose fields are not properties.
 */
export function ownFields<Schema extends z.ZodMiniObject>(schema: Schema, wording = ofCalls) {
  const names = Object.entries<unknown>(schema.shape).map(([name, field]) =>
    field instanceof z.ZodMiniOptional ? `${name}?` : name,
  );
  const known = Object.keys(schema.shape);
  const own = z.transform((input: z.input<Schema>, { issues }): unknown => {
    const refuse = (message: string) => issues.push({ code: 'custom', message, input });
    const isOrdinary = tagOf(input) === 'Object';
    // Bytes are an object with a field for each, and a message may not name them all.
    if (!isOrdinary && (!isObject(input) || isBytes(input))) {
      refuse(wording.notAnObject(input, names.join(', ')));
      return input;
    }
    const inherited = known.filter((name) => name in input && !Object.hasOwn(input, name));
    if (inherited.length > 0) refuse(`must be a plain object: it inherits ${inherited.join(', ')}`);
    if (!isOrdinary && Object.keys(input).length === 0) refuse('must be a plain object');
    return { ...input };
  });
  return z.pipe(own, schema);
}

/** Whether a value holds raw bytes or numbers. */
export function isBytes(value: unknown): boolean {
  return ArrayBuffer.isView(value) || tagOf(value) === 'ArrayBuffer';
}
