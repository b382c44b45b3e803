/**
 * Every operation of the service, by the name of the client's method for it (interface document, Endpoints).
 */
export type OperationName =
  | 'participants.import'
  | 'participants.list'
  | 'participants.retrieve'
  | 'participants.update'
  | 'examParticipants.assign'
  | 'examParticipants.unassign'
  | 'examParticipants.link'
  | 'exams.list'
  | 'exams.retrieve'
  | 'examResults.list'
  | 'webhooks.list'
  | 'webhooks.create'
  | 'webhooks.update'
  | 'webhooks.delete'
  | 'webhooks.deliveries'
  | 'webhooks.test';

/**
 * Where an operation is found and which of the two credentials it takes (interface document, Authentication).
 */
export interface Operation {
  readonly name: OperationName;
  readonly methods: readonly string[];
  /** Below `/api/v1`, with `:id` for the path parameter. */
  readonly path: string;
  readonly credential: 'client-key' | 'bearer';
}

/** The version prefix of every path (interface document, Versioning). */
export const API_PREFIX = '/api/v1';

/** In the order in which they are matched: a fixed path before one with a parameter. */
export const operations: readonly Operation[] = [
  clientKey('participants.import', 'POST', '/participants/import'),
  clientKey('participants.list', 'GET', '/participants'),
  clientKey('participants.retrieve', 'GET', '/participants/:id'),
  clientKey('participants.update', 'PUT', '/participants/:id'),
  clientKey('examParticipants.assign', 'POST', '/exam-participants/assign'),
  clientKey('examParticipants.unassign', 'POST', '/exam-participants/unassign'),
  clientKey('examParticipants.link', 'GET', '/exam-participants/link'),
  clientKey('exams.list', 'GET', '/exams'),
  clientKey('exams.retrieve', 'GET', '/exams/:id'),
  clientKey('examResults.list', 'GET', '/exam-results'),
  bearer('webhooks.list', ['GET'], '/webhooks'),
  bearer('webhooks.create', ['POST'], '/webhooks'),
  bearer('webhooks.update', ['PATCH', 'PUT'], '/webhooks/:id'),
  bearer('webhooks.delete', ['DELETE'], '/webhooks/:id'),
  bearer('webhooks.deliveries', ['GET'], '/webhooks/:id/deliveries'),
  bearer('webhooks.test', ['POST'], '/webhooks/:id/test'),
];

function clientKey(name: OperationName, method: string, path: string): Operation {
  return { name, methods: [method], path, credential: 'client-key' };
}

function bearer(name: OperationName, methods: readonly string[], path: string): Operation {
  return { name, methods, path, credential: 'bearer' };
}
