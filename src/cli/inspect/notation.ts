// The notations in which types are written: Zod schemas, and the types of TypeScript.

import type { Primitive } from './shape.ts';

/** How a type is written, from the texts of its parts. */
export interface Notation {
  readonly unknown: string;
  primitive(type: Primitive): string;
  list(item: string): string;
  /** An object whose keys are data. */
  map(value: string): string;
  union(choices: readonly string[]): string;
  orNull(value: string): string;
  object(fields: readonly string[]): string;
  field(name: string, value: string): string;
  /** A field that some records lack: it may be null in others. */
  optionalField(name: string, value: string): string;
}

export const zod: Notation = {
  unknown: 'z.unknown()',
  primitive: (type) => `z.${type}()`,
  list: (item) => `z.array(${item})`,
  map: (value) => `z.record(z.string(), ${value})`,
  union: (choices) => `z.union([${choices.join(', ')}])`,
  orNull: (value) => `z.nullable(${value})`,
  object: (fields) => `z.looseObject(${block(fields)})`,
  field: (name, value) => `${name}: ${value},`,
  optionalField: (name, value) => `${name}: z.nullish(${value}),`,
};

export const typescript: Notation = {
  unknown: 'unknown',
  primitive: (type) => type,
  list: (item) => `Array<${item}>`,
  map: (value) => `Record<string, ${value}>`,
  union: (choices) => choices.join(' | '),
  orNull: (value) => `${value} | null`,
  object: block,
  field: (name, value) => `${name}: ${value};`,
  optionalField: (name, value) => `${name}?: ${value === 'unknown' ? value : `${value} | null`};`,
};

function block(lines: readonly string[]): string {
  return `{\n${lines.map((line) => `${indented(line)}\n`).join('')}}`;
}

/** Each line of a text two spaces further in. */
export function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
