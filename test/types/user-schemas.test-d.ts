import type { StandardSchemaV1 } from '@standard-schema/spec';
import { expectTypeOf } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import {
  type ClientOptions,
  type Exam,
  ExamClient,
  type ExamResult,
  type Participant,
  responseSchemas,
  type StandardSchema,
} from '../../src/index.ts';

declare const standard: StandardSchema<{ title: string }>;
const named = mini.looseObject({ id: mini.number(), name: mini.nullable(mini.string()) });

const client = new ExamClient({
  schemas: {
    participant: z.object({ id: z.number(), email: z.email() }),
    exam: named,
    examResult: standard,
  },
});

// The type that a schema reads is the type of every result
const participant = await client.participants.retrieve(1);
expectTypeOf(participant).toEqualTypeOf<{ id: number; email: string }>();
expectTypeOf((await client.participants.list()).data).toEqualTypeOf<ReadonlyArray<typeof participant>>();
for await (const item of client.participants.list()) expectTypeOf(item).toEqualTypeOf(participant);

const exam = await client.exams.retrieve(1);
expectTypeOf(exam.name).toEqualTypeOf<string | null>();
expectTypeOf(client.exams.list().toArray({ maxItems: 1 })).resolves.items.toEqualTypeOf(exam);

const { data: results } = await client.examResults.list();
expectTypeOf(results).toEqualTypeOf<ReadonlyArray<{ title: string }>>();

// The output, not the input, of a schema that transforms
const transforming = new ExamClient({
  schemas: { exam: z.object({ start_at: z.string() }).transform(({ start_at }) => new Date(start_at)) },
});
expectTypeOf(transforming.exams.retrieve(1)).resolves.toEqualTypeOf<Date>();
expectTypeOf(transforming.participants.retrieve(1)).resolves.toEqualTypeOf<Participant>();

// Without schemas, the documented part
const plain = new ExamClient();
expectTypeOf(plain.participants.retrieve(1)).resolves.toEqualTypeOf<Participant>();
expectTypeOf(plain.exams.retrieve(1)).resolves.toEqualTypeOf<Exam>();
expectTypeOf((await plain.examResults.list()).data[0]).toEqualTypeOf<ExamResult | undefined>();
expectTypeOf<Exam>().toEqualTypeOf<{ readonly id: number; readonly [field: string]: unknown }>();

// Also where the options come from elsewhere, or there are no schemas in them
declare const options: ClientOptions;
expectTypeOf(new ExamClient(options).exams.retrieve(1)).resolves.toEqualTypeOf<Exam>();
expectTypeOf(new ExamClient({ schemas: {} }).exams.retrieve(1)).resolves.toEqualTypeOf<Exam>();

// A client can be passed on by its type, and one that reads other records does not pass for it
interface Titled {
  title: string;
}
const passOn = (given: ExamClient<Participant, Titled>) => given.exams.retrieve(1);
expectTypeOf(passOn(new ExamClient({ schemas: { exam: standard } }))).resolves.toEqualTypeOf<Titled>();
// @ts-expect-error its exams have no title
passOn(plain);
// @ts-expect-error its exams are dates
passOn(transforming);
export const untyped: ExamClient = new ExamClient({
  schemas: { exam: mini.looseObject({ id: mini.number() }) },
});
expectTypeOf(client).toEqualTypeOf<
  ExamClient<{ id: number; email: string }, mini.output<typeof named>, Titled>
>();

// A function that makes clients takes the options of one
function create<P = Participant, E = Exam, R = ExamResult>(given: ClientOptions<P, E, R>) {
  return new ExamClient({ ...given, timeout: 5_000 });
}
expectTypeOf(create({ schemas: { exam: standard } })).toEqualTypeOf<ExamClient<Participant, Titled>>();
expectTypeOf(create({})).toEqualTypeOf<ExamClient>();

// A custom request has the type of its schema
const custom = client.request({
  method: 'GET',
  path: '/x',
  auth: 'clientKey',
  schema: z.object({ n: z.number() }),
});
expectTypeOf(custom).resolves.toEqualTypeOf<{ n: number }>();

// Any library that follows the convention fits, and the schemas of this package fit any such library
declare const foreign: StandardSchemaV1<string, { code: string }>;
const withForeign = new ExamClient({ schemas: { examResult: foreign } });
expectTypeOf((await withForeign.examResults.list()).data[0]).toEqualTypeOf<{ code: string } | undefined>();
expectTypeOf(responseSchemas.exam).toExtend<StandardSchemaV1<unknown, Exam>>();
expectTypeOf<StandardSchemaV1.InferOutput<typeof responseSchemas.participant>>().toEqualTypeOf<Participant>();

// @ts-expect-error no such record
new ExamClient({ schemas: { webhook: standard } });
// @ts-expect-error not a schema
new ExamClient({ schemas: { exam: { parse: () => ({}) } } });
// @ts-expect-error no such record, beside one that there is
new ExamClient({ schemas: { exam: standard, webhook: standard } });

// A client of other options keeps the types of its records, except of those that it is given other schemas for
declare const limits: Omit<ClientOptions, 'schemas'>;
expectTypeOf(transforming.withOptions(limits)).toEqualTypeOf<typeof transforming>();
expectTypeOf(transforming.withOptions({ schemas: undefined })).toEqualTypeOf<typeof transforming>();
expectTypeOf(transforming.withOptions({ schemas: {} })).toEqualTypeOf<typeof transforming>();
expectTypeOf(transforming.withOptions({ schemas: { exam: undefined } })).toEqualTypeOf<typeof transforming>();

const quick = client.withOptions({ timeout: 5_000 });
expectTypeOf(quick).toEqualTypeOf<typeof client>();
const retitled = client.withOptions({ schemas: { exam: standard } });
expectTypeOf(retitled.exams.retrieve(1)).resolves.toEqualTypeOf<{ title: string }>();
expectTypeOf(retitled.participants.retrieve(1)).resolves.toEqualTypeOf(participant);
// @ts-expect-error no such record
client.withOptions({ schemas: { exams: standard } });
