// Writes the observed fields as a TypeScript module: schemas, or types that nothing checks.

import { indented, typescript, zod } from './notation.ts';
import type { Shape } from './shape.ts';
import { writeRecord } from './written-type.ts';

/** Both libraries write a schema with the same functions; `none` gives types alone. */
export const schemaLibraries = ['zod', 'zod/mini', 'none'] as const;

export type SchemaLibrary = (typeof schemaLibraries)[number];

/** The names under which the client accepts schemas. */
export type RecordName = 'participant' | 'exam' | 'examResult';

/** The observations of one kind of record. */
export interface RecordShape {
  readonly name: RecordName;
  /** How many were listed. */
  readonly count: number;
  readonly shape: Shape;
}

/** A TypeScript module that describes each kind of record. */
export function schemaFile(records: readonly RecordShape[], library: SchemaLibrary): string {
  return library === 'none' ? typeFile(records) : zodFile(records, library);
}

function zodFile(records: readonly RecordShape[], library: string): string {
  const schemas = records.map(
    ({ name, count, shape }) => `/** ${seen(count)} */\nexport const ${name} = ${writeRecord(shape, zod)};\n`,
  );
  return `// Schemas of records whose fields the service does not document, inferred by \`exam-service-sdk inspect\`.
// A field that was in every record is treated as required: review it before you rely on it.
import * as z from '${library}';

${schemas.join('\n')}
/** For \`new ExamClient({ schemas })\`. */
export const schemas = { ${records.map(({ name }) => name).join(', ')} };
`;
}

/** The interfaces of the package that describe records, with the fields that they have already. */
const interfaces = {
  participant: { type: 'Participant', declared: ['id'] },
  exam: { type: 'Exam', declared: ['id'] },
  examResult: { type: 'ExamResult', declared: ['score'] },
} as const;

function typeFile(records: readonly RecordShape[]): string {
  const declarations = records.map(({ name, count, shape }) => {
    const { type, declared } = interfaces[name];
    return indented(`/** ${seen(count)} */\ninterface ${type} ${writeRecord(shape, typescript, declared)}\n`);
  });
  return `// Types of records whose fields the service does not document, inferred by \`exam-service-sdk inspect\`.
// No response is checked against them: review them before you rely on them.
import 'exam-service-sdk';

declare module 'exam-service-sdk' {
${declarations.join('\n')}}
`;
}

function seen(count: number): string {
  return `As seen in ${count} ${count === 1 ? 'record' : 'records'}.`;
}
