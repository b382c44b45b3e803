import {
  type AssignAllOptions,
  type Assignment,
  type AssignmentResult,
  AssignmentsStoppedError,
  type AssignmentsSummary,
  type ExamClient,
} from '../../../src/index.ts';
import { createEmulator } from '../../../src/testing/index.ts';
import { clientOf } from '../../helpers/client.ts';
import type { Handler, ReceivedRequest, ServiceResponse } from '../../helpers/server.ts';

/** The service in memory with an exam and people, and a client of it. */
export function start(participants: number) {
  const emulator = createEmulator();
  emulator.control.seedParticipants(participants);
  emulator.control.seedExams(1);
  return { emulator, client: clientOf(emulator) };
}

export function* pairs(count: number, exam_id = 1): Generator<Assignment> {
  for (let participant_id = 1; participant_id <= count; participant_id += 1)
    yield { participant_id, exam_id };
}

/** Whose assignment or link a request is about. */
export function personIn({ path, body, query }: ReceivedRequest): number {
  return path.endsWith('/link') ? Number(query.get('participant_id')) : (body as Assignment).participant_id;
}

/** Accepts every pair but those of these people, and knows no link. */
export const rejecting =
  (bad: (person: number) => boolean, response: ServiceResponse): Handler =>
  (request) => {
    if (bad(personIn(request))) return response;
    return request.path.endsWith('/link') ? { status: 404 } : { status: 201, body: {} };
  };

/** What a job reported, and how it ended. */
export async function run<Row>(
  { examParticipants }: Pick<ExamClient, 'examParticipants'>,
  source: Iterable<Row> | AsyncIterable<Row>,
  options?: Omit<AssignAllOptions<Row>, 'onResult'>,
) {
  const results: AssignmentResult<Row>[] = [];
  let error: AssignmentsStoppedError | undefined;
  let summary: AssignmentsSummary;
  try {
    summary = await examParticipants.assignAll(source, {
      ...options,
      onResult: (result) => results.push(result),
    });
  } catch (caught) {
    if (!(caught instanceof AssignmentsStoppedError)) throw caught;
    error = caught;
    ({ summary } = caught);
  }
  return { results, summary, error };
}

export const statuses = (results: readonly AssignmentResult[]) => results.map(({ status }) => status);
export const indexes = (results: readonly { readonly index: number }[]) => results.map(({ index }) => index);
