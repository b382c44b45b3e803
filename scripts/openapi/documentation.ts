/** Texts that a descriptor does not need, since they change no request and no answer. */
export interface Documentation {
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  /** Describes a successful answer. */
  readonly answer: string;
}

type Tag = keyof typeof tags;

/** Groups of operations. */
export const tags = {
  Participants: 'Import in bulk, read, update.',
  'Exam assignment': 'Assign participants to exams, cancel assignments, and get the links to take exams.',
  'Exams and results': 'Paginated lists, with filters.',
  Deliveries: 'Requests that the service sends to a webhook endpoint.',
  'Webhook endpoints': 'URLs that receive signed deliveries of events, and the history of deliveries.',
} as const;

/**
 * By the id of the operation, in the order of the document. If several ids share a method and a path, the first one's
 * text is used.
 */
export const documentation: Readonly<Record<string, Documentation>> = {
  'participants.import': {
    tag: 'Participants',
    summary: 'Import participants',
    description: 'Creates a participant for an unknown email and updates the participant for a known one.',
    answer: 'The participants were imported or updated.',
  },
  'participants.list': {
    tag: 'Participants',
    summary: 'List participants',
    description:
      'The service documents no parameters here: `page` and `limit` are those of its other lists, and there may be more.',
    answer: 'Participants.',
  },
  'participants.retrieve': {
    tag: 'Participants',
    summary: 'Read one participant',
    description: 'The record of the participant. Only its `id` is documented.',
    answer: 'The participant.',
  },
  'participants.update': {
    tag: 'Participants',
    summary: 'Update one participant',
    description: 'Only the fields that are sent change.',
    answer: 'The participant was updated.',
  },
  'examParticipants.assign': {
    tag: 'Exam assignment',
    summary: 'Assign a participant to an exam',
    description:
      'The participant must be active, with a verified email, and not registered for the exam yet.',
    answer: 'The participant is assigned.',
  },
  'examParticipants.unassign': {
    tag: 'Exam assignment',
    summary: 'Cancel an assignment',
    description: 'Possible as long as the participant has not started the exam.',
    answer: 'The participant is no longer assigned.',
  },
  'examParticipants.link': {
    tag: 'Exam assignment',
    summary: 'Get the link to an exam',
    description:
      'Anyone who has the link can take the exam as this participant: keep it as you keep a password.',
    answer: 'A unique link for the participant to take the exam.',
  },
  'exams.list': {
    tag: 'Exams and results',
    summary: 'List exams',
    description: 'Every exam of the project, page by page.',
    answer: 'A page of all exams.',
  },
  'exams.retrieve': {
    tag: 'Exams and results',
    summary: 'Read one exam',
    description:
      'The service does not document the type of `id` in this path; the `id` of an exam is an integer.',
    answer: 'The exam.',
  },
  'examResults.list': {
    tag: 'Exams and results',
    summary: 'List exam results',
    description: 'The two filters may be combined.',
    answer: 'A page of exam results.',
  },
  'webhooks.list': {
    tag: 'Webhook endpoints',
    summary: 'List the webhook endpoints and the available events',
    description: '`meta.available_events` describes each event that an endpoint may subscribe to.',
    answer: 'The endpoints, without their secrets.',
  },
  'webhooks.create': {
    tag: 'Webhook endpoints',
    summary: 'Register a webhook endpoint',
    description: 'A project may have at most five.',
    answer: 'The endpoint with its signing secret, which cannot be read again.',
  },
  'webhooks.update': {
    tag: 'Webhook endpoints',
    summary: 'Change a webhook endpoint, or replace its secret',
    description:
      'Fields that are left out stay as they are. `rotate_secret: true` replaces the signing secret as well. PUT does the same.',
    answer: 'The endpoint, with its secret if that was replaced.',
  },
  'webhooks.rotateSecret': {
    tag: 'Webhook endpoints',
    summary: 'Replace the signing secret',
    description: 'Deliveries are signed with the new secret from then on.',
    answer: 'The endpoint with its new secret.',
  },
  'webhooks.delete': {
    tag: 'Webhook endpoints',
    summary: 'Remove a webhook endpoint',
    description: 'Nothing more is delivered to it.',
    answer: 'The endpoint is removed.',
  },
  'webhooks.deliveries': {
    tag: 'Webhook endpoints',
    summary: 'List the deliveries to an endpoint',
    description: 'The history of deliveries, with the number of attempts and the answer of the receiver.',
    answer: 'A page of deliveries.',
  },
  'webhooks.test': {
    tag: 'Webhook endpoints',
    summary: 'Send a test delivery',
    description: 'The endpoint must be active.',
    answer: 'The delivery is queued.',
  },
};
