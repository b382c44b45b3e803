import { expect, test } from 'vitest';
import { createEditor } from '../helpers/declarations.ts';

const editor = createEditor();
const events = [
  'exam_participant.registered',
  'exam_participant.unregistered',
  'exam_result.completed',
  'exam_result.scored',
];

const imports = `import { ExamClient, isApiError, isExamServiceError } from 'exam-service-sdk';
import { createWebhookHandler, type WebhookEvent } from 'exam-service-sdk/webhooks';
declare const client: ExamClient;
declare const error: unknown;
declare const event: WebhookEvent;
`;
const offered = (code: string) => editor.completionsAt(imports + code).sort();

test.each<[what: string, code: string, expected: string[]]>([
  ['schemas of a client', 'new ExamClient({ schemas: { | } });', ['exam', 'examResult', 'participant']],
  [
    'schemas of withOptions',
    'client.withOptions({ schemas: { | } });',
    ['exam', 'examResult', 'participant'],
  ],
  ['events of create', "client.webhooks.create({ url: 'https://a.test', events: ['|'] });", events],
  ['events of ensure', "client.webhooks.ensure({ url: 'https://a.test', events: ['|'] });", events],
  ['events of update', "client.webhooks.update(1, { events: ['|'] });", events],
  ['the event of a test', "client.webhooks.test(1, { event: '|' });", events],
  ['the event of deliveries', "client.webhooks.deliveries(1, { event: '|' });", events],
  ['the status of deliveries', "client.webhooks.deliveries(1, { status: '|' });", ['delivered']],
  ['handlers', "createWebhookHandler({ secret: 's', on: { '|' } });", events],
  ['an event that was delivered', "if (event.event === '|') {}", events],
  ['validation', "new ExamClient({ validation: '|' });", ['off', 'report', 'strict']],
  [
    'an outcome',
    "if (isExamServiceError(error) && error.outcome === '|') {}",
    ['done', 'not_sent', 'rejected', 'unknown'],
  ],
  ['filters of results', 'client.examResults.list({ | });', ['exam_id', 'limit', 'page', 'participant_id']],
])('an editor offers the names of %s', (_, code, expected) => {
  expect(offered(code)).toEqual(expected);
});

test('an editor offers every code of an error, and after one the fields of its class', () => {
  const codes = offered("if (isExamServiceError(error)) switch (error.code) { case '|': break; }");
  expect(codes).toContain('not_found');
  expect(codes).toContain('api');
  expect(codes).toContain('import_stopped');
  expect(codes).toHaveLength(23);
  const fields = offered("if (isExamServiceError(error) && error.code === 'import_stopped') error.|");
  expect(fields).toContain('resumeFrom');
  expect(fields).not.toContain('fieldErrors');
});

const codesOfStatuses = [
  'api',
  'authentication',
  'bad_request',
  'internal_server',
  'not_found',
  'permission_denied',
  'rate_limit',
  'unprocessable_entity',
];
const codesOfCalls = [
  ...codesOfStatuses,
  'configuration',
  'connection',
  'redirect',
  'request_validation',
  'response_format',
  'response_validation',
  'timeout',
].sort();

test.each<[where: string, code: string, expected: string[]]>([
  ['after isApiError', "if (isApiError(error) && error.code === '|') {}", codesOfStatuses],
  [
    'in onResult',
    "client.examParticipants.assignAll([], { onResult: ({ error }) => error?.code === '|' });",
    codesOfCalls,
  ],
  ['in onRetry', "new ExamClient({ hooks: { onRetry: ({ error }) => error.code === '|' } });", codesOfCalls],
])('an editor offers the codes that can come %s', (_, code, expected) => {
  expect(offered(code)).toEqual(expected);
});

test('an editor offers the name of every operation', () => {
  const names = offered("new ExamClient({ hooks: { onEnd: ({ operation }) => operation === '|' } });");
  expect(names).toHaveLength(24);
  expect(names).toContain('examParticipants.assignAll');
});

test.each<[code: string, hover: string]>([
  ['const made| = new ExamClient();', 'const made: ExamClient<Participant, Exam, ExamResult>'],
  [
    'const quick| = client.withOptions({ timeout: 1 });',
    'const quick: ExamClient<Participant, Exam, ExamResult>',
  ],
  ['const exam| = await client.exams.retrieve(1);', 'const exam: Exam'],
  ['const page| = await client.examResults.list();', 'const page: Page<ExamResult>'],
])('a hover reads like the documents: %s', (code, hover) => {
  expect(editor.hoverAt(imports + code)).toBe(hover);
});

test.each([
  ["{ name|: 'Ana' }", 'Full name.'],
  ["{ password|: 'cedar-225' }", 'Login password.'],
  ["{ name|: 'Ana', password: 'cedar-225' }", 'Full name.'],
])('an editor says what the field of an update is: %s', (changes, comment) => {
  expect(editor.commentAt(`${imports}client.participants.update(1, ${changes});`)).toBe(comment);
});
