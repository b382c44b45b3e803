// Writes the observed fields as a TypeScript module of schemas.

import { hasDataKeys, looksLikeValue } from './keys.ts';
import { isEmpty, type ObjectShape, type Shape } from './shape.ts';

/** Both write a schema with the same functions. */
export const schemaLibraries = ['zod', 'zod/mini'] as const;

export type SchemaLibrary = (typeof schemaLibraries)[number];

/** The names under which the client accepts schemas. */
export type RecordName = 'participant' | 'exam' | 'examResult';

/** The observations of one kind of record. */
export interface RecordShape {
  readonly name: RecordName;
  readonly count: number;
  readonly shape: Shape;
  /** Why the client refuses such records, field by field; empty where it takes them. */
  readonly refused: readonly string[];
}

/** A TypeScript module that exports a schema for each kind of record, and all of them as `schemas`. */
export function schemaFile(records: readonly RecordShape[], library: SchemaLibrary): string {
  const names = records.map(({ name }) => name).join(', ');
  return `// Schemas of records whose fields the service does not document, inferred by \`exam-service-sdk inspect\`.
// A field that was in every record is treated as required: review it before you rely on it.
import * as z from '${library}';

${records.map(declaration).join('\n')}
/** For \`new ExamClient({ schemas })\`. */
export const schemas = { ${names} };
`;
}

function declaration({ name, count, shape, refused }: RecordShape): string {
  const warning = refused.length === 0 ? '' : ` The client refuses such records: ${refused.join('; ')}.`;
  return `/** As seen in ${count} ${count === 1 ? 'record' : 'records'}.${warning} */
export const ${name} = ${shape.object === undefined ? expression(shape, '') : recordExpression(shape.object)};
`;
}

/** A record itself has fields, whatever they are called; a key that is data is left out. */
function recordExpression(object: ObjectShape): string {
  const fields = new Map([...object.fields].filter(([name]) => !looksLikeValue(name)));
  return fieldsExpression({ ...object, fields }, '');
}

function expression(shape: Shape, indent: string): string {
  const { primitives, list, object } = shape;
  const choices = [...primitives].filter((type) => type !== 'null').map((type) => `z.${type}()`);
  if (object !== undefined) choices.push(objectExpression(object, indent));
  if (list !== undefined) choices.push(`z.array(${expression(list, indent)})`);
  const [first, ...others] = choices;
  // Nothing but null only shows that the field exists.
  if (first === undefined) return 'z.unknown()';
  const choice = others.length === 0 ? first : `z.union([${choices.join(', ')}])`;
  return primitives.has('null') ? `z.nullable(${choice})` : choice;
}

function objectExpression(object: ObjectShape, indent: string): string {
  if (!hasDataKeys(object, (shape) => expression(shape, ''))) return fieldsExpression(object, indent);
  const values = [...object.fields.values()].map(({ shape }) => shape).filter((shape) => !isEmpty(shape));
  const [only = 'z.unknown()', ...others] = new Set(values.map((shape) => expression(shape, indent)));
  return `z.record(z.string(), ${others.length === 0 ? only : 'z.unknown()'})`;
}

function fieldsExpression({ count, fields }: ObjectShape, indent: string): string {
  const inner = `${indent}  `;
  const lines = [...fields].map(([name, field]) => {
    const schema = expression(field.shape, inner);
    return `${inner}${propertyName(name)}: ${field.count < count ? `z.optional(${schema})` : schema},\n`;
  });
  return `z.looseObject({\n${lines.join('')}${indent}})`;
}

function propertyName(name: string): string {
  // Written plainly, it would set the prototype.
  if (name === '__proto__') return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** The type of a field in words. */
export function typeInWords({ primitives, list, object }: Shape): string {
  const types: string[] = [...primitives].filter((type) => type !== 'null');
  if (object !== undefined) types.push('object');
  if (list !== undefined) types.push('list');
  if (primitives.has('null')) types.push('null');
  return types.join(' or ');
}
