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

function declaration({ name, count, shape }: RecordShape): string {
  return `/** Inferred from ${count} ${count === 1 ? 'record' : 'records'}. */
export const ${name} = ${expression(shape, '')};
`;
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

function objectExpression({ count, fields, entries }: ObjectShape, indent: string): string {
  if (entries !== undefined) {
    // If some keys are data, all may be.
    const values = [entries, ...[...fields.values()].map(({ shape }) => shape)];
    const same = new Set(values.filter((shape) => !isEmpty(shape)).map((shape) => expression(shape, indent)));
    const [only = 'z.unknown()'] = same;
    return `z.record(z.string(), ${same.size === 1 ? only : 'z.unknown()'})`;
  }
  const inner = `${indent}  `;
  const lines = [...fields].map(([name, field]) => {
    const schema = expression(field.shape, inner);
    return `${inner}${name}: ${field.count < count ? `z.optional(${schema})` : schema},\n`;
  });
  return `z.looseObject({\n${lines.join('')}${indent}})`;
}

/** The type of a field in words. */
export function typeInWords({ primitives, list, object }: Shape): string {
  const types: string[] = [...primitives].filter((type) => type !== 'null');
  if (object !== undefined) types.push('object');
  if (list !== undefined) types.push('list');
  if (primitives.has('null')) types.push('null');
  return types.join(' or ');
}
