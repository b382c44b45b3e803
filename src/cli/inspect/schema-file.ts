// Writes the observed fields as a TypeScript module of schemas.

import { recordSchema } from './schema.ts';
import { primitiveTypes, type Shape } from './shape.ts';

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
  /** Why the client rejects such records, field by field; empty where it takes them. */
  readonly rejected: readonly string[];
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

function declaration({ name, count, shape, rejected }: RecordShape): string {
  const warning = rejected.length === 0 ? '' : ` The client rejects such records: ${rejected.join('; ')}.`;
  return `/** As seen in ${count} ${count === 1 ? 'record' : 'records'}.${warning} */
export const ${name} = ${recordSchema(shape)('')};
`;
}

/** The type of a field in words. */
export function typeInWords({ primitives, list, object, isNullable }: Shape): string {
  const types: string[] = primitiveTypes.filter((type) => primitives.has(type));
  if (object !== undefined) types.push('object');
  if (list !== undefined) types.push('list');
  if (isNullable) types.push('null');
  return types.join(' or ');
}
