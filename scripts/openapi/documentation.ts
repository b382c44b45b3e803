// What openapi.json says of each operation, put together from its groups.

import { examParticipants } from './documentation/exam-participants.ts';
import { exams } from './documentation/exams.ts';
import type { Documentation, Group } from './documentation/group.ts';
import { participants } from './documentation/participants.ts';
import { webhooks } from './documentation/webhooks.ts';

/** Groups of operations. */
export const tags = {
  Participants: 'Import in bulk, read, update.',
  'Exam assignment': 'Assign participants to exams, cancel assignments, and get the links to take exams.',
  'Exams and results': 'Paginated lists, with filters.',
  Deliveries: 'Requests that the service sends to a webhook endpoint.',
  'Webhook endpoints': 'URLs that receive signed deliveries of events, and the history of deliveries.',
} as const;

const under = (tag: keyof typeof tags, group: Group) =>
  Object.entries(group).map(([id, documentation]) => [id, { ...documentation, tag }] as const);

/** Every operation's, by its id. */
export const documentation: Readonly<Record<string, Documentation & { readonly tag: string }>> =
  Object.fromEntries([
    ...under('Participants', participants),
    ...under('Exam assignment', examParticipants),
    ...under('Exams and results', exams),
    ...under('Webhook endpoints', webhooks),
  ]);
