// The table of emulated operations: method, path and credential of each.

/** The version prefix of every path. */
export const API_PREFIX = '/api/v1';

/** Path and credential of an operation. */
interface OperationShape {
  /** The client's method for it: `<group>.<method>`. */
  readonly name: `${string}.${string}`;
  readonly methods: readonly string[];
  /** Below `/api/v1`, with `:id` for the path parameter. */
  readonly path: string;
  readonly credential: 'client-key' | 'bearer';
}

/** Every operation of the service, in matching order: a fixed path before one with a parameter. */
export const operations = [
  { name: 'participants.import', methods: ['POST'], path: '/participants/import', credential: 'client-key' },
  { name: 'participants.list', methods: ['GET'], path: '/participants', credential: 'client-key' },
  { name: 'participants.retrieve', methods: ['GET'], path: '/participants/:id', credential: 'client-key' },
  { name: 'participants.update', methods: ['PUT'], path: '/participants/:id', credential: 'client-key' },
  {
    name: 'examParticipants.assign',
    methods: ['POST'],
    path: '/exam-participants/assign',
    credential: 'client-key',
  },
  {
    name: 'examParticipants.unassign',
    methods: ['POST'],
    path: '/exam-participants/unassign',
    credential: 'client-key',
  },
  {
    name: 'examParticipants.link',
    methods: ['GET'],
    path: '/exam-participants/link',
    credential: 'client-key',
  },
  { name: 'exams.list', methods: ['GET'], path: '/exams', credential: 'client-key' },
  { name: 'exams.retrieve', methods: ['GET'], path: '/exams/:id', credential: 'client-key' },
  { name: 'examResults.list', methods: ['GET'], path: '/exam-results', credential: 'client-key' },
  { name: 'webhooks.list', methods: ['GET'], path: '/webhooks', credential: 'bearer' },
  { name: 'webhooks.create', methods: ['POST'], path: '/webhooks', credential: 'bearer' },
  { name: 'webhooks.update', methods: ['PUT', 'PATCH'], path: '/webhooks/:id', credential: 'bearer' },
  { name: 'webhooks.delete', methods: ['DELETE'], path: '/webhooks/:id', credential: 'bearer' },
  { name: 'webhooks.deliveries', methods: ['GET'], path: '/webhooks/:id/deliveries', credential: 'bearer' },
  { name: 'webhooks.test', methods: ['POST'], path: '/webhooks/:id/test', credential: 'bearer' },
] as const satisfies readonly OperationShape[];

/** An operation of the service. */
export type Operation = (typeof operations)[number];

/** Name of an operation: that of the client's method for it. */
export type OperationName = Operation['name'];
