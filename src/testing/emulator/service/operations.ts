// The table of emulated operations: method, path and credential of each.

/** The version prefix of every path. */
export const API_PREFIX = '/api/v1';

/** Name of an operation: that of the client's method for it. */
export type OperationName =
  | `participants.${'import' | 'list' | 'retrieve' | 'update'}`
  | `examParticipants.${'assign' | 'unassign' | 'link'}`
  | `exams.${'list' | 'retrieve'}`
  | 'examResults.list'
  | `webhooks.${'list' | 'create' | 'update' | 'delete' | 'deliveries' | 'test'}`;

/** An operation of the service. */
export interface Operation {
  readonly name: OperationName;
  readonly methods: readonly string[];
  /** Below `/api/v1`, with `:id` for the path parameter. */
  readonly path: string;
  readonly credential: 'client-key' | 'bearer';
}

/** In matching order: a fixed path before one with a parameter. */
const routes: Readonly<Record<OperationName, readonly [methods: string, path: string]>> = {
  'participants.import': ['POST', '/participants/import'],
  'participants.list': ['GET', '/participants'],
  'participants.retrieve': ['GET', '/participants/:id'],
  'participants.update': ['PUT', '/participants/:id'],
  'examParticipants.assign': ['POST', '/exam-participants/assign'],
  'examParticipants.unassign': ['POST', '/exam-participants/unassign'],
  'examParticipants.link': ['GET', '/exam-participants/link'],
  'exams.list': ['GET', '/exams'],
  'exams.retrieve': ['GET', '/exams/:id'],
  'examResults.list': ['GET', '/exam-results'],
  'webhooks.list': ['GET', '/webhooks'],
  'webhooks.create': ['POST', '/webhooks'],
  'webhooks.update': ['PUT PATCH', '/webhooks/:id'],
  'webhooks.delete': ['DELETE', '/webhooks/:id'],
  'webhooks.deliveries': ['GET', '/webhooks/:id/deliveries'],
  'webhooks.test': ['POST', '/webhooks/:id/test'],
};

/** Every operation of the service. */
export const operationNames = Object.keys(routes) as OperationName[];

export const operations: readonly Operation[] = operationNames.map((name) => {
  const [methods, path] = routes[name];
  const credential = name.startsWith('webhooks.') ? 'bearer' : 'client-key';
  return { name, methods: methods.split(' '), path, credential };
});
