import { expect, test } from 'vitest';
import type { ExamClient, ParticipantImport } from '../../../src/index.ts';
import { createClient, rejection } from '../../helpers/client.ts';
import { type Handler, type ServiceResponse, startService } from '../../helpers/server.ts';

const rows: ParticipantImport[] = ['ada', 'ben', 'eva'].map((name) => ({
  email: `${name}@example.test`,
  name,
  password: `password-of-${name}`,
}));
const pairs = Array.from({ length: 30 }, (_, index) => ({ participant_id: index + 1, exam_id: 7 }));

type Run = (client: ExamClient) => PromiseLike<unknown>;

const importing =
  (source: readonly object[], options: object = {}): Run =>
  ({ participants }) =>
    participants.importAll(source as never, { batchSize: 1, ...options });
const assigning: Run = ({ examParticipants }) => examParticipants.assignAll(pairs, { concurrency: 1 });

const failOn =
  (name: string): Handler =>
  ({ text }) => ({ status: text.includes(name) ? 500 : 201, body: {} });

test.each<[what: string, run: Run, response: ServiceResponse | Handler, sentence: RegExp]>([
  [
    'a row that breaks a rule',
    importing([...rows.slice(0, 2), { ...rows[2], name: '' }]),
    { status: 201 },
    /^importAll stopped at row 2: name must not be empty\. The row was not sent \(2 imported, 0 rejected\)\. Resume with `resumeFrom: 2`, or past it with `resumeFrom: 3` \(rows count from 0\)\.$/,
  ],
  [
    'an email that an earlier row has',
    importing([...rows, { ...rows[2], email: 'ADA@example.test' }]),
    { status: 201 },
    /stopped at row 3: email is that of row 0\. The row was not sent \(3 imported, 0 rejected\)\. Resume with `resumeFrom: 3`, or past it with `resumeFrom: 4` \(rows count from 0\)\.$/,
  ],
  [
    'a column too many',
    importing(rows.map((row) => ({ ...row, role: 'student' }))),
    { status: 201 },
    /^importAll stopped at row 0: has an unknown column `role`\. Pass `map` to importAll: `map: \(\{ email, name, password \}\) => \(\{ email, name, password \}\)`\. The row was not sent \(0 imported, 0 rejected\)\. Resume with/,
  ],
  [
    'a server error at the end of the source',
    importing(rows, { failedBatches: 'bisect' }),
    failOn('eva'),
    /stopped at row 2: the service failed on it and has accepted nothing since: .+ If only this row fails again, leave it out \(2 imported, 0 rejected\)\. Resume with `resumeFrom: 2`, or past it with `resumeFrom: 3` \(rows count from 0\)\.$/,
  ],
  [
    'a 503 at the end of the source, which is about the service',
    importing(rows, { failedBatches: 'bisect' }),
    ({ text }) => ({ status: text.includes('eva') ? 503 : 201, body: {} }),
    /^(?!.*leave it out).* \(2 imported, 0 rejected\)\. Resume with `resumeFrom: 2` \(rows count from 0\)\.$/,
  ],
  [
    'a response that names failed rows',
    importing(rows, { batchSize: 25 }),
    { status: 201, body: { message: 'Imported', data: { failed: 1 } } },
    /the response to rows 0 to 2 names failed rows under `data\.failed`: read it in `onBatch` \(0 imported, 0 rejected\)\. Resume with `resumeFrom: 0` \(rows count from 0\)\.$/,
  ],
  [
    'an error of a request',
    importing(rows),
    { status: 401 },
    /^importAll stopped at row 0: participants\.import: POST \/participants\/import .+ \(0 imported, 0 rejected\)\. Resume with `resumeFrom: 0` \(rows count from 0\)\.$/,
  ],
  [
    'a map that returns nothing, of an import',
    importing(rows, { map: () => {} }),
    { status: 201 },
    /stopped at row 0: `map` returned undefined for row 0: return \{ email, name, password \}, or null to skip it \(0 .+\)\. Resume with/,
  ],
  [
    'a map that returns nothing, of an assignment',
    ({ examParticipants }) => examParticipants.assignAll(pairs, { map: (() => {}) as never }),
    { status: 201 },
    /stopped at row 0: `map` returned undefined for row 0: return \{ participant_id, exam_id \}, or null to skip it \(0 .+\)\. Resume with/,
  ],
  [
    'a pair without an id',
    ({ examParticipants }) =>
      examParticipants.assignAll([...pairs.slice(0, 2), { participant_id: 3 }], {
        map: (pair) => pair as (typeof pairs)[number],
      }),
    { status: 201, body: {} },
    /^assignAll stopped at row 2: exam_id is required\. The pair was not sent \(2 assigned, .+\)\. Resume with `resumeFrom: 2` \(rows count from 0\)\.$/,
  ],
  [
    'a pair of other fields',
    ({ examParticipants }) => examParticipants.assignAll([{ participant: 3, exam: 7 }] as never),
    { status: 201 },
    /^assignAll stopped at row 0: participant_id is required; exam_id is required; unknown parameter `participant` \(did you mean `participant_id`\?\), `exam` \(did you mean `exam_id`\?\)\. The pair/,
  ],
  [
    '404 for every pair',
    assigning,
    { status: 404 },
    /^assignAll stopped at row 0: is the base URL right, with its version prefix, and are these ids of this service\? The first 20 pairs all got a 404, such as participant 1 and exam 7 \(0 assigned, 0 assigned before, 0 failed\)\. Resume with `resumeFrom: 0`, or past it with `resumeFrom: 20` \(rows count from 0\)\.$/,
  ],
])('a job that stops at %s says so, and where to go on', async (_, run, response, sentence) => {
  await using server = startService(response);
  const { message } = (await rejection(run(createClient(server)))) as Error;
  expect(message).toMatch(sentence);
});
