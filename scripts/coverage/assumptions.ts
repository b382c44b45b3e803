// What the service's documentation leaves open and what is assumed instead, for docs/coverage.md.

import type { Evidence } from './evidence.ts';

/** Something that the service's documentation leaves open, and what is assumed in its place. */
export interface Assumption extends Omit<Evidence, 'openapi'> {
  readonly open: string;
  readonly assumed: string;
}

const assume = (open: string, assumed: string, rule: string, test: string): Assumption => ({
  open,
  assumed,
  rule,
  test,
});

export const assumptions: readonly Assumption[] = [
  assume(
    'Bodies of the operations of participants, assignments, exams, results and links',
    'One of nine styles, chosen by an option; the client reads them all.',
    'styles/styles.ts styles',
    'emulator/client-styles participants are imported, listed over all pages, read and changed',
  ),
  assume(
    'Fields of participants and exams beside `id`',
    'Those of an import, and timestamps; never the password. The client takes any.',
    'styles/rows.ts participantRow',
    'emulator/participants reads one participant',
  ),
  assume(
    'Fields of a result in the list',
    'Those of its event.',
    'styles/rows.ts resultRow',
    'emulator/lists a result shows the fields of its event',
  ),
  assume(
    'Parameters of GET /participants, and the type of the id of an exam',
    '`limit` and `page` as for exams; an integer.',
    'http/inputs.ts listForm',
    'emulator/lists answers 422 to %s',
  ),
  assume(
    'Whether either credential is accepted in place of the other',
    'It is not; an option accepts both.',
    'http/authentication.ts credentials',
    'emulator/service-settings an operation accepts its own only',
  ),
  assume(
    'Which keys get 401 and which 403',
    '401 for a key that is not known; 403 for an inactive client, and for keys that the options name.',
    'http/authentication.ts refusedKeys',
    'emulator/service-settings a key decides whether it is refused with 401 or with 403',
  ),
  assume(
    'Bodies of errors',
    '`message`, and `errors` by field, in the words of Laravel 11, or of Laravel 8.',
    'frameworks/frameworks.ts sentence',
    'emulator/styles a refusal in the style %s has the words of Laravel',
  ),
  assume(
    'Success statuses of the webhook operations',
    '201 for a creation, 202 for a test delivery, 200 otherwise.',
    'routes/webhooks.ts 201',
    'emulator/webhooks a new endpoint shows its secret, and its list never does',
  ),
  assume(
    'Error statuses of the webhook operations',
    '404 for an unknown id, 422 for what is refused, a sixth endpoint too.',
    'domain/endpoints.ts createEndpoint',
    'emulator/webhooks %s /webhooks/{id}%s answers 404 for an endpoint that is not there',
  ),
  assume(
    'An exam that is not there',
    '404, as for a participant.',
    'domain/assignments.ts requireExam',
    'emulator/lists one exam is read by its id, and one that is not there is 404',
  ),
  assume(
    'A parameter beyond its bounds',
    '422; nothing is taken for the nearest allowed value.',
    'http/inputs.ts sizeRules',
    'emulator/lists answers 422 to %s',
  ),
  assume(
    'A body that is not a JSON object, or not sent as JSON',
    'It has no fields, as in Laravel, unless it is a form.',
    'input/read-input.ts readInput',
    'emulator/strictness JSON that is sent as %s is answered %i',
  ),
  assume(
    'State of an imported participant',
    'Active and verified, by an option.',
    'options.ts importedParticipants',
    'emulator/participants the options say in which state an imported participant is',
  ),
  assume(
    'What starts an exam',
    'A call of the control interface.',
    'domain/exam-taking.ts startExam',
    'emulator/control goes from assigned to started to finished',
  ),
  assume(
    'Values of the two ceilings',
    'None, unless options set them.',
    'options.ts maxParticipants',
    'emulator/participants answers 400 where there would be too many, and imports nothing',
  ),
  assume(
    'Size of an import, and rate limits',
    'None; faults answer 413 and 429 where a test asks for it.',
    'faults/fault.ts status',
    'emulator/client-faults Retry-After is read, in milliseconds',
  ),
  assume(
    'When an endpoint is disabled, and how it comes back',
    'After 10 failures in a row, by an option; `is_active: true` takes it back.',
    'options.ts disableAfterFailures',
    'emulator/retries an endpoint is disabled after a run of failures, receives nothing more, and comes back with is_active',
  ),
  assume(
    'Schedule and number of retries',
    'After 10 s, 1 min, 5 min and 30 min, by an option; then the delivery has failed.',
    'options.ts retryDelays',
    'emulator/retries after the last delay a delivery has failed',
  ),
  assume(
    'Statuses of a delivery beside `delivered`',
    '`pending` and `failed`; the client takes any.',
    'deliveries/engine.ts pending',
    'emulator/retries after the last delay a delivery has failed',
  ),
  assume(
    'Statuses of a result beside 2',
    'None; the client takes any.',
    'domain/events.ts finished',
    'emulator/conformance-fields status 2 is that of a finished exam',
  ),
  assume(
    'Order of the deliveries',
    'The newest second first, within a second by id, as `latest()` in Laravel.',
    'routes/webhooks.ts latest',
    'emulator/webhooks begins with the newest second; within a second the database gives the keys in their order',
  ),
  assume(
    'Emails that differ in case, or in the encoding of an accent',
    'One participant.',
    'domain/email.ts emailKey',
    'emulator/participants an email that differs in %s is that of the same participant',
  ),
  assume(
    '`from` and `to` of an empty page of deliveries',
    'null, as Laravel pages.',
    'styles/envelope.ts pagination',
    'emulator/strictness an empty page of deliveries is from null to null, as Laravel pages',
  ),
  assume(
    '`data` of the events of registrations and of `exam_result.scored`',
    'Who and what; a score as in `exam_result.completed`. The client takes any.',
    'domain/events.ts registrationData',
    'emulator/deliveries an assignment is announced, signed over the bytes that are sent',
  ),
  assume(
    'What announces a registration and its end',
    'Assign and unassign.',
    'domain/assignments.ts announce',
    'emulator/deliveries an assignment is announced, signed over the bytes that are sent',
  ),
];
