import type { Operation } from '../../src/core/operation.ts';
import * as examParticipants from '../../src/resources/exam-participants.ts';
import * as examResults from '../../src/resources/exam-results.ts';
import * as exams from '../../src/resources/exams.ts';
import * as participants from '../../src/resources/participants.ts';
import * as webhooks from '../../src/resources/webhooks.ts';

/** The descriptor of every operation, by id. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  [participants, examParticipants, exams, examResults, webhooks]
    .flatMap((resource): unknown[] => Object.values(resource))
    .filter(isOperation)
    .map((operation) => [operation.id, operation]),
);

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'id' in value && 'method' in value && 'path' in value;
}
