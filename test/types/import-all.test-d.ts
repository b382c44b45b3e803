import { expectTypeOf } from 'vitest';
import type {
  ExamClient,
  ImportAllOptions,
  ImportedBatch,
  ImportProgress,
  ImportSummary,
  MappedParticipant,
  Participant,
  ParticipantImport,
  RejectedRow,
  Rejection,
} from '../../src/index.ts';

declare const client: ExamClient;
declare const rows: ParticipantImport[];
declare const lines: AsyncIterable<{ readonly record: ParticipantImport; readonly line: number }>;
declare const anything: Iterable<unknown>;
const { participants } = client;

// Without `map` the rows are those of the service: whether they are is checked when they are read
expectTypeOf(participants.importAll(rows)).toEqualTypeOf<Promise<ImportSummary>>();
participants.importAll(new Set(rows), { batchSize: 5, signal: new AbortController().signal });
participants.importAll(lines, { batchSize: 5 });
participants.importAll(anything);
// @ts-expect-error a row is an item of an iterable
participants.importAll({ email: 'a@b.test', name: 'A', password: 'pw' });

// With `map` they are of any type, which its parameter has
participants.importAll(lines, { map: ({ record }) => record });
participants.importAll(lines, {
  map(row, index) {
    expectTypeOf(row).toEqualTypeOf<{ readonly record: ParticipantImport; readonly line: number }>();
    expectTypeOf(index).toEqualTypeOf<number>();
    return row.line > 1 ? row.record : null;
  },
});
participants.importAll(rows, { map: (row) => ({ ...row, name: row.name.trim() }) });
declare const people: (ParticipantImport & { readonly role: string })[];
participants.importAll(people, { map: ({ role, ...row }) => (role === 'student' ? row : null) });
participants.importAll(anything, {
  map(row) {
    expectTypeOf(row).toEqualTypeOf<unknown>();
    return null;
  },
});
participants.importAll([1, 2], { map: (n) => ({ email: `p${n}@b.test`, name: 'A', password: 'pw' }) });
// A cell of a file may be missing
declare const cells: Iterable<Record<string, string | undefined>>;
participants.importAll(cells, {
  map: (row) => ({ email: row['mail'], name: row['name'], password: row['password'] }),
});
declare const numbers: Iterable<{ readonly mail: number }>;
participants.importAll(numbers, {
  // @ts-expect-error the error stands at the culprit
  map: ({ mail }) => ({ email: mail, name: 'A', password: 'pw' }),
});
// @ts-expect-error a row has three columns
participants.importAll(lines, { map: ({ line }) => ({ email: String(line) }) });
// @ts-expect-error `map` returns at once
participants.importAll(lines, { map: async ({ record }) => record });
// @ts-expect-error an option that does not exist
participants.importAll(rows, { batchsize: 5 });

// What the functions are told
const options: ImportAllOptions = {
  onProgress: (progress) => expectTypeOf(progress).toEqualTypeOf<ImportProgress>(),
  onRejected: (rejection) => expectTypeOf(rejection).toEqualTypeOf<RejectedRow<ParticipantImport>>(),
  onBatch: (batch) => expectTypeOf(batch).toEqualTypeOf<ImportedBatch>(),
};
participants.importAll(rows, options);
participants.importAll(lines, {
  map: ({ record }) => record,
  onRejected: ({ row }) => expectTypeOf(row.line).toEqualTypeOf<number>(),
});
expectTypeOf<ImportSummary['rejections']>().toEqualTypeOf<readonly Rejection[]>();
expectTypeOf<ImportProgress['total']>().toEqualTypeOf<number | null>();
expectTypeOf<ReturnType<NonNullable<ImportAllOptions['map']>>>().toEqualTypeOf<MappedParticipant | null>();

// Options can be passed on, whatever the rows are
export function passOn<Row>(source: Iterable<Row>, given: ImportAllOptions<Row>) {
  return participants.importAll(source, given);
}

// Participants by email
expectTypeOf(participants.findByEmail(['a@b.test'])).toEqualTypeOf<
  Promise<{ readonly found: Map<string, Participant>; readonly missing: string[] }>
>();

// The link is there where it was asked for
const pair = { participant_id: 1, exam_id: 2 };
expectTypeOf((await client.examParticipants.ensure(pair, { link: true })).url).toEqualTypeOf<string>();
expectTypeOf((await client.examParticipants.ensure(pair)).url).toEqualTypeOf<string | null>();
expectTypeOf((await client.examParticipants.ensure(pair, { link: Math.random() > 1 })).url).toEqualTypeOf<
  string | null
>();
