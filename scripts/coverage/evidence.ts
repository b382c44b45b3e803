// Where each claim of the documentation is implemented, described and tested, for docs/coverage.md.

import type { ClaimId } from '../../src/cli/verify/claims/claims.ts';

/** Where a claim is kept to. */
export interface Evidence {
  /** File below src/testing/emulator, and a name in it. */
  readonly rule: string;
  /** Place in openapi.json: an operation and what is below it, or a JSON pointer. */
  readonly openapi: string;
  /** Test file below test, and a title in it as it is written there. */
  readonly test: string;
}

const at = (rule: string, openapi: string, test: string): Evidence => ({ rule, openapi, test });

const assign = 'post /exam-participants/assign';
const unassign = 'post /exam-participants/unassign';
const link = 'get /exam-participants/link';
const hooks = 'post /webhooks';
const hook = 'patch /webhooks/{id}';
const deliveries = 'get /webhooks/{id}/deliveries';
const schemas = '/components/schemas';
const delivered = '/webhooks/exam_result.completed/post';
const operations = 'emulator/conformance-operations';
const rules = 'emulator/conformance-rules';
const fields = 'emulator/conformance-fields';
const errors = 'emulator/conformance-errors';
const limits = 'emulator/conformance-limits';

/** Of every claim, by its id. */
export const evidence: Readonly<Record<ClaimId, Evidence>> = {
  'auth.client-key': at(
    'http/authentication.ts sentKeys',
    '/components/securitySchemes/clientKey',
    `${errors} participant, exam-assignment, exam and exam-result operations: X-Client-Key`,
  ),
  'auth.bearer': at(
    'http/authentication.ts sentKeys',
    '/components/securitySchemes/bearer',
    `${errors} webhook management operations: Authorization with Bearer`,
  ),
  'auth.refused': at(
    'http/authentication.ts authenticate',
    'get /exams responses/401',
    `${errors} 401, %s %s: key invalid`,
  ),
  'auth.accept': at(
    '../../core/wire.ts accept',
    'get /webhooks responses/200/content/application~1json',
    `client/resources/operations ${'$'}{name} asks for JSON, and declares JSON only if it sends a body`,
  ),
  'auth.inactive': at(
    'http/authentication.ts clientActive',
    'get /exams responses/403',
    `${errors} 403, %s %s: client inactive`,
  ),

  'participant.id': at(
    'state/store.ts addParticipant',
    `${schemas}/Participant/properties/id`,
    `${fields} id: used in paths and in participant_id`,
  ),
  'participant.email': at(
    'domain/participants.ts importParticipants',
    `${schemas}/ParticipantImportRow/properties/email`,
    `${fields} email: unique; one that is registered updates that participant instead of creating another`,
  ),
  'participant.password': at(
    'http/inputs.ts participantChangesForm',
    `${schemas}/ParticipantUpdate/properties/password`,
    `${fields} password: accepted on import and on update, and in no answer`,
  ),
  'participant.assignable': at(
    'domain/assignments.ts assign',
    `${assign} responses/400`,
    `${fields} active and verified before being assigned`,
  ),
  'import.201': at(
    'routes/participants.ts participants.import',
    'post /participants/import responses/201',
    `${operations} POST /participants/import: 201 when participants were imported or updated`,
  ),
  'import.required': at(
    'http/inputs.ts importForm',
    `${schemas}/ParticipantImportRow/required`,
    `${operations} POST /participants/import: participants is required, an array, at least one`,
  ),
  'retrieve.200': at(
    'routes/participants.ts participants.retrieve',
    'get /participants/{id} responses/200',
    `${operations} GET /participants/{id}: 200 with the participant`,
  ),
  'update.200': at(
    'routes/participants.ts participants.update',
    'put /participants/{id} responses/200',
    `${operations} PUT /participants/{id}: 200 when updated; only supplied fields change`,
  ),
  'update.partial': at(
    'domain/participants.ts updateParticipant',
    `${schemas}/ParticipantUpdate`,
    'emulator/participants changes only what is supplied',
  ),
  'participants.200': at(
    'routes/participants.ts participants.list',
    'get /participants responses/200',
    `${operations} GET /participants: 200`,
  ),

  'assign.201': at(
    'routes/exam-participants.ts examParticipants.assign',
    `${assign} responses/201`,
    `${rules} not assigned, assign: assigned, 201`,
  ),
  'assign.once': at(
    'domain/assignments.ts already registered',
    `${assign} responses/400`,
    `${fields} Exam assignment: a participant can be registered to a given exam only once`,
  ),
  'unassign.200': at(
    'domain/assignments.ts unassign',
    `${unassign} responses/200`,
    `${rules} assigned, unassign: not assigned, 200`,
  ),
  'unassign.unregistered': at(
    'domain/assignments.ts not registered',
    `${unassign} responses/400`,
    `${rules} not assigned, unassign: not assigned, 400`,
  ),
  'unassign.started': at(
    'domain/assignments.ts already started',
    `${unassign} responses/400`,
    `${rules} started, unassign: started, 400`,
  ),
  'assignment.ids': at(
    'http/inputs.ts pairForm',
    `${schemas}/Assignment/required`,
    'emulator/assignments %s answers 422 with every wrong field',
  ),
  'link.200': at(
    'domain/assignments.ts examLink',
    `${link} responses/200`,
    `${operations} GET /exam-participants/link: 200 with a generated unique link`,
  ),
  'link.404': at(
    'domain/assignments.ts requirePair',
    `${link} responses/404`,
    `${errors} 404, GET /exam-participants/link: %s`,
  ),
  'link.unassigned': at(
    'domain/assignments.ts examLink',
    `${link} responses/404`,
    `${errors} 404, GET /exam-participants/link: %s`,
  ),
  'link.required': at(
    'http/inputs.ts pairForm',
    `${link} parameters/0/required`,
    `${limits} GET /exam-participants/link: %s became required`,
  ),

  'exam.id': at('state/records.ts ExamRecord', `${schemas}/Exam/properties/id`, `${fields} Exam: id`),
  'exams.200': at(
    'routes/exams.ts exams.list',
    'get /exams responses/200',
    'emulator/lists pages have ten items unless a limit is given, and follow each other without gap or repeat',
  ),
  'exams.retrieve': at(
    'routes/exams.ts exams.retrieve',
    'get /exams/{id} responses/200',
    `${operations} GET /exams/{id}: 200`,
  ),
  'examResults.200': at(
    'routes/exams.ts examResults.list',
    'get /exam-results responses/200',
    `${limits} a 200 response was added to GET %s`,
  ),
  'examResults.participant': at(
    'state/store.ts resultPage',
    'get /exam-results parameters/2',
    'emulator/lists the results of %s are %i',
  ),
  'examResults.exam': at(
    'state/store.ts resultPage',
    'get /exam-results parameters/3',
    'emulator/lists the results of %s are %i',
  ),
  'examResults.both': at(
    'http/inputs.ts resultsForm',
    'get /exam-results parameters/3',
    `${operations} GET /exam-results: both filters may be combined`,
  ),
  'exams.limit': at(
    'http/inputs.ts MAX_PER_PAGE',
    'get /exams parameters/1/schema/maximum',
    `${limits} limit per page: 1 to 100, default 10`,
  ),
  'exams.default': at(
    'http/inputs.ts DEFAULT_LIMIT',
    'get /exams parameters/1/schema/default',
    `${limits} limit per page: 1 to 100, default 10`,
  ),
  'exams.page': at(
    'http/inputs.ts pageRules',
    'get /exams parameters/0/schema/minimum',
    `${limits} page: minimum 1, default 1`,
  ),
  'examResults.limit': at(
    'http/inputs.ts MAX_PER_PAGE',
    'get /exam-results parameters/1/schema/maximum',
    `${limits} limit per page: 1 to 100, default 10`,
  ),
  'examResults.default': at(
    'http/inputs.ts DEFAULT_LIMIT',
    'get /exam-results parameters/1/schema/default',
    `${limits} limit per page: 1 to 100, default 10`,
  ),
  'examResults.page': at(
    'http/inputs.ts pageRules',
    'get /exam-results parameters/0/schema/minimum',
    `${limits} page: minimum 1, default 1`,
  ),
  'limits.participants': at(
    'domain/participants.ts maxParticipants',
    'post /participants/import responses/400',
    `${errors} 400, import: the total number of participants would exceed the limit`,
  ),
  'limits.per-exam': at(
    'domain/assignments.ts maxParticipantsPerExam',
    `${assign} responses/400`,
    `${errors} 400, assign: number of exam participants exceeds the limit`,
  ),
  'result.payload': at(
    'domain/events.ts resultData',
    `${schemas}/CompletedExamResult/required`,
    'emulator/deliveries a completed exam and a changed score are announced with the documented fields',
  ),
  'result.status': at(
    'domain/events.ts finished',
    `${schemas}/CompletedExamResult/properties/status`,
    `${fields} status 2 is that of a finished exam`,
  ),

  'endpoint.fields': at(
    'styles/rows.ts endpointRow',
    `${schemas}/WebhookEndpoint/required`,
    `${fields} %s of a new one`,
  ),
  'endpoint.secret': at(
    'routes/webhooks.ts withSecret',
    `${schemas}/WebhookEndpointWithSecret/properties/secret`,
    `${fields} secret: only in the response that creates or rotates it`,
  ),
  'delivery.fields': at(
    'styles/rows.ts deliveryRow',
    `${schemas}/WebhookDelivery/required`,
    'emulator/deliveries an acknowledged delivery is recorded on itself and on its endpoint',
  ),
  'envelope.fields': at(
    'styles/envelope.ts envelope',
    `${schemas}/WebhookEnvelope/required`,
    `${fields} %s, of every operation`,
  ),
  'webhooks.events': at(
    'domain/events.ts availableEvents',
    'get /webhooks responses/200',
    `${operations} GET /webhooks: array without secret; meta.available_events maps names to descriptions`,
  ),
  'create.required': at(
    'http/inputs.ts endpointForm',
    `${schemas}/WebhookCreate/required`,
    'emulator/webhooks what an endpoint may not be',
  ),
  'create.active': at(
    'http/inputs.ts is_active',
    `${schemas}/WebhookCreate/properties/is_active`,
    `${operations} POST /webhooks: the created endpoint including secret; is_active by default; at most five`,
  ),
  'update.methods': at(
    'operations.ts PUT',
    'put /webhooks/{id} responses/200',
    'emulator/webhooks %s changes what is sent and nothing else',
  ),
  'update.events': at(
    'http/inputs.ts endpointChangesForm',
    `${schemas}/WebhookUpdate/properties/events/minItems`,
    'emulator/webhooks an update is held to the same rules, and may leave everything out',
  ),
  'update.rotate': at(
    'domain/endpoints.ts rotate_secret',
    `${schemas}/WebhookUpdate/properties/rotate_secret`,
    'emulator/webhooks a rotation shows a new secret, once',
  ),
  'delete.null': at(
    'routes/webhooks.ts webhooks.delete',
    'delete /webhooks/{id} responses/200',
    `${operations} DELETE /webhooks/{id}: data is null`,
  ),
  'deliveries.pagination': at(
    'styles/envelope.ts pagination',
    `${schemas}/PaginationMeta/properties/pagination`,
    `${operations} GET /webhooks/{id}/deliveries: array; meta.pagination with six integers; per_page 1 to 100, default 25`,
  ),
  'deliveries.event': at(
    'routes/webhooks.ts event',
    `${deliveries} parameters/1`,
    'emulator/webhooks filters by %s',
  ),
  'deliveries.status': at(
    'routes/webhooks.ts status',
    `${deliveries} parameters/2`,
    'emulator/webhooks filters by %s',
  ),
  'test.queued': at(
    'routes/webhooks.ts queued',
    `${schemas}/WebhookTestDelivery/properties/queued`,
    `${operations} POST /webhooks/{id}/test: queued is true; exam_result.completed when the event is absent or not recognised`,
  ),
  'test.active': at(
    'deliveries/test-delivery.ts is_active',
    'post /webhooks/{id}/test description',
    'emulator/deliveries needs an active endpoint',
  ),
  'test.default': at(
    'deliveries/test-delivery.ts queueTestDelivery',
    `${schemas}/WebhookTest/properties/event`,
    'emulator/deliveries for %j is one of %s',
  ),
  'endpoint.active': at(
    'domain/endpoints.ts updateEndpoint',
    `${schemas}/WebhookUpdate/properties/is_active`,
    `${rules} any, %s with is_active: active or inactive accordingly`,
  ),
  'endpoint.disabled': at(
    'deliveries/engine.ts disableAfterFailures',
    `${schemas}/WebhookEndpoint/properties/is_disabled_by_system`,
    `${rules} active, deliveries answered with non-2xx repeatedly: disabled by the system`,
  ),
  'delivery.delivered': at(
    'deliveries/engine.ts delivered',
    `${schemas}/WebhookDelivery/properties/status`,
    `${rules} 3: status %i acknowledges`,
  ),
  'deliveries.per_page': at(
    'http/inputs.ts DEFAULT_DELIVERIES_PER_PAGE',
    `${deliveries} parameters/4/schema/maximum`,
    `${limits} per_page: 1 to 100, default 25`,
  ),
  'deliveries.page': at(
    'http/inputs.ts deliveriesForm',
    `${deliveries} parameters/3/schema/default`,
    `${limits} page: default 1`,
  ),
  'webhooks.five': at(
    'domain/endpoints.ts MAX_ENDPOINTS',
    `${hooks} description`,
    `${limits} webhook endpoints: at most 5 per project`,
  ),
  'webhooks.url': at(
    'http/inputs.ts MAX_URL_LENGTH',
    `${schemas}/WebhookCreate/properties/url/maxLength`,
    `${limits} webhook %s length: at most %i characters, on POST and on PATCH`,
  ),
  'webhooks.description': at(
    'http/inputs.ts MAX_DESCRIPTION_LENGTH',
    `${hook} requestBody`,
    `${limits} webhook %s length: at most %i characters, on POST and on PATCH`,
  ),
  'signature.tolerance': at(
    'deliveries/engine.ts signDelivery',
    `${delivered}/parameters/0/description`,
    `${limits} signature timestamp tolerance: what is signed is younger than 300 seconds, unless a fault ages it`,
  ),
  'signature.header': at(
    'deliveries/signature.ts signDelivery',
    `${delivered}/parameters/0/schema/pattern`,
    `${rules} Webhook request signature: HMAC-SHA256 of "<t>.<raw body>" in hex, within the tolerance of 300 s`,
  ),
  'signature.hmac': at(
    'deliveries/signature.ts signDelivery',
    `${delivered}/parameters/0/description`,
    `${rules} Webhook request signature: HMAC-SHA256 of "<t>.<raw body>" in hex, within the tolerance of 300 s`,
  ),
  'signature.reject': at(
    '../../webhooks/verify/check.ts toleranceSeconds',
    `${delivered}/parameters/0/description`,
    'webhooks/signature-cases $verdict: $name',
  ),
  'events.names': at(
    'domain/events.ts availableEvents',
    '/webhooks/exam_result.scored',
    `${rules} Events: %s is delivered with event, created_at and data, and only to who lists it`,
  ),
  'events.listed': at(
    'deliveries/engine.ts announce',
    `${delivered}/description`,
    `${rules} 1: an endpoint receives only the events that it lists, and only while active`,
  ),
  'events.body': at(
    'deliveries/send.ts encodePayload',
    `${schemas}/ExamResultCompletedEvent/required`,
    `${rules} 2: each delivery has event, created_at and data`,
  ),
  'events.retry': at(
    'deliveries/engine.ts retryDelays',
    `${delivered}/description`,
    `${rules} 3: status %i is retried, with increasing delays`,
  ),
  'events.recorded': at(
    'state/store.ts deliveries',
    `${deliveries} responses/200`,
    `${rules} 5: deliveries are recorded and readable; a test delivery is requested`,
  ),

  'errors.json': at(
    'input/json-body.ts parse',
    'post /participants/import responses/400',
    `${errors} 400, import: invalid JSON`,
  ),
  'errors.404': at(
    'domain/participants.ts requireParticipant',
    'get /participants/{id} responses/404',
    `${errors} 404, %s /participants/{id}: participant not found`,
  ),
  'errors.update': at(
    'domain/participants.ts requireParticipant',
    'put /participants/{id} responses/404',
    `${limits} a 404 response was added to PUT /participants/{id}`,
  ),
  'errors.assignment': at(
    'domain/assignments.ts requirePair',
    `${assign} responses/404`,
    `${errors} 404, POST %s: %s not found`,
  ),
  'errors.422': at(
    'validation/validate.ts checked',
    `${unassign} responses/422`,
    `${errors} 422, %s: validation error in the submitted data`,
  ),
  'errors.500': at(
    'faults/fault.ts status',
    `${assign} responses/500`,
    `${errors} 500, %s: internal server error, retry later`,
  ),
  'version.prefix': at(
    'operations.ts API_PREFIX',
    '/servers/0/url',
    `${limits} the version is part of the path prefix`,
  ),
};
