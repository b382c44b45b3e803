// The whole contents of an emulator as plain data, and back.

import { messageOf } from '../../../util/errors.ts';
import { isObject } from '../../../util/json.ts';
import type {
  AssignmentRecord,
  DeliveryRecord,
  EndpointRecord,
  ExamRecord,
  ParticipantRecord,
  ResultRecord,
} from './records.ts';
import { Store } from './store.ts';

/**
 * Everything that an emulator stores, including passwords and signing secrets, as plain data that can be converted to
 * JSON and back. Times are milliseconds since the epoch.
 */
export interface EmulatorSnapshot {
  /** Version of the format. */
  readonly version: 1;
  /** Every participant, with the password. */
  readonly participants: readonly ParticipantRecord[];
  /** Every exam. */
  readonly exams: readonly ExamRecord[];
  /** Every assignment. */
  readonly assignments: readonly AssignmentRecord[];
  /** Every result. */
  readonly results: readonly ResultRecord[];
  /** Every webhook endpoint, with its signing secret. */
  readonly endpoints: readonly EndpointRecord[];
  /** By endpoint, each in the order in which they were queued. */
  readonly deliveries: readonly DeliveryRecord[];
  /** The highest id used so far, by kind. */
  readonly last_ids: {
    /** Of assignments. */
    readonly assignment: number;
    /** Of endpoints. */
    readonly endpoint: number;
  };
}

export function takeSnapshot(store: Store): EmulatorSnapshot {
  const endpoints = [...store.endpoints.rows];
  return {
    version: 1,
    participants: [...store.participants.rows],
    exams: [...store.exams.rows],
    assignments: [...store.assignments.rows],
    results: [...store.results.rows],
    endpoints,
    deliveries: endpoints.flatMap(({ id }) => store.deliveries(id)),
    last_ids: { assignment: store.assignments.lastId, endpoint: store.endpoints.lastId },
  };
}

const parts = ['participants', 'exams', 'assignments', 'results', 'endpoints', 'deliveries'] as const;

/** A value, or its `data` as in a response of the control interface, that has the form of a snapshot. Its records are believed. */
export function snapshotIn(value: unknown): EmulatorSnapshot | undefined {
  return [value, Object(value)['data']].find(isSnapshot);
}

function isSnapshot(data: unknown): data is EmulatorSnapshot {
  return (
    isObject(data) &&
    data['version'] === 1 &&
    isObject(data['last_ids']) &&
    parts.every((name) => Array.isArray(data[name]))
  );
}

/**
 * Creates a store from a snapshot. The last ids are raised to those of its records.
 *
 * @throws {TypeError} when the data is not a snapshot
 * @throws {RangeError} when a record is there twice
 */
export function restoreStore(value: unknown, changed: () => void): Store {
  const data = snapshotIn(value);
  if (data === undefined)
    throw new TypeError('This is no state of an emulator: only what snapshot() or GET /state gave is one.');
  const store = new Store(changed);
  store.assignments.lastId = data.last_ids.assignment;
  store.endpoints.lastId = data.last_ids.endpoint;
  try {
    for (const row of data.participants) store.participants.add(row);
    for (const row of data.exams) store.exams.add(row);
    for (const row of data.assignments) store.assignments.add(row);
    for (const row of data.results) store.results.add(row);
    for (const row of data.endpoints) store.endpoints.add(row);
  } catch (cause) {
    throw new RangeError(`This state cannot be loaded: ${messageOf(cause)}`, { cause });
  }
  for (const row of data.deliveries) store.saveDelivery(row);
  return store;
}
