// The table of emulated operations: method, path and credential of each.

import type { OperationName } from '../../../core/operation.ts';
import { tryOrUndefined } from '../../../util/try-or-undefined.ts';

/** The version prefix of every path. */
export const API_PREFIX = '/api/v1';

/**
 * Name of an operation: that of the client's method, if it has a request of its own. `webhooks.rotateSecret` is a PATCH with
 * `rotate_secret: true`, `webhooks.update` every other.
 */
export type EmulatorOperationName = Exclude<
  OperationName,
  | `participants.${'importAll' | 'findByEmail'}`
  | `examParticipants.${'ensure' | 'assignAll'}`
  | `webhooks.${'availableEvents' | 'ensure'}`
  | 'request'
>;

/** Those that have a route of their own. */
export type RoutedName = Exclude<EmulatorOperationName, 'webhooks.rotateSecret'>;

/** An operation of the service. */
export interface Operation {
  readonly name: RoutedName;
  readonly methods: readonly string[];
  /** Below `/api/v1`, with `:id` for the path parameter. */
  readonly path: string;
  readonly credential: 'client-key' | 'bearer';
}

/** In matching order: a fixed path before one with a parameter. */
const routes: Readonly<Record<RoutedName, readonly [methods: string, path: string]>> = {
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

export const operations: readonly Operation[] = Object.entries(routes).map(([key, [methods, path]]) => {
  const name = key as RoutedName;
  const credential = name.startsWith('webhooks.') ? 'bearer' : 'client-key';
  return { name, methods: methods.split(' '), path, credential };
});

export const operationNames: readonly EmulatorOperationName[] = [
  ...operations.map(({ name }) => name),
  'webhooks.rotateSecret',
];

/** The method of the client that sends a request: of two with one route, the body decides. */
export function methodOf({ name }: Operation, body: string): EmulatorOperationName {
  const isRotation = Object(tryOrUndefined(() => JSON.parse(body))).rotate_secret === true;
  return name === 'webhooks.update' && isRotation ? 'webhooks.rotateSecret' : name;
}
