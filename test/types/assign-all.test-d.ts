import { expectTypeOf } from 'vitest';
import type {
  AnyCallError,
  AssignAllOptions,
  Assignment,
  AssignmentFailure,
  AssignmentResult,
  AssignmentsSummary,
  ExamClient,
  Participant,
} from '../../src/index.ts';

declare const client: ExamClient;
declare const pairs: Assignment[];
declare const found: Map<string, Participant>;
declare const lines: AsyncIterable<{ readonly exam: number; readonly person?: number }>;
const { examParticipants } = client;

// Pairs need no options, rows of any type take `map`
expectTypeOf(examParticipants.assignAll(pairs)).toEqualTypeOf<Promise<AssignmentsSummary>>();
examParticipants.assignAll(new Set(pairs), { link: true, concurrency: 8, onResult: undefined });
examParticipants.assignAll(found, {
  map([email, { id }], index) {
    expectTypeOf(email).toEqualTypeOf<string>();
    expectTypeOf(index).toEqualTypeOf<number>();
    return email === '' ? null : { participant_id: id, exam_id: 8 };
  },
  onResult: ({ row: [email] }) => expectTypeOf(email).toEqualTypeOf<string>(),
});
// What the check judges, the type allows
examParticipants.assignAll(lines, { map: ({ person, exam }) => ({ participant_id: person, exam_id: exam }) });
// @ts-expect-error a pair has two ids
examParticipants.assignAll(lines, { map: ({ person }) => ({ participant_id: person }) });
// @ts-expect-error `map` is synchronous
examParticipants.assignAll(lines, { map: async ({ exam }) => ({ participant_id: 1, exam_id: exam }) });
// @ts-expect-error an option that does not exist
examParticipants.assignAll(pairs, { concurency: 5 });

// A result has every field, so it can be destructured; `status` tells which are there
declare const result: AssignmentResult<string>;
const { row, url, error, linkError } = result;
expectTypeOf(row).toEqualTypeOf<string>();
expectTypeOf(url).toEqualTypeOf<string | null>();
expectTypeOf(error).toEqualTypeOf<AnyCallError | null>();
expectTypeOf(linkError).toEqualTypeOf<AnyCallError | null>();
if (result.status === 'failed') expectTypeOf(result.error).toEqualTypeOf<AnyCallError>();
else expectTypeOf(result.error).toEqualTypeOf<null>();
expectTypeOf<AssignmentsSummary['failures']>().toEqualTypeOf<readonly AssignmentFailure[]>();

// Options can be passed on, whatever the rows are
export function passOn<Row>(source: Iterable<Row>, given: AssignAllOptions<Row>) {
  return examParticipants.assignAll(source, given);
}
