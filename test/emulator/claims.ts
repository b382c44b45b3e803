// What the service documents, in words of our own, by section of its documentation. `documented.test.ts` has a row for each claim.
// Every operation that the emulator imitates has a claim under its name.

export const claims = {
  // Authentication
  'auth.client-key': 'Participants, assignments, exams and results take the key in `X-Client-Key`.',
  'auth.bearer': 'Webhook management takes the key as a bearer token.',
  'auth.refused': 'A wrong key is rejected with 401 or 403.',
  'auth.accept': 'Requests send `Accept: application/json`.',
  'auth.inactive': 'An inactive client is rejected with 403.',

  // Resources, Participant
  'participant.id': 'A participant has an `id`, a unique integer.',
  'participant.email': 'An email belongs to one participant: importing it again creates no second one.',
  'participant.password': '`password` is accepted by an update.',
  'participant.assignable': 'A participant must be active and have a verified email before being assigned.',

  // Endpoints, Participants
  'participants.retrieve': 'A participant is returned by its id, with 200.',
  'participants.list': 'The list of participants is returned with 200.',
  'participants.import': 'An import of unknown or known emails returns 201.',
  'import.required': '`participants` holds at least one item, each with `email`, `name` and `password`.',
  'participants.update': 'An update returns 200.',
  'update.partial': 'Only supplied fields change.',

  // States and transitions, Exam assignment
  'examParticipants.assign': 'An assignment returns 201.',
  'assign.once': 'A participant can be registered to an exam only once: the second time returns 400.',
  'examParticipants.unassign': 'Cancelling an assignment returns 200, and it is gone.',
  'unassign.unregistered': 'Cancelling what is not assigned returns 400.',
  'unassign.started': 'Cancelling what the participant has started returns 400 and changes nothing.',

  // Endpoints, Exam assignment
  'link.404': 'The link of an unknown participant or exam returns 404.',
  'link.required': '`participant_id` and `exam_id` are required.',
  'assignment.ids': '`participant_id` and `exam_id` are required integers, of assign and of unassign.',
  'examParticipants.link': 'The link of an assigned participant is returned with 200.',
  'link.unassigned': 'The link of a participant who is not assigned returns 404.',

  // Resources, Exam
  'exam.id': 'An exam has an `id`, a unique integer.',

  // Endpoints, Exams and results
  'exams.list': 'The list of exams is returned with 200, in pages.',
  'exams.retrieve': 'An exam is returned by its id, with 200.',
  'examResults.list': 'The list of results is returned with 200, in pages.',
  'examResults.participant': '`participant_id` filters results by participant.',
  'examResults.exam': '`exam_id` filters results by exam.',
  'examResults.both': 'Both filters can be combined.',

  // Limits
  'exams.limit': '`limit` of exams is from 1 to 100.',
  'exams.default': '`limit` of exams is 10 by default.',
  'exams.page': '`page` of exams is at least 1, and 1 by default.',
  'examResults.limit': '`limit` of results is from 1 to 100.',
  'examResults.default': '`limit` of results is 10 by default.',
  'examResults.page': '`page` of results is at least 1, and 1 by default.',
  'deliveries.per_page': '`per_page` is from 1 to 100, and 25 by default.',
  'deliveries.page': '`page` of deliveries is 1 by default.',
  'webhooks.five': 'A project has at most five endpoints.',
  'webhooks.url': '`url` has at most 2048 characters.',
  'webhooks.description': '`description` has at most 255 characters.',
  'signature.tolerance': 'A delivery is signed with a time that is within 300 seconds of the present.',
  'limits.participants': 'An import beyond the limit of participants returns 400.',
  'limits.per-exam': 'An assignment beyond the limit of an exam returns 400.',

  // Resources, Exam result
  'result.payload':
    '`data` of `exam_result.completed` has the eleven documented fields, of the documented types.',

  // Resources, Webhook endpoint
  'endpoint.fields':
    'An endpoint has the eleven documented fields besides `secret`, of the documented types.',
  'endpoint.secret': '`secret` is only in the response that creates an endpoint or rotates its secret.',

  // Resources, Webhook delivery
  'delivery.fields': 'A delivery has the ten documented fields, of the documented types.',

  // Resources, Response envelope of webhook operations
  'envelope.fields': 'Responses have `success`, `message` and `data`, and lists `meta`.',

  // Endpoints, Webhook endpoints
  'webhooks.list': '`meta.available_events` describes each event name in words.',
  'webhooks.create': '`url` is required, and `events` with at least one valid event name.',
  'create.active': '`is_active` is true by default.',
  'webhooks.update': 'PATCH changes an endpoint, and so does PUT.',
  'update.events': '`events`, when sent, has at least one item, each a valid event name.',
  'webhooks.rotateSecret': '`rotate_secret: true` gives a new `secret`; an update without it shows none.',
  'webhooks.delete': '`data` of a deletion is null.',
  'webhooks.deliveries':
    '`meta.pagination` has six integers: `total`, `per_page`, `current_page`, `last_page`, `from`, `to`.',
  'deliveries.event': '`event` filters deliveries.',
  'deliveries.status': '`status` filters deliveries.',
  'webhooks.test': 'A test delivery returns `queued: true`.',
  'test.active': 'Only an active endpoint gets a test delivery.',
  'test.default': 'Without an event, or with an unknown one, it is `exam_result.completed`.',

  // States and transitions, Webhook endpoint
  'endpoint.active': '`is_active` in an update makes the endpoint active or inactive.',
  'endpoint.disabled': 'An endpoint that keeps failing may be disabled by the system.',

  // States and transitions, Webhook delivery status
  'delivery.delivered': 'An acknowledged delivery has the status `delivered`.',

  // Authentication, Webhook request signature
  'signature.header': 'A delivery carries `X-Cbt-Signature`, as `t=<seconds>,v1=<hex>`.',
  'signature.hmac':
    '`v1` is the HMAC-SHA256 of `<t>.<raw body>` under the secret of the endpoint, in lowercase hex.',
  'signature.reject': 'A receiver rejects another signature, and a time more than 300 seconds off, with 400.',

  // Events
  'events.names': 'There are four events, two of registrations and two of results.',
  'events.body': 'A payload has `event`, `created_at` with a UTC offset, and `data`.',
  'events.recorded': 'Deliveries are recorded, test deliveries too.',
  'events.listed': 'An endpoint receives only the events that it lists, and only while it is active.',
  'events.retry': 'A response other than 2xx is retried with increasing delays.',

  // Errors
  'errors.404': 'An unknown participant returns 404.',
  'errors.json': 'Invalid JSON returns 400.',
  'errors.update': 'An update of an unknown participant returns 404.',
  'errors.assignment': 'An unknown participant or exam returns 404, in assign and in unassign.',
  'errors.422': 'Import, update, assign and unassign return 422 for wrong or missing fields.',
  'errors.500': 'Import, update, assign and unassign may return 500.',

  // States and transitions, Exam result status
  'result.status': '`status` is an integer with a text `status_label`; 2 is of a finished exam.',

  // Endpoints
  'version.prefix': 'All paths are below the version prefix `/api/v1`.',
};

export type Claim = keyof typeof claims;
